package replay

import (
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/replay/determinism"
)

// named are the keys that have a name: their code, the number of the virtual
// key, and the text they write.
var named = sync.OnceValue(func() map[string]determinism.Key {
	named := map[string]determinism.Key{}
	add := func(key, code string, number int, text string) {
		named[key] = determinism.Key{Key: key, Code: code, Number: number, Text: text}
	}
	for key, number := range map[string]int{"Backspace": 8, "Tab": 9, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
		"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Insert": 45, "Delete": 46, "CapsLock": 20, "NumLock": 144, "Pause": 19, "ContextMenu": 93, "ScrollLock": 145, "PrintScreen": 44} {
		add(key, key, number, "")
	}
	add("Enter", "Enter", 13, "\r")
	add("Space", "Space", 32, " ")
	named["Space"] = determinism.Key{Key: " ", Code: "Space", Number: 32, Text: " "}
	named[" "] = named["Space"]
	named["\n"], named["\r"] = named["Enter"], named["Enter"]
	named["NumpadEnter"] = determinism.Key{Key: "Enter", Code: "NumpadEnter", Number: 13, Text: "\r", Location: 3}
	for i := range 12 {
		name := "F" + string("0123456789"[(i+1)%10])
		if i >= 9 {
			name = "F1" + string("0123456789"[i-9])
		}
		add(name, name, 112+i, "")
	}
	for name, number := range map[string]int{"Shift": 16, "Control": 17, "Alt": 18, "Meta": 91} {
		for side, location := range map[string]int{"Left": 1, "Right": 2} {
			named[name+side] = determinism.Key{Key: name, Code: name + side, Number: number, Location: location}
		}
		named[name] = named[name+"Left"]
	}
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		upper := strings.ToUpper(string(c))
		add(string(c), "Key"+upper, int(upper[0]), string(c))
		add(upper, "Key"+upper, int(upper[0]), upper)
		named["Key"+upper] = named[string(c)]
	}
	for i, shifted := range ")!@#$%^&*(" {
		digit := string("0123456789"[i])
		add(digit, "Digit"+digit, 48+i, digit)
		add(string(shifted), "Digit"+digit, 48+i, string(shifted))
		named["Digit"+digit] = named[digit]
	}
	for _, k := range []struct {
		plain, shifted, code string
		number               int
	}{{";", ":", "Semicolon", 186}, {"=", "+", "Equal", 187}, {",", "<", "Comma", 188}, {"-", "_", "Minus", 189}, {".", ">", "Period", 190},
		{"/", "?", "Slash", 191}, {"`", "~", "Backquote", 192}, {"[", "{", "BracketLeft", 219}, {"\\", "|", "Backslash", 220}, {"]", "}", "BracketRight", 221}, {"'", "\"", "Quote", 222}} {
		add(k.plain, k.code, k.number, k.plain)
		add(k.shifted, k.code, k.number, k.shifted)
		named[k.code] = named[k.plain]
	}
	return named
})

var modifierOf = map[string]determinism.Modifiers{"Shift": determinism.Shift, "Control": determinism.Control, "Alt": determinism.Alt, "Meta": determinism.Meta,
	"ControlOrMeta": determinism.Control, "AltGraph": determinism.Alt}

// modifiersOf adds up names of modifiers; unknown ones do not count.
func modifiersOf(names []string) determinism.Modifiers {
	var m determinism.Modifiers
	for _, n := range names {
		m |= modifierOf[n]
	}
	return m
}

// chord takes "Control+Shift+A" apart: the modifiers, and the key at the end.
func chord(s string) (modifiers []string, key determinism.Key, ok bool) {
	for {
		name, rest, more := strings.Cut(s, "+")
		if !more || rest == "" || modifierOf[name] == 0 {
			break
		}
		modifiers = append(modifiers, name)
		s = rest
	}
	key, ok = keyNamed(s)
	m := modifiersOf(modifiers)
	if m&determinism.Shift != 0 && len(key.Text) == 1 && strings.HasPrefix(key.Code, "Key") {
		key.Key = strings.ToUpper(key.Key)
		key.Text = key.Key
	}
	if m&(determinism.Control|determinism.Alt|determinism.Meta) != 0 {
		key.Text = ""
	}
	key.Modifiers = m
	if m&determinism.Control != 0 {
		key.Commands = editing[strings.ToLower(key.Key)]
	}
	return modifiers, key, ok
}

// editing are what editors do on Control and a letter.
var editing = map[string][]string{"a": {"selectAll"}, "z": {"undo"}, "y": {"redo"}, "c": {"copy"}, "x": {"cut"}, "v": {"paste"}}

func keyNamed(s string) (determinism.Key, bool) {
	if k, ok := named()[s]; ok {
		return k, true
	}
	if r := []rune(s); len(r) == 1 {
		return determinism.Key{Key: s, Text: s}, true
	}
	return determinism.Key{Key: s}, false
}
