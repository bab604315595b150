package trace

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/tracedeck/tracedeck/trace/internal/modernize"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// stacks reads the call stacks of a context, by call id.
func (a *Archive) stacks(ctx context.Context, f File) (map[string][]StackFrame, []Warning) {
	if f.Stacks == "" {
		return nil, nil
	}
	rc, err := a.store.open(ctx, f.Stacks)
	if err != nil {
		return nil, []Warning{{Code: "W_NO_STACKS", Place: f.Stacks, Text: err.Error()}}
	}
	defer rc.Close()
	const limit = 256 << 20
	var doc stacksDocument
	if err := json.NewDecoder(io.LimitReader(rc, limit)).Decode(&doc); err != nil {
		return nil, []Warning{{Code: "W_NO_STACKS", Place: f.Stacks, Text: fmt.Sprintf("the call stacks are not read: %v", err)}}
	}
	return doc.byCall(), nil
}

// stacksDocument is the one JSON object of a .stacks entry.
type stacksDocument struct {
	Files  []string
	Stacks [][2]json.RawMessage
}

func (d *stacksDocument) byCall() map[string][]StackFrame {
	all := make(map[string][]StackFrame, len(d.Stacks))
	for _, s := range d.Stacks {
		id, ok := rawjson.Unquote(s[0])
		if n, err := strconv.Atoi(string(s[0])); err == nil && !ok {
			id, ok = modernize.CallNumber(n), true
		}
		if ok {
			all[id] = d.frames(s[1])
		}
	}
	return all
}

func (d *stacksDocument) frames(list []byte) []StackFrame {
	rows, _ := rawjson.Elements(list)
	frames := make([]StackFrame, 0, len(rows))
	for _, row := range rows {
		cells, _ := rawjson.Elements(row)
		if len(cells) < 3 {
			continue
		}
		var n [3]int
		for i := range n {
			n[i], _ = strconv.Atoi(string(cells[i]))
		}
		f := StackFrame{Line: n[1], Column: n[2]}
		if n[0] >= 0 && n[0] < len(d.Files) {
			f.File = d.Files[n[0]]
		}
		if len(cells) > 3 {
			f.Function, _ = rawjson.Unquote(cells[3])
		}
		frames = append(frames, f)
	}
	return frames
}
