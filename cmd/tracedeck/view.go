package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/viewer"
)

type viewFlags struct {
	host       string
	port       int
	allow      []string
	single     bool
	noOpen     bool
	check      bool
	screenshot string
	theme      string
	size       string
	hash       string
	chrome     string
	runs       string
	contract   string
	budget     string
}

func viewCommand() *command {
	return &command{name: "view", args: "[TRACE… | FOLDER]", short: "serve traces on this machine and open them in the browser",
		long: `The address that is printed holds a token: whoever has it can see the traces.
The server listens on loopback unless --host says otherwise. Rows show while the
index is still being made; a folder that is being recorded into grows on screen.
Interrupt ends it.`,
		examples: []example{
			{"tracedeck view trace.zip", "open it"},
			{"tracedeck view", "the start page: drop a zip, or take up a recent one"},
			{"tracedeck view test-results/", "the traces in a folder, failed ones first, as they come"},
			{"tracedeck view passing.zip failing.zip", "compare two"},
			{"tracedeck view --runs ci-artifacts/ failing.zip", "and what differs from the last run that passed"},
			{"tracedeck view recording/", "watch a recording while it is made"},
			{"tracedeck view https://ci.example/trace.zip", "without downloading it"},
			{"tracedeck view --check --screenshot page.png trace.zip", "is it all there? in headless Chromium, for CI"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o viewFlags
			fs.StringVar(&o.host, "host", "127.0.0.1", "address to listen on")
			fs.IntVarP(&o.port, "port", "p", 0, "port of the page; recorded content is on the next one. 0 takes free ones")
			fs.StringSliceVar(&o.allow, "allow-host", nil, "names by which browsers may address the server, besides localhost")
			fs.BoolVar(&o.single, "single-port", false, "one port for page and content, for tunnels")
			fs.StringVar(&o.runs, "runs", "", "folder of earlier runs, among which the last one in which a test passed is found")
			fs.StringVar(&o.contract, "contract", "", "hold answers of the API against this file, which tracedeck contract learn makes")
			fs.StringVar(&o.budget, "budget", "", "hold the performance against this file, as tracedeck perf --budget does")
			fs.BoolVar(&o.noOpen, "no-open", false, "only print the address")
			fs.BoolVar(&o.check, "check", false, "open it in headless Chromium, see whether the actions show, and end")
			fs.StringVar(&o.screenshot, "screenshot", "", "with --check: save a picture of the page")
			fs.StringVar(&o.theme, "theme", "dark", "with --check: dark or light")
			fs.StringVar(&o.size, "size", "1440x900", "with --check: size of the window")
			fs.StringVar(&o.hash, "at", "", "with --check: what the address has behind #")
			fs.StringVar(&o.chrome, "browser", "", "with --check: Chromium to use; found on the PATH otherwise")
			return func(ctx context.Context, env *env, args []string) (int, error) { return view(ctx, env, o, args) }
		}}
}

func view(ctx context.Context, env *env, o viewFlags, args []string) (int, error) {
	if len(args) == 0 && o.check {
		return 0, usageError("which trace?")
	}
	options, err := o.options(args)
	if err != nil {
		return 0, err
	}
	s, err := viewer.New(ctx, options)
	if err != nil {
		options.Listener.Close()
		if options.ContentListener != nil {
			options.ContentListener.Close()
		}
		return 0, err
	}
	if ip := net.ParseIP(o.host); o.host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		env.warn("listening on %s: others on the network who have the address can see the traces", o.host)
	}
	if o.check {
		return checkView(ctx, env, o, s, args)
	}
	fmt.Fprintln(env.out, s.URL())
	env.report("Interrupt (Ctrl-C) ends it.")
	if !o.noOpen {
		openInBrowser(env, s.URL())
	}
	return exitOK, s.Serve(ctx)
}

func (o viewFlags) options(paths []string) (viewer.Options, error) {
	folder := ""
	if len(paths) == 1 && isFolderOfTraces(paths[0]) {
		folder, paths = paths[0], nil
	}
	if o.runs != "" {
		if folder != "" {
			return viewer.Options{}, usageError("--runs %s: the folder %s is one of runs already", o.runs, folder)
		}
		if info, err := os.Stat(o.runs); err != nil || !info.IsDir() {
			return viewer.Options{}, usageError("--runs %s: this is no folder", o.runs)
		}
		folder = o.runs
	}
	known, err := o.known()
	if err != nil {
		return viewer.Options{}, err
	}
	options := viewer.Options{Paths: paths, Folder: folder, Known: known, Recent: recentFile(), Compare: len(paths) == 2, AllowHosts: o.allow, Version: buildVersion()}
	if options.Listener, err = net.Listen("tcp", net.JoinHostPort(o.host, strconv.Itoa(o.port))); err != nil {
		return options, withHint(err, "choose another --port, or leave it out for a free one")
	}
	if o.single {
		return options, nil
	}
	content := 0
	if o.port > 0 {
		content = o.port + 1
	}
	options.ContentListener, err = net.Listen("tcp", net.JoinHostPort(o.host, strconv.Itoa(content)))
	if err != nil {
		options.Listener.Close()
		err = withHint(err, "the port after --port must be free too, or use --single-port")
	}
	return options, err
}

