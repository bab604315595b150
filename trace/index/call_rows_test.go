package index

import "testing"

// A list by number and a map of all calls answer the same.
func TestCallRowsTellFilesApart(t *testing.T) {
	c, want := newCallRows(), map[callKey]Row{}
	for i := range 2000 {
		k := callKey{context: i * 7 % 3, id: StringID(i * 13 % 500)}
		c.set(k, Row(i))
		want[k] = Row(i)
	}
	for context := range 4 {
		for id := range StringID(600) {
			k := callKey{context, id}
			got, ok := c.get(k)
			if row, there := want[k]; ok != there || ok && got != row {
				t.Fatalf("%v: row %d, %t, not %d, %t", k, got, ok, row, there)
			}
		}
	}
}
