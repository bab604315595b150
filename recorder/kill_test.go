package recorder

import (
	"bufio"
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// TestMain lets the test's program be the recorder that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("RECORD_UNTIL_FULL"); dir != "" {
		recordUntilFull(dir)
	}
	if dir := os.Getenv("RECORD_UNTIL_KILLED"); dir != "" {
		if endpoint := os.Getenv("RECORD_BROWSER"); endpoint != "" {
			recordBrowserUntilKilled(endpoint, dir)
		}
		recordUntilKilled(dir)
	}
	os.Exit(m.Run())
}

// recordUntilKilled writes actions and says of each that it is recorded.
func recordUntilKilled(dir string) {
	s, err := New(Options{Dir: dir}, trace.ContextOptions{Origin: "library", BrowserName: "chromium"})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for i := 0; ; i++ {
		a := s.Begin(Call{Class: "Page", Method: "reload", Title: fmt.Sprintf("Action %d", i)})
		file, err := s.AddResource([]byte(fmt.Sprintf("body %d", i)), ".txt")
		if err != nil {
			os.Exit(1)
		}
		a.Log("wrote " + file)
		a.End(nil)
		s.Write(&trace.Console{Time: s.Now(), Kind: "log", Text: fmt.Sprintf("message %d", i), Args: []trace.ConsoleArg{}})
		fmt.Println(i, time.Now().UnixMilli())
	}
}

// What a recorder wrote more than a second before it was killed is there.
func TestKilledRecorderLosesNothing(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range kills(3) {
		dir := filepath.Join(t.TempDir(), "recording")
		actions, last := killedAt(t, dir, 1200*time.Millisecond+time.Duration(random.Intn(600))*time.Millisecond)
		out := dir + ".zip"
		if _, err := trace.Pack(context.Background(), dir, out); err != nil {
			t.Fatal(err)
		}
		a, err := trace.Open(context.Background(), out, trace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tr, err := trace.Load(context.Background(), a, trace.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(tr.Actions) < actions || len(tr.Console) < last {
			t.Errorf("%d actions and %d messages, of at least %d and %d", len(tr.Actions), len(tr.Console), actions, last)
		}
		a.Close()
	}
}

// killedAt runs a recorder and kills it. It returns how many actions were said
// to be recorded, and how many more than a second before the end.
func killedAt(t *testing.T, dir string, after time.Duration) (all, old int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "RECORD_UNTIL_KILLED="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var times []int64
	read, began := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(read)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var i int
			var at int64
			if n, _ := fmt.Sscan(lines.Text(), &i, &at); n == 2 {
				if len(times) == 0 {
					close(began)
				}
				times = append(times, at)
			}
		}
	}()
	select {
	case <-began:
	case <-read:
		t.Fatal("the recorder ended by itself")
	case <-time.After(time.Minute):
		t.Error("the recorder does not begin")
	}
	time.Sleep(after)
	end := time.Now().UnixMilli()
	_ = cmd.Process.Kill()
	<-read
	_ = cmd.Wait()
	for _, at := range times {
		if at < end-1000 {
			old++
		}
	}
	if old == 0 {
		t.Fatal("nothing was recorded in time")
	}
	return len(times), old
}
