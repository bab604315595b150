package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// process is a browser that this program started.
type process struct {
	cmd     *exec.Cmd
	path    string
	profile string // "" if it is not ours to remove
	output  *tail
	ours    []*os.File    // our ends of the lifeline
	done    chan struct{} // closed when it has ended

	mu      sync.Mutex
	closing bool
	ended   error
}

// start starts the program; a goroutine waits for its end.
func start(path string, args []string, o Options) (*process, error) {
	p := &process{cmd: exec.Command(path, args...), path: path, output: &tail{to: o.Output}, done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), o.Env...)
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	p.cmd.WaitDelay = 2 * time.Second // helpers may hold the output open longer than the browser lives
	ours, theirs, err := tie(p.cmd)
	if err == nil {
		p.ours = ours
		err = p.cmd.Start()
		closeAll(theirs)
	}
	if err != nil {
		closeAll(ours)
		return nil, diagnose(path, err, "")
	}
	go p.wait()
	return p, nil
}

func (p *process) wait() {
	err := p.cmd.Wait()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	killGroup(p.cmd.Process) // helpers that outlived it
	p.mu.Lock()
	// Somebody who closes the last window or stops the browser with Ctrl-C
	// ends it in good order, too.
	if err != nil && !p.closing && !asked(p.cmd.ProcessState) {
		p.ended = &Error{Code: "E_BROWSER_GONE", Err: fmt.Errorf("the browser %s ended: %w", p.path, err), Output: lastLines(p.output.String(), 6),
			hint: "start it again; if it ends each time, look at what it writes, at free memory and at /dev/shm"}
	}
	p.mu.Unlock()
	closeAll(p.ours)
	close(p.done)
}

func (p *process) err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended
}

// patience is how long a browser may take to close in good order.
const patience = 5 * time.Second

// stop has the browser end by ask, or by force if that does not help, and
// removes its profile.
func (p *process) stop(ask func(context.Context) error) error {
	p.mu.Lock()
	p.closing = true
	p.mu.Unlock()
	if ask != nil {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		_ = ask(ctx)
		select {
		case <-p.done:
		case <-ctx.Done():
		}
		cancel()
	}
	killGroup(p.cmd.Process)
	<-p.done
	if p.profile == "" {
		return nil
	}
	return removeProfile(p.profile)
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
