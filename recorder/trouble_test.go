package recorder

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/trace"
)

// kills is how many recorders and browsers are killed: a few in tests, as many
// as make soak says.
func kills(least int) int {
	n, _ := strconv.Atoi(os.Getenv("KILLS"))
	return max(n, least)
}

// countingPage says what time it is, 50 times a second, each time with the next number.
const countingPage = `<!doctype html><title>Counting</title><script>let n = 0; setInterval(() => console.log('count', n++, Date.now()), 20)</script>`

var counted = regexp.MustCompile(`^count (\d+) (\d+)$`)

// lag is how long the machine lets a browser wait at the moment.
func lag(page *rod.Page) time.Duration {
	began := time.Now()
	for range 3 {
		page.MustEval("() => 1")
	}
	return 500*time.Millisecond + time.Since(began)
}

// checkCounted makes sure that no message is missing between the first and
// those of a second before the end, and what the machine took longer.
func checkCounted(t *testing.T, dir string, end time.Time, lag time.Duration) {
	t.Helper()
	out := dir + ".packed.zip"
	if _, err := trace.Pack(context.Background(), dir, out); err != nil {
		t.Fatal(err)
	}
	a, err := trace.Open(context.Background(), out, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	tr, err := trace.Load(context.Background(), a, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	next, last := -1, int64(0)
	for _, m := range tr.Console {
		c := counted.FindStringSubmatch(m.Text)
		if c == nil {
			continue
		}
		n, _ := strconv.Atoi(c[1])
		if next >= 0 && n != next {
			t.Fatalf("message %d comes after %d", n, next-1)
		}
		next = n + 1
		last, _ = strconv.ParseInt(c[2], 10, 64)
	}
	if missing := end.Add(-time.Second-lag).UnixMilli() - last; next < 10 || missing > 0 {
		t.Errorf("%d messages, the last one %d ms too early", next, missing)
	}
}

func serveText(t testing.TB, page string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, page)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// recordBrowserUntilKilled attaches to a browser and says when it is there.
func recordBrowserUntilKilled(endpoint, dir string) {
	s, err := Attach(context.Background(), endpoint, Options{Dir: dir, Browser: cdp.DefaultOptions()})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("recording")
	<-s.Done()
	os.Exit(0)
}

// A recorder of a browser that is killed has what was over a second before.
func TestKilledRecorderOfABrowserLosesNothing(t *testing.T) {
	browser, random := launchBrowser(t), rand.New(rand.NewSource(2))
	page := browser.MustPage(serveText(t, countingPage)).MustWaitLoad()
	endpoint, err := cdp.EndpointOf(context.Background(), browser)
	if err != nil {
		t.Fatal(err)
	}
	for range kills(1) {
		dir := filepath.Join(t.TempDir(), "recording")
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "RECORD_BROWSER="+endpoint, "RECORD_UNTIL_KILLED="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		if !lines.Scan() || lines.Text() != "recording" {
			t.Fatalf("the recorder says %q", lines.Text())
		}
		time.Sleep(1800*time.Millisecond + time.Duration(random.Intn(900))*time.Millisecond)
		slow := lag(page)
		end := time.Now()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		checkCounted(t, dir, end, slow)
	}
	if title := page.MustEval("() => document.title").Str(); title != "Counting" {
		t.Errorf("the page is %q", title)
	}
}

// A browser that is killed ends the recording, which says so and has what was
// over a second before.
func TestKilledBrowserEndsTheRecording(t *testing.T) {
	url, random := serveText(t, countingPage), rand.New(rand.NewSource(3))
	for range kills(1) {
		browser := launchBrowser(t)
		dir := filepath.Join(t.TempDir(), "recording")
		s, err := Start(context.Background(), browser, Options{Dir: dir, Browser: cdp.DefaultOptions()})
		if err != nil {
			t.Fatal(err)
		}
		page := browser.MustPage(url).MustWaitLoad()
		time.Sleep(1500*time.Millisecond + time.Duration(random.Intn(900))*time.Millisecond)
		slow := lag(page)
		end := time.Now()
		killBrowser(t, browser)
		select {
		case <-s.Done():
		case <-time.After(30 * time.Second):
			t.Fatal("the recording does not end")
		}
		if err := s.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
		if w := s.Warnings(); len(w) != 1 || w[0].Code != "W_BROWSER_GONE" {
			t.Errorf("warnings %v", w)
		}
		checkCounted(t, dir, end, slow)
	}
}

// killBrowser kills a browser's first process, as an administrator would.
func killBrowser(t *testing.T, browser *rod.Browser) {
	t.Helper()
	list, err := proto.SystemInfoGetProcessInfo{}.Call(browser)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list.ProcessInfo {
		if p.Type == "browser" {
			process, err := os.FindProcess(p.ID)
			if err != nil {
				t.Fatal(err)
			}
			if err := process.Kill(); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatal("the browser names no process of its own")
}

// A recording for which there is no room any more ends, says why, and keeps
// what it has.
func TestFullDiskEndsTheRecording(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "recording")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "RECORD_UNTIL_FULL="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "ended: ") || !strings.Contains(string(out), "the recording is in ") {
		t.Fatalf("%v: %s", err, out)
	}
	var kept int
	_, _ = fmt.Sscanf(string(out[strings.Index(string(out), "wrote "):]), "wrote %d", &kept)
	packed := filepath.Join(t.TempDir(), "t.zip")
	if _, err := trace.Pack(context.Background(), dir, packed); err != nil {
		t.Fatal(err)
	}
	a, err := trace.Open(context.Background(), packed, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	tr, err := trace.Load(context.Background(), a, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Console) < 1000 || len(tr.Console) < kept*9/10 {
		t.Errorf("%d messages of %d", len(tr.Console), kept)
	}
}

// recordUntilFull writes until the system refuses to.
func recordUntilFull(dir string) {
	limitFiles(1 << 20)
	s, err := New(Options{Dir: dir, Output: dir + ".zip"}, trace.ContextOptions{Origin: "library", BrowserName: "chromium"})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	n := 0
	for open := true; open && n < 1e6; n++ {
		s.Write(&trace.Console{Time: s.Now(), Kind: "log", Text: fmt.Sprintf("message %d %s", n, strings.Repeat("x", 200)), Args: []trace.ConsoleArg{}})
		select {
		case <-s.Done():
			open = false
		default:
		}
	}
	fmt.Printf("wrote %d\n", n)
	err = s.Stop(context.Background())
	fmt.Println("ended:", err)
	var hint interface{ Hint() string }
	if !errors.As(err, &hint) || !strings.Contains(hint.Hint(), dir) {
		fmt.Println("no hint")
		os.Exit(1)
	}
	os.Exit(0)
}

// A folder that cannot be made is told at once.
func TestFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := New(Options{Output: filepath.Join(file, "t.zip")}, trace.ContextOptions{})
	if err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("the error is %v", err)
	}
}

// megabytes is how much is downloaded: little in tests, as much as make soak says.
func megabytes() int {
	n, _ := strconv.Atoi(os.Getenv("DOWNLOAD_MB"))
	return max(n, 40)
}

// A long download and a long answer are told of, and are not kept in memory.
func TestLongDownloadsAreTold(t *testing.T) {
	size := int64(megabytes()) << 20
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<title>Files</title><a href=/file>Get it</a>")
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
		if r.URL.Path == "/file" {
			w.Header().Set("Content-Disposition", "attachment; filename=big.bin")
		}
		block := make([]byte, 1<<20)
		for n := int64(0); n < size; n += int64(len(block)) {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}))
	defer site.Close()
	browser := launchBrowser(t)
	if err := (proto.BrowserSetDownloadBehavior{Behavior: proto.BrowserSetDownloadBehaviorBehaviorAllow, DownloadPath: t.TempDir()}).Call(browser); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "t.zip")
	s := attachTo(t, browser, DefaultOptions(out))
	page := browser.MustPage(site.URL).MustWaitLoad()
	most, stop := watchMemory()
	page.MustElement("a").MustClick()
	got := page.Timeout(15 * time.Minute).MustEval(`async () => { const r = (await fetch('/answer')).body.getReader(); let n = 0; for (;;) { const x = await r.read(); if (x.done) return n; n += x.value.length; } }`).Num()
	if int64(got) != size {
		t.Errorf("the page got %v bytes", got)
	}
	eventually(t, "the download ends", func() bool {
		data, _ := os.ReadFile(filepath.Join(s.Dir(), "0-trace.trace"))
		return strings.Contains(string(data), `"downloadEnded"`)
	})
	if stop(); *most > 500<<20 {
		t.Errorf("%d MB in use", *most>>20)
	}
	t.Logf("%d MB: %d MB in use at most", megabytes(), *most>>20)
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	_, tr := loadTrace(t, out)
	if d := happening(tr, "download"); d == nil || !strings.Contains(string(d.Params), `"suggestedFilename":"big.bin"`) {
		t.Errorf("the download: %v", d)
	}
	if d := happening(tr, "downloadEnded"); d == nil || !strings.Contains(string(d.Params), `"completed"`) {
		t.Errorf("the end of the download: %v", d)
	}
	q := requestTo(tr, "/answer")
	if q == nil || int64(q.Response.Content.Size) != size || !strings.Contains(string(q.Extra("_bodyNote")), "longer than the limit") {
		t.Errorf("the answer: %+v", q)
	}
}

