package viewer

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
)

// stacksFile is the one JSON object of a .stacks entry: it holds the call
// stacks of a library's actions, the file names apart.
type stacksFile struct {
	Files  []string
	Stacks [][2]json.RawMessage
}

const mostStacks = 64 << 20

// stack returns where in the program an action was called, innermost first.
// Lines of actions have it too; the caller looks there first.
func (r *recording) stack(ctx context.Context, a index.Action) []trace.StackFrame {
	for _, f := range r.archive.Files() {
		if f.Stacks == "" || f.Trace != a.Before.File {
			continue
		}
		r.mu.Lock()
		all, known := r.stacks[f.Stacks]
		r.mu.Unlock()
		if !known {
			all = r.readStacks(ctx, f.Stacks)
			r.mu.Lock()
			r.stacks[f.Stacks] = all
			r.mu.Unlock()
		}
		return all[a.CallID]
	}
	return nil
}

func (r *recording) readStacks(ctx context.Context, entry string) map[string][]trace.StackFrame {
	rc, err := r.archive.Resource(ctx, entry)
	if err != nil {
		return nil
	}
	defer rc.Close()
	var doc stacksFile
	if json.NewDecoder(io.LimitReader(rc, mostStacks)).Decode(&doc) != nil {
		return nil
	}
	all := map[string][]trace.StackFrame{}
	for _, s := range doc.Stacks {
		id := strings.Trim(string(s[0]), `"`)
		if !strings.Contains(id, "@") {
			id = "call@" + id
		}
		all[id] = doc.frames(s[1])
	}
	return all
}

func (d *stacksFile) frames(raw json.RawMessage) []trace.StackFrame {
	var cells [][]any
	if json.Unmarshal(raw, &cells) != nil {
		return nil
	}
	var frames []trace.StackFrame
	for _, c := range cells {
		if len(c) < 3 {
			continue
		}
		file, _ := c[0].(float64)
		line, _ := c[1].(float64)
		column, _ := c[2].(float64)
		if file < 0 || int(file) >= len(d.Files) {
			continue
		}
		f := trace.StackFrame{File: d.Files[int(file)], Line: int(line), Column: int(column)}
		if len(c) > 3 {
			f.Function, _ = c[3].(string)
		}
		frames = append(frames, f)
	}
	return frames
}
