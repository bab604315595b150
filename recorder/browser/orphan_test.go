//go:build unix

package browser

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test's program be one that is killed beside its browser.
func TestMain(m *testing.M) {
	if os.Getenv("LAUNCH_AND_WAIT") != "" {
		b, err := Launch(context.Background(), Options{Path: os.Getenv("LAUNCH_AND_WAIT")})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(b.process.profile)
		select {}
	}
	os.Exit(m.Run())
}

// withArgument lists the processes in whose command line a word occurs.
func withArgument(t *testing.T, word string) []string {
	t.Helper()
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	if len(names) == 0 {
		t.Log("no /proc here: processes are not looked for")
	}
	var found []string
	for _, name := range names {
		if data, err := os.ReadFile(name); err == nil && strings.Contains(string(data), word) {
			found = append(found, filepath.Base(filepath.Dir(name)))
		}
	}
	return found
}

func TestBrowserEndsWithAKilledProgram(t *testing.T) {
	for _, path := range []string{"chromium", "chromium-headless-shell"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "LAUNCH_AND_WAIT="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		profile, err := bufio.NewReader(out).ReadString('\n')
		profile = strings.TrimSpace(profile)
		if err != nil || !filepath.IsAbs(profile) {
			t.Fatalf("%s: %q %v", path, profile, err)
		}
		t.Cleanup(func() { _ = removeProfile(profile) })
		if len(withArgument(t, profile)) == 0 {
			t.Errorf("%s: no browser is seen", path)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		left := withArgument(t, profile)
		for end := time.Now().Add(20 * time.Second); len(left) > 0 && time.Now().Before(end); left = withArgument(t, profile) {
			time.Sleep(50 * time.Millisecond)
		}
		if len(left) > 0 {
			t.Errorf("%s: processes outlive the program: %v", path, left)
		}
	}
}