// watchMemory notes the most that is in use until stop is called.
func watchMemory() (most *uint64, stop func()) {
	most = new(uint64)
	end, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			*most = max(*most, m.Sys-m.HeapReleased)
			select {
			case <-end:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	return most, func() { close(end); <-done }
}

const stormPage = `<!doctype html><title>Storm</title><button onclick="this.textContent = 'Pressed ' + ++pressed">Press</button><div id=box></div>
<script>let pressed = 0, n = 0; for (let i = 0; i < 2000; i++) box.append(document.createElement('p'));
setInterval(() => { for (let i = 0; i < 500; i++) box.children[n++ %% 2000].textContent = 'number ' + n; }, 50)
setInterval(() => { for (let i = 0; i < %d; i++) console.log('line', i, n); }, 100)</script>`

// A page that changes 10,000 nodes a second and writes as many lines as it can
// stays usable, and what is done in it is recorded.
func TestStormOfChangesAndLines(t *testing.T) {
	seconds, _ := strconv.Atoi(os.Getenv("STORM_SECONDS"))
	lines := 300
	if seconds > 0 {
		lines = 10000 // 100,000 a second
	}
	browser := launchBrowser(t)
	out := filepath.Join(t.TempDir(), "t.zip")
	s := attachTo(t, browser, DefaultOptions(out))
	most, stop := watchMemory()
	page := browser.MustPage(serveText(t, fmt.Sprintf(stormPage, lines))).MustWaitLoad()
	presses := 3
	for i := range presses {
		time.Sleep(time.Duration(max(1, seconds)) * time.Second / 3)
		page.Timeout(time.Minute).MustElement("button").MustClick()
		eventually(t, "the page answers", func() bool { return page.MustElement("button").MustText() == fmt.Sprintf("Pressed %d", i+1) })
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	if stop(); *most > 500<<20 {
		t.Errorf("%d MB in use", *most>>20)
	}
	t.Logf("%d MB in use at most", *most>>20)
	_, tr := loadTrace(t, out)
	clicks := 0
	for _, a := range tr.Actions {
		if a.Before.Method == "click" {
			clicks++
		}
	}
	if clicks != presses || len(tr.Snapshots) < presses {
		t.Errorf("%d clicks, %d snapshots", clicks, len(tr.Snapshots))
	}
	if lines > 1000 && !has(tr, "throttled") {
		t.Error("nothing says that lines were dropped")
	}
}