// known reads what sessions are held against.
func (o viewFlags) known() (k viewer.Known, err error) {
	if o.contract != "" {
		if k.Contract, err = readContract(o.contract, false); err != nil {
			return k, err
		}
	}
	k.Budget, err = readBudget(o.budget)
	return k, err
}

// isFolderOfTraces reports whether a folder holds traces rather than being one.
// An empty folder is one that somebody is about to record into.
func isFolderOfTraces(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() || viewer.IsRecording(path) {
		return false
	}
	entries, err := os.ReadDir(path)
	return err == nil && len(entries) > 0
}

// recentFile is where the viewer remembers which traces were opened.
func recentFile() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "tracedeck", "recent.json")
}

// openInBrowser starts the system's browser and does not wait for it.
func openInBrowser(env *env, url string) {
	var c *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		c = exec.Command("open", url)
	case "windows":
		c = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	default:
		if env.getenv("DISPLAY") == "" && env.getenv("WAYLAND_DISPLAY") == "" {
			return
		}
		c = exec.Command("xdg-open", url)
	}
	if err := c.Start(); err != nil {
		env.warn("the browser was not opened: %v", err)
		return
	}
	go func() { _ = c.Wait() }()
}

// checkView looks at the page as a person would: are the actions there?
func checkView(ctx context.Context, env *env, o viewFlags, s *viewer.Server, paths []string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	served := make(chan error, 1)
	serving, stop := context.WithCancel(ctx)
	go func() { served <- s.Serve(serving) }()
	shown, err := o.look(ctx, env, s.URL(), paths)
	stop()
	if serveErr := <-served; err == nil {
		err = serveErr
	}
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(env.out, "the page shows %s\n", plural(shown, "row"))
	if o.screenshot != "" {
		fmt.Fprintf(env.out, "screenshot: %s\n", o.screenshot)
	}
	return exitOK, nil
}

// look opens the page, waits for the actions' rows, and takes the picture.
func (o viewFlags) look(ctx context.Context, env *env, url string, paths []string) (int, error) {
	want, err := firstTitle(ctx, paths[0])
	if err != nil {
		return 0, err
	}
	env.progress.update("starting Chromium", -1)
	browser, stop, err := startChromium(ctx, o.chrome)
	if err != nil {
		return 0, err
	}
	defer stop()
	page, err := o.page(browser)
	if err != nil {
		return 0, err
	}
	if o.hash != "" {
		url += "&" + o.hash
	}
	if err := page.Navigate(url); err != nil {
		return 0, err
	}
	shown, err := waitForRows(ctx, page, want)
	if o.screenshot != "" {
		if shotErr := o.shoot(page); err == nil {
			err = shotErr
		}
	}
	return shown, err
}

// firstTitle returns the title of an action that the page must show.
func firstTitle(ctx context.Context, path string) (string, error) {
	a, err := trace.Open(ctx, path, trace.Options{})
	if err != nil {
		return "", err
	}
	defer a.Close()
	t, err := trace.Load(ctx, a, trace.LoadOptions{NoLogs: true, NoProtocol: true})
	if err != nil {
		return "", err
	}
	for _, act := range t.Tree() {
		if !hiddenByDefault(act) {
			return act.Title().Text, nil
		}
	}
	return "", nil
}

func (o viewFlags) page(browser *rod.Browser) (*rod.Page, error) {
	var width, height int
	if n, _ := fmt.Sscanf(o.size, "%dx%d", &width, &height); n != 2 || width < 100 || height < 100 {
		return nil, usageError("--size %q: such as 1440x900", o.size)
	}
	page, err := browser.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		return nil, err
	}
	err = page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: height, DeviceScaleFactor: 1})
	if err != nil {
		return nil, err
	}
	err = proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: o.theme}}}.Call(page)
	return page, err
}

// waitForRows waits until the tree of actions has a row with the title.
func waitForRows(ctx context.Context, page *rod.Page, want string) (int, error) {
	const script = `() => [...document.querySelectorAll('[role=treeitem], #steps [role=option]')].map(e => e.innerText)`
	for {
		res, err := page.Eval(script)
		if err == nil {
			rows := res.Value.Arr()
			for _, r := range rows {
				if strings.Contains(strings.ReplaceAll(r.Str(), "\n", " "), want) {
					return len(rows), nil
				}
			}
			if want == "" {
				return len(rows), nil
			}
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("the page does not show the action %q: %w", want, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// shoot saves a picture once the recorded page in the frame had time to draw.
func (o viewFlags) shoot(page *rod.Page) error {
	time.Sleep(1500 * time.Millisecond)
	png, err := page.Screenshot(false, &proto.PageCaptureScreenshot{Format: proto.PageCaptureScreenshotFormatPng})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(o.screenshot), 0o777); err != nil {
		return err
	}
	return os.WriteFile(o.screenshot, png, 0o644)
}
