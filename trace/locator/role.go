package locator

import (
	"errors"
	"strconv"
)

func (f formatter) role(p Part, on receiver) (string, error) {
	body, err := p.Attributes()
	if err != nil {
		return "", err
	}
	options, err := roleOptions(body.Conditions)
	if err != nil {
		return "", err
	}
	return f.dialect.role(on, body.Name, options), nil
}

// roleOptions puts name and description first, then whether they are exact, then the rest in its order.
func roleOptions(conditions []Attribute) ([]option, error) {
	var name, description *Attribute
	options := make([]option, 0, len(conditions)+1)
	for i := range conditions {
		a := &conditions[i]
		switch _, isText := a.text(); {
		case a.Name() == "name" && isText:
			name = a
		case a.Name() == "description" && isText:
			description = a
		}
	}
	exact := false
	for _, a := range [...]*Attribute{name, description} {
		if a != nil {
			options = append(options, option{a.Name(), a.Value})
			exact = exact || a.exact()
		}
	}
	if name != nil && description != nil && name.Value.Kind == StringValue &&
		description.Value.Kind == StringValue && name.IgnoreCase != description.IgnoreCase {
		return nil, errors.New("name and description differ in exactness")
	}
	if exact {
		options = append(options, option{"exact", Value{Kind: BoolValue, Bool: true}})
	}
	return appendStates(options, conditions), nil
}

func (a Attribute) exact() bool { return a.Value.Kind == StringValue && !a.IgnoreCase }

// appendStates adds what is neither name nor description: checked, level, include-hidden …
func appendStates(options []option, conditions []Attribute) []option {
	for _, a := range conditions {
		switch name := a.Name(); name {
		case "name", "description":
		case "include-hidden":
			options = append(options, option{"includeHidden", a.optionValue()})
		default:
			options = append(options, option{name, a.optionValue()})
		}
	}
	return options
}

// optionValue is the value of a role's state: levels are numbers, a state without a value is on.
func (a Attribute) optionValue() Value {
	if a.Value.Kind == NoValue {
		return Value{Kind: BoolValue, Bool: true}
	}
	if a.Value.Kind == StringValue && a.Name() == "level" {
		if n, err := strconv.ParseFloat(a.Value.String, 64); err == nil {
			return Value{Kind: NumberValue, Number: n}
		}
	}
	return a.Value
}
