package replay

import (
	"net/url"
	"os"
	"path"
	"strings"
)

// place maps the folder of a page of files, and the page itself, to where the
// app under test is now. Origins cannot: all files have the same one, or none.
type place struct {
	page, folder       string // as recorded, addresses
	pageNow, folderNow string
}

// placeOf is the place of a recorded file that is at another address now.
func placeOf(then, now *url.URL) *place {
	p := &place{page: bare(then), folder: folderOf(then), pageNow: bare(now), folderNow: folderOf(now)}
	if p.pageNow == p.folderNow { // a folder was given: the page is in it
		p.pageNow = strings.Replace(p.page, p.folder, p.folderNow, 1)
	}
	return p
}

// swap returns where a recorded file is now.
func (p *place) swap(u *url.URL) (string, bool) {
	if p == nil || !isFile(u) {
		return "", false
	}
	tail := ""
	if u.RawQuery != "" {
		tail += "?" + u.RawQuery
	}
	if u.Fragment != "" {
		tail += "#" + u.EscapedFragment()
	}
	at := bare(u)
	if at == p.page {
		return p.pageNow + tail, true
	}
	if rest, ok := strings.CutPrefix(at, p.folder); ok {
		return p.folderNow + rest + tail, true
	}
	return "", false
}

func isFile(u *url.URL) bool { return strings.EqualFold(u.Scheme, "file") && u.Path != "" }

// bare is an address without query and fragment.
func bare(u *url.URL) string {
	c := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	if isFile(u) {
		c.Path, c.RawPath = path.Clean(u.Path), ""
		if folder(u) && c.Path != "/" {
			c.Path += "/"
		}
	}
	if c.Path == "" {
		c.Path = "/"
	}
	return c.String()
}

// folderOf is the address of the folder that something is in, with its slash;
// of a folder, it is its own.
func folderOf(u *url.URL) string {
	at := bare(u)
	return at[:strings.LastIndexByte(at, '/')+1]
}

// folder reports whether a file address names a folder: by its slash, or
// because there is one on this machine.
func folder(u *url.URL) bool {
	if strings.HasSuffix(u.Path, "/") {
		return true
	}
	info, err := os.Stat(u.Path)
	return err == nil && info.IsDir()
}

// target is the address of the app under test; of files, that of the page.
func (r *run) target() string {
	if r.moved != nil {
		return r.moved.pageNow
	}
	return r.o.URL
}
