package cdp

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// takeFile records the bytes of a file: address, which browsers do not hand
// over: from the disk, if the browser is on this machine and the file is the
// one that it read, by its size and the time at which it was changed.
func (r *Recorder) takeFile(h *hop) bool {
	if !strings.HasPrefix(h.sentInfo.URL, "file:") || h.bytes == 0 || !r.conn.local() {
		return false
	}
	name := fileName(h.sentInfo.URL)
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != h.bytes {
		return false
	}
	changed, err := http.ParseTime(headerValue(h.response.Headers, "Last-Modified"))
	if err != nil || !info.ModTime().Truncate(time.Second).Equal(changed) {
		return false
	}
	data, err := os.ReadFile(name)
	if err != nil || int64(len(data)) != h.bytes {
		return false
	}
	h.body = r.keep(data, extensionOf(h.response.MimeType))
	return true
}

func fileName(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host != "" {
		return ""
	}
	if runtime.GOOS == "windows" {
		return filepath.FromSlash(strings.TrimPrefix(u.Path, "/"))
	}
	return u.Path
}

// local reports whether the browser is on this machine.
func (c *Conn) local() bool {
	at, ok := c.ws.RemoteAddr().(*net.TCPAddr)
	return ok && at.IP.IsLoopback()
}
