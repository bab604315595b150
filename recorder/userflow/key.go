package userflow

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// keyCodes are the codes of keys that have a name; those of letters and digits
// are the upper-case characters.
var keyCodes = map[string]int{"Backspace": 8, "Tab": 9, "Enter": 13, "Shift": 16, "Control": 17, "Alt": 18, "Pause": 19, "CapsLock": 20, "Escape": 27,
	" ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
	"Insert": 45, "Delete": 46, "Meta": 91, "ContextMenu": 93, "F1": 112, "F2": 113, "F3": 114, "F4": 115, "F5": 116, "F6": 117,
	"F7": 118, "F8": 119, "F9": 120, "F10": 121, "F11": 122, "F12": 123, "NumLock": 144, "ScrollLock": 145}

// keyTexts are the characters that named keys write.
var keyTexts = map[string]string{"Enter": "\r", "Tab": "\t", " ": " "}

// physical are the places of named keys where they differ from the name.
var physical = map[string]string{" ": "Space", "Shift": "ShiftLeft", "Control": "ControlLeft", "Alt": "AltLeft", "Meta": "MetaLeft"}

func pressKey(page *rod.Page, key string, down bool) error {
	e := proto.InputDispatchKeyEvent{Type: proto.InputDispatchKeyEventTypeKeyUp, Key: key, Code: key}
	if code := physical[key]; code != "" {
		e.Code = code
	}
	text := keyTexts[key]
	switch {
	case keyCodes[key] != 0:
		e.WindowsVirtualKeyCode = keyCodes[key]
	case utf8.RuneCountInString(key) == 1:
		c, _ := utf8.DecodeRuneInString(key)
		text = key
		e.Code, e.WindowsVirtualKeyCode = codeOf(unicode.ToUpper(c))
	default:
		return fmt.Errorf("there is no key %q", key)
	}
	if down {
		e.Type = proto.InputDispatchKeyEventTypeRawKeyDown
		if text != "" {
			e.Type, e.Text = proto.InputDispatchKeyEventTypeKeyDown, text
		}
	}
	return e.Call(page)
}

func codeOf(c rune) (string, int) {
	switch {
	case c >= 'A' && c <= 'Z':
		return "Key" + string(c), int(c)
	case c >= '0' && c <= '9':
		return "Digit" + string(c), int(c)
	}
	return "", 0
}

func pressAndRelease(page *rod.Page, key string) error {
	if err := pressKey(page, key, true); err != nil {
		return err
	}
	return pressKey(page, key, false)
}
