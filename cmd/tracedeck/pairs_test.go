package main

import "testing"

func TestNamesAndValuesMayHoldEqualsSigns(t *testing.T) {
	for text, want := range map[string][2]string{
		"call@6=pa=ss==":                      {"call@6", "pa=ss=="},
		"getByLabel('Password')=pa=ss":        {"getByLabel('Password')", "pa=ss"},
		`internal:label="Password"i=secret`:   {`internal:label="Password"i`, "secret"},
		"#pin=1234":                           {"#pin", "1234"},
		"picture.png=files/a=b.png":           {"picture.png", "files/a=b.png"},
		"https://old.test=http://127.0.0.1:3": {"https://old.test", "http://127.0.0.1:3"},
	} {
		var got map[string]string
		if err := pairs("--value", []string{text}, &got); err != nil || got[want[0]] != want[1] {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	var none map[string]string
	for _, text := range []string{"", "=x", "nothing"} {
		if err := pairs("--value", []string{text}, &none); err == nil {
			t.Errorf("%q is taken for %v", text, none)
		}
	}
}
