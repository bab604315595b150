package trace

import (
	"github.com/tracedeck/tracedeck/trace/locator"
	"github.com/tracedeck/tracedeck/trace/title"
)

// Title returns what the action is called on screen, with locators in the
// language that the session was written in.
func (a *Action) Title() title.Title {
	if a.title == nil {
		b := a.Before
		t := title.Of(title.Call{Class: b.Class, Method: b.Method, Title: b.Title, Subtitle: b.Subtitle, Group: b.Group,
			Params: b.Params, Language: locator.Language(a.Context.SDKLanguage)})
		a.title = &t
	}
	return *a.title
}

// Walk returns the action and all inside it, parents first.
func (a *Action) Walk() []*Action {
	list := []*Action{a}
	for _, c := range a.Children {
		list = append(list, c.Walk()...)
	}
	return list
}

// Tree returns all actions of the trace, parents before their children.
func (t *Trace) Tree() []*Action {
	var list []*Action
	for _, a := range t.Roots {
		list = append(list, a.Walk()...)
	}
	return list
}
