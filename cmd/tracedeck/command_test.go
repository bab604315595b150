package main

import "testing"

func TestRowsHaveTheNamesOfTheirCommands(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rows() {
		if name := r.make().name; name != r.name || seen[name] {
			t.Errorf("row %q makes command %q, seen before: %v", r.name, name, seen[name])
		}
		seen[r.name] = true
	}
}
