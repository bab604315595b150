package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/viewer/report/regression"
)

// review serves the report of a run with buttons that approve, until ctx ends.
func review(ctx context.Context, env *env, p *project.Project, s *run.Summary, dir string, o approveFlags) (int, error) {
	c, err := comparerOf(p)
	if err != nil {
		return 0, err
	}
	for _, session := range s.Sessions {
		for _, pic := range session.Pictures {
			if pic.Actual != nil && pic.Status != run.Pass {
				_ = bring(ctx, c.Blobs, pic.Actual.Digest, dir, nil) // what cannot be had is not shown
			}
		}
	}
	var one sync.Mutex
	count := 0
	v := &regression.Review{Summary: s, Pictures: runPictures{c}, Token: randomToken(), Approve: func(ctx context.Context, session, key string) error {
		one.Lock()
		defer one.Unlock()
		answer, err := approveRun(ctx, p, s, dir, run.Choice{Session: literal(session), Key: literal(key)}, o.force)
		if err != nil {
			return err
		}
		for _, a := range answer.Pictures {
			if a.What == "" {
				return errors.New("refused: " + a.Refused)
			}
			count++
			env.report("%s  %s %s", a.What, a.Session, a.Key)
		}
		return nil
	}}
	if err := serveReview(ctx, env, v, o.noOpen); err != nil {
		return 0, err
	}
	fmt.Fprintf(env.out, "%s approved\n", plural(count, "picture"))
	return exitOK, nil
}

func serveReview(ctx context.Context, env *env, v *regression.Review, noOpen bool) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := "http://" + l.Addr().String() + v.Path()
	fmt.Fprintln(env.out, address)
	if !noOpen {
		openInBrowser(env, address)
	}
	server := &http.Server{Handler: v, ReadHeaderTimeout: 10 * time.Second}
	done := context.AfterFunc(ctx, func() {
		short, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = server.Shutdown(short) // what is still open is cut off
		_ = server.Close()
	})
	defer done()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func randomToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails; see crypto/rand
	return hex.EncodeToString(b[:])
}

// literal is a pattern that means just that text.
func literal(s string) string {
	var b []byte
	for i := range len(s) {
		switch s[i] {
		case '*', '?', '[', '\\':
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return string(b)
}
