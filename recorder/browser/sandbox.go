package browser

import (
	"os"
	"runtime"
	"strings"
)

// place is what matters of where this program runs.
type place struct {
	root      bool
	container bool
}

func here() place {
	return place{root: runtime.GOOS != "windows" && os.Geteuid() == 0, container: inContainer("/", os.Getenv)}
}

// sandbox decides whether the sandbox is on, and says why if it is off
// without having been asked for.
func (p place) sandbox(o Options) (on bool, warning string) {
	switch {
	case o.NoSandbox:
		return false, ""
	case p.root && p.container:
		return false, "Chromium runs without its sandbox, because this is root in a container; open only pages that you trust, or run as another user"
	}
	return true, ""
}

// inContainer reports whether the file system and environment look like a
// container's.
func inContainer(root string, env func(string) string) bool {
	for _, name := range []string{".dockerenv", "run/.containerenv"} {
		if _, err := os.Stat(root + name); err == nil {
			return true
		}
	}
	if env("container") != "" || env("KUBERNETES_SERVICE_HOST") != "" {
		return true
	}
	data, _ := os.ReadFile(root + "proc/1/cgroup")
	return contains(string(data), []string{"/docker", "/kubepods", "/lxc", "containerd", "/libpod", "/podman"})
}

// hasDisplay reports whether a window could be shown.
func hasDisplay(system string, env func(string) string, flags []string) bool {
	if system == "windows" || system == "darwin" || env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "" {
		return true
	}
	for _, f := range flags {
		if f := strings.TrimLeft(f, "-"); strings.HasPrefix(f, "ozone-platform=") || strings.HasPrefix(f, "headless") {
			return true
		}
	}
	return false
}
