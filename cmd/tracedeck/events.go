package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
)

type eventsFlags struct {
	types  []string
	call   string
	follow bool
	raw    bool
	full   bool
}

func eventsCommand() *command {
	return &command{name: "events", args: "TRACE", short: "print the lines of a trace, as text or as JSON lines",
		long: `Without --raw the lines are printed in the shape of the newest version, whatever
version the trace has. --follow goes on printing what is written to a folder,
until it is interrupted.`,
		examples: []example{
			{"tracedeck events --type before,after trace.zip", "only actions"},
			{"tracedeck events --call call@14 trace.zip", "everything of one action"},
			{"tracedeck events --raw trace.zip | jq -c 'select(.type==\"console\")'", "the lines as they are in the file"},
			{"tracedeck events --follow recording/", "a recording while it is made"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o eventsFlags
			fs.StringSliceVarP(&o.types, "type", "t", nil, "only events of these types")
			fs.StringVar(&o.call, "call", "", "only events of this action")
			fs.BoolVarP(&o.follow, "follow", "f", false, "go on with what is written to the folder")
			fs.BoolVar(&o.raw, "raw", false, "the lines as they are in the file")
			fs.BoolVar(&o.full, "full", false, "do not shorten long values")
			return func(ctx context.Context, env *env, args []string) (int, error) { return events(ctx, env, o, args) }
		}}
}

func events(ctx context.Context, env *env, o eventsFlags, args []string) (int, error) {
	if len(args) != 1 {
		return 0, usageError("which trace? one is expected, not %d", len(args))
	}
	w := bufio.NewWriterSize(env.out, 64<<10)
	defer w.Flush()
	if o.follow {
		return follow(ctx, env, w, o, args[0])
	}
	a, err := env.openTrace(ctx, args[0])
	if err != nil {
		return 0, err
	}
	defer a.Close()
	code := exitOK
	for e, err := range a.Events(ctx) {
		if err != nil {
			if ctx.Err() != nil {
				return 0, ctx.Err()
			}
			env.warn("%v", err)
			code = exitFound
			continue
		}
		if err := o.print(env, w, e); err != nil {
			return 0, err
		}
	}
	return code, nil
}

func (o eventsFlags) print(env *env, w io.Writer, e *trace.Event) error {
	if _, dropped := e.Body.(*trace.Dropped); (dropped || e.Body.EventType() == "") && !o.raw || !o.wants(e.Body) {
		return nil
	}
	line := e.Raw
	if !o.raw {
		var err error
		if line, err = trace.AppendBody(nil, e.Body); err != nil {
			return fmt.Errorf("%s: %w", place(e.Position), err)
		}
	}
	if line == nil {
		return nil
	}
	if o.raw || env.json {
		_, err := fmt.Fprintf(w, "%s\n", line)
		return err
	}
	return o.text(env, w, e, line)
}

func (o eventsFlags) wants(b trace.Body) bool {
	if len(o.types) > 0 {
		found := false
		for _, t := range o.types {
			found = found || t == b.EventType()
		}
		if !found {
			return false
		}
	}
	return o.call == "" || callOf(b) == o.call
}

func callOf(b trace.Body) string {
	switch b := b.(type) {
	case *trace.Before:
		return b.CallID
	case *trace.Input:
		return b.CallID
	case *trace.Log:
		return b.CallID
	case *trace.After:
		return b.CallID
	case *trace.FrameSnapshot:
		return b.CallID
	case *trace.Screenshot:
		return b.CallID
	case *trace.AriaSnapshot:
		return b.CallID
	}
	return ""
}

// text prints where the line stands, its type, and its members in short.
func (o eventsFlags) text(env *env, w io.Writer, e *trace.Event, line []byte) error {
	const most = 300
	var flat bytes.Buffer
	if err := json.Compact(&flat, line); err != nil {
		flat.Write(line)
	}
	body := strings.TrimPrefix(flat.String(), fmt.Sprintf(`{"type":%q,`, e.Body.EventType()))
	body = strings.TrimSuffix(body, "}")
	if !o.full && len(body) > most {
		body = fmt.Sprintf("%s… (%s)", strings.ToValidUTF8(body[:most], ""), bytesText(int64(len(line))))
	}
	_, err := fmt.Fprintf(w, "%s %s %s\n", env.paint(dim, fmt.Sprintf("%-18s", place(e.Position))),
		env.paint(bold, fmt.Sprintf("%-16s", e.Body.EventType())), printable(body))
	return err
}

// follow prints the lines of a folder's files as they are written.
func follow(ctx context.Context, env *env, w *bufio.Writer, o eventsFlags, dir string) (int, error) {
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return 0, withHint(fmt.Errorf("%s: not a folder", dir), "--follow works on the folder that a recording is written to; a zip is complete")
	}
	for e, err := range trace.Follow(ctx, dir, 0) {
		if err != nil {
			env.warn("%v", err)
			continue
		}
		if err := o.print(env, w, e); err != nil {
			return 0, err
		}
		if err := w.Flush(); err != nil {
			return 0, err
		}
	}
	return exitOK, nil
}
