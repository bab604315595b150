package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/go-rod/rod/lib/launcher"
)

// Env is the environment variable that names the Chromium to use.
const Env = "TRACEDECK_BROWSER"

// names are looked for on the PATH, in this order: Chromium itself before
// what is built from it.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "google-chrome-beta",
	"google-chrome-unstable", "microsoft-edge", "microsoft-edge-stable", "msedge", "brave-browser", "chromium-headless-shell", "chrome-headless-shell"}

// Find returns the path of the Chromium to use: path if it is not "", else
// what $TRACEDECK_BROWSER names, else what the PATH holds, else what lies where
// installers put it, else what [Install] downloaded before. Where nothing is,
// the error's cause is [ErrNotFound].
func Find(path string) (string, error) {
	if path != "" {
		return named(path, "")
	}
	if path := os.Getenv(Env); path != "" {
		return named(path, "$"+Env+": ")
	}
	for _, name := range names {
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	for _, p := range places(runtime.GOOS, os.Getenv) {
		if isProgram(p) {
			return p, nil
		}
	}
	if p := launcher.NewBrowser().BinPath(); isProgram(p) {
		return p, nil
	}
	return "", notFound(ErrNotFound)
}

// named finds a program that somebody asked for by path or name.
func named(path, from string) (string, error) {
	p, err := exec.LookPath(path)
	if err != nil {
		return "", notFound(fmt.Errorf("%s%q: %w: %w", from, path, ErrNotFound, err))
	}
	return p, nil
}

// places are where installers put browsers on an operating system.
func places(system string, env func(string) string) []string {
	switch system {
	case "darwin":
		return macPlaces(env("HOME"))
	case "windows":
		return windowsPlaces(env)
	}
	return []string{"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/lib/chromium/chromium", "/usr/lib/chromium-browser/chromium-browser",
		"/snap/bin/chromium", "/opt/google/chrome/chrome", "/opt/google/chrome/google-chrome", "/opt/microsoft/msedge/msedge",
		"/var/lib/flatpak/exports/bin/org.chromium.Chromium", "/run/current-system/sw/bin/chromium", "/usr/local/bin/chrome"}
}

func macPlaces(home string) []string {
	var list []string
	for _, app := range []string{"Chromium", "Google Chrome", "Google Chrome for Testing", "Google Chrome Canary", "Microsoft Edge", "Brave Browser"} {
		inside := filepath.Join("Applications", app+".app", "Contents", "MacOS", app)
		list = append(list, "/"+inside, filepath.Join(home, inside))
	}
	return append(list, "/opt/homebrew/bin/chromium", "/usr/local/bin/chromium")
}

func windowsPlaces(env func(string) string) []string {
	var list []string
	for _, program := range []string{`Chromium\Application\chrome.exe`, `Google\Chrome\Application\chrome.exe`, `Microsoft\Edge\Application\msedge.exe`, `BraveSoftware\Brave-Browser\Application\brave.exe`} {
		for _, root := range []string{"LocalAppData", "ProgramFiles", "ProgramFiles(x86)"} {
			if dir := env(root); dir != "" {
				list = append(list, dir+`\`+program)
			}
		}
	}
	return list
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}
