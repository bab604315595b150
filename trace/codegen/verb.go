package codegen

// Verb is what a step does, by the name of Playwright's method.
type Verb string

// What steps do. Those of elements come first.
const (
	Click       Verb = "click"
	DoubleClick Verb = "dblclick"
	Tap         Verb = "tap"
	Hover       Verb = "hover"
	Focus       Verb = "focus"
	Blur        Verb = "blur"
	Clear       Verb = "clear"
	Fill        Verb = "fill"
	TypeText    Verb = "pressSequentially"
	Press       Verb = "press"
	CheckBox    Verb = "check"
	UncheckBox  Verb = "uncheck"
	Choose      Verb = "selectOption"
	SelectText  Verb = "selectText"
	SetFiles    Verb = "setInputFiles"
	Drag        Verb = "dragTo"
	Dispatch    Verb = "dispatchEvent"
	ScrollTo    Verb = "scrollIntoViewIfNeeded"
	Scroll      Verb = "scroll"
	WaitFor     Verb = "waitFor"

	Goto       Verb = "goto"
	Reload     Verb = "reload"
	Back       Verb = "goBack"
	Forward    Verb = "goForward"
	SetContent Verb = "setContent"
	NewPage    Verb = "newPage"
	ClosePage  Verb = "close"
	ToFront    Verb = "bringToFront"
	Resize     Verb = "setViewportSize"
	Media      Verb = "emulateMedia"
	Evaluate   Verb = "evaluate"
	KeyDown    Verb = "keyboard.down"
	KeyUp      Verb = "keyboard.up"
	KeyPress   Verb = "keyboard.press"
	KeyType    Verb = "keyboard.type"
	InsertText Verb = "keyboard.insertText"
	MouseMove  Verb = "mouse.move"
	MouseDown  Verb = "mouse.down"
	MouseUp    Verb = "mouse.up"
	MouseClick Verb = "mouse.click"
	MouseWheel Verb = "mouse.wheel"
	TouchTap   Verb = "touchscreen.tap"
	WaitScript Verb = "waitForFunction"
	Offline    Verb = "setOffline"
	Expect     Verb = "expect"
	NotCarried Verb = "" // of which only a comment is left
)

// acts reports whether the verb is something a user does to an element or to
// the page, so that what follows may be its effect.
func (v Verb) acts() bool {
	switch v {
	case Click, DoubleClick, Tap, Press, CheckBox, UncheckBox, Choose, SetFiles, Drag, Dispatch, KeyPress, KeyType, MouseClick, MouseUp, TouchTap, Fill, TypeText, Clear, Hover:
		return true
	}
	return false
}

// navigates reports whether the verb itself says where the page goes.
func (v Verb) navigates() bool {
	switch v {
	case Goto, Reload, Back, Forward, SetContent, NewPage:
		return true
	}
	return false
}
