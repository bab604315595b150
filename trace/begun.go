package trace

// Begun announces an action that is under way: its before line as far as it is
// known. Only a folder that is being recorded into holds such lines, so that
// who watches it sees an action when it begins; a later one of the same call
// counts instead of an earlier one, and the before line instead of all. [Pack]
// leaves them out, and makes the before line of one where none came because
// the recorder died. Other readers do not know them.
type Begun struct{ Before }

// EventType returns "begun".
func (*Begun) EventType() string { return "begun" }
