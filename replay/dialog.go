package replay

import (
	"github.com/tracedeck/tracedeck/trace"
)

// reply is what the recorded program answered to a dialog.
type reply struct {
	accept bool
	text   string
}

// planDialogs gathers what was answered to the dialogs of the recording, in
// their order: a dialog holds the page up, so the answer must be known before.
func (r *run) planDialogs() {
	var opened []*trace.Happening
	for _, e := range r.t.Events {
		if e.Method == "dialog" {
			opened = append(opened, e)
		}
	}
	for _, s := range r.steps {
		if s.action.Before.Class != "Dialog" {
			continue
		}
		// One that the program did not answer was dismissed for it.
		for len(opened) > 1 && opened[1].Time <= s.action.Start {
			r.dialogs, opened = append(r.dialogs, reply{}), opened[1:]
		}
		if len(opened) > 0 {
			opened = opened[1:]
		}
		text := s.params.text("promptText")
		if text == "" {
			text = s.params.text("text")
		}
		r.dialogs = append(r.dialogs, reply{s.verb == "accept", text})
	}
}

func (r *run) dialog(kind, message, preset string) (bool, string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.dialogs) == 0 {
		return kind == "alert" || kind == "beforeunload", ""
	}
	d := r.dialogs[0]
	r.dialogs = r.dialogs[1:]
	if d.accept && d.text == "" && kind == "prompt" {
		d.text = preset
	}
	return d.accept, d.text
}
