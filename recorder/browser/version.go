package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// Version is what a browser says it is.
type Version struct {
	Product   string // such as Chrome, HeadlessChrome or Edg
	Number    string // such as 156.0.8078.79
	UserAgent string // "" unless the browser runs
	Revision  string // of its sources; "" unless the browser runs
}

// Major is the first part of the number, or 0.
func (v Version) Major() int {
	first, _, _ := strings.Cut(v.Number, ".")
	n, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return n
}

// String returns product and number as browsers write them: Chrome/156.0.8078.79.
func (v Version) String() string { return v.Product + "/" + v.Number }

var number = lazyregexp.New(`\d+\.\d+\.\d+(\.\d+)?`)

// VersionOf asks the program at path which version it is, without opening a
// browser.
func VersionOf(ctx context.Context, path string) (Version, error) {
	if runtime.GOOS == "windows" {
		return versionBeside(path)
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return Version{}, &Error{Code: "E_NO_BROWSER", Err: fmt.Errorf("asking %s for its version: %w", path, err), hint: "is it a Chromium?"}
	}
	return parseVersion(path, string(out))
}

// parseVersion reads what --version writes: "Chromium 156.0.8078.79 built on …".
func parseVersion(path, line string) (Version, error) {
	at := number.FindStringIndex(line)
	if at == nil {
		return Version{}, &Error{Code: "E_NO_BROWSER", Err: fmt.Errorf("%s: no version in its answer %.100q", path, line), hint: "is it a Chromium?"}
	}
	return Version{Product: strings.TrimSpace(line[:at[0]]), Number: line[at[0]:at[1]]}, nil
}

// versionBeside finds the version in the name of the folder that Chrome for
// Windows has beside its program, which does not answer to --version.
func versionBeside(path string) (Version, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return Version{}, err
	}
	for _, e := range entries {
		if e.IsDir() && number.FindString(e.Name()) == e.Name() {
			return Version{Product: strings.TrimSuffix(filepath.Base(path), ".exe"), Number: e.Name()}, nil
		}
	}
	return Version{}, fmt.Errorf("%s: no folder named by its version beside it", path)
}
