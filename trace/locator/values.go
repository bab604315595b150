package locator

// literals writes the values of a language.
type literals struct {
	mark    byte // around strings
	yes, no string
	pattern func(Regexp) string
}

func (l literals) value(v Value) string {
	switch v.Kind {
	case BoolValue:
		if v.Bool {
			return l.yes
		}
		return l.no
	case NumberValue:
		return formatNumber(v.Number)
	case RegexpValue:
		return l.pattern(v.Regexp)
	}
	return quote(v.String, l.mark)
}

func (l literals) text(t Text) string {
	if t.Regexp != nil {
		return l.pattern(*t.Regexp)
	}
	return quote(t.String, l.mark)
}
