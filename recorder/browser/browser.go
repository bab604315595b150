package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// Browser is a Chromium that runs, and a connection to it.
type Browser struct {
	// Rod drives the browser. It emulates no device. Its context is that of the
	// background; give calls one of their own with Rod.Context.
	Rod *rod.Browser
	// Endpoint is the ws:// address at which others can connect to it too.
	Endpoint string
	Version  Version
	// Path is the program and Args its command line; both are empty if somebody
	// else started it.
	Path string
	Args []string
	// Warnings say what is not as it should be, such as a missing sandbox.
	Warnings []string

	socket  *socket
	client  client
	process *process // nil if somebody else started it
	once    sync.Once
	err     error // of Close
}

// PID is the browser's process id, or 0 if somebody else started it.
func (b *Browser) PID() int {
	if b.process == nil {
		return 0
	}
	return b.process.cmd.Process.Pid
}

// Start gives a command to the browser's session of that id, or to the browser
// itself if it is empty, without waiting for the answer: commands arrive in the
// order in which they are started. Rod knows nothing of them.
func (b *Browser) Start(session, method string, params any) Call {
	return Call{b.client.Start(session, method, params)}
}

// Done is closed when the browser has ended or the connection to it is gone.
func (b *Browser) Done() <-chan struct{} {
	if b.process != nil {
		return b.process.done
	}
	return b.socket.gone
}

// Err tells, once Done is closed, why: nil if the browser was closed, an
// *[Error] of code E_BROWSER_GONE if it crashed, was killed or cannot be
// reached any more.
func (b *Browser) Err() error {
	select {
	case <-b.Done():
	default:
		return nil
	}
	if b.process != nil {
		return b.process.err()
	}
	if b.socket.wasClosed() {
		return nil
	}
	return &Error{Code: "E_BROWSER_GONE", Err: fmt.Errorf("the browser at %s ended or cut the connection", b.Endpoint), hint: "start it again and connect again"}
}

// Close ends a browser that was launched, with everything it started, and
// removes its fresh profile. From one that was connected to it only
// disconnects. It may be called more than once and from several goroutines.
func (b *Browser) Close() error {
	b.once.Do(func() {
		if b.process == nil {
			b.err = b.socket.Close()
			return
		}
		b.err = b.process.stop(b.askToClose)
		_ = b.socket.Close()
	})
	return b.err
}

// askToClose asks in the way that lets the browser write its profile.
func (b *Browser) askToClose(ctx context.Context) error {
	return proto.BrowserClose{}.Call(b.Rod.Context(ctx))
}

// attach connects rod to the browser at a ws:// address.
func (b *Browser) attach(ctx context.Context) error {
	b.socket = newSocket()
	// rod waits for answers without end; the end of ctx takes the connection away.
	stop := context.AfterFunc(ctx, b.socket.hangUp)
	defer stop()
	if err := b.socket.open(ctx, b.Endpoint); err != nil {
		return either(ctx.Err(), err)
	}
	b.client = newClient(b.socket)
	b.Rod = rod.New().NoDefaultDevice().Client(b.client)
	err := b.Rod.Connect()
	if err == nil {
		var v *proto.BrowserGetVersionResult
		if v, err = (proto.BrowserGetVersion{}).Call(b.Rod); err == nil {
			b.Version = versionFrom(v)
			return ctx.Err()
		}
	}
	_ = b.socket.Close()
	return either(ctx.Err(), err)
}

func either(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// await waits for ready to say yes, for the end of ctx or of done.
func await(ctx context.Context, done <-chan struct{}, ready func() bool) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ready() {
		select {
		case <-done:
			return errEnded
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}

var errEnded = errors.New("it ended at once")

// isFile reports whether there is a file that holds something.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Size() > 0
}
