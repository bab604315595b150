package viewer

import (
	"net"

	"github.com/tracedeck/tracedeck/trace/contract"
	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/trace/perf"
)

// Options say what is served, and where.
type Options struct {
	// Listener is for the page, ContentListener for what was recorded; two
	// ports are two origins. The server closes both. Without a
	// ContentListener one port serves both: recorded pages are kept apart by
	// their headers alone then.
	Listener, ContentListener net.Listener
	// Paths are zips, folders and http(s) addresses of traces. Without any the
	// page begins with the start page.
	Paths []string
	// Folder is watched for traces, which the start page lists, and among which
	// the last passing run of a test is looked for; "" for none.
	Folder string
	// Recent is the file that remembers which traces were opened; "" remembers
	// them until the server ends.
	Recent string
	// Known is what the sessions are held against.
	Known Known
	// Compare shows the first two of them side by side.
	Compare bool
	// AllowHosts are names, beyond those of the loopback, by which browsers
	// may address the server. Each is a host without a port.
	AllowHosts []string
	// Token is what a page must know to be let in; "" means a random one.
	Token string
	// Index says how indexes are made and kept.
	Index index.Options
	// Version is the program's, shown in the page.
	Version string
}

// Known is what is known of the program under test: a session is held against
// it.
type Known struct {
	// Contract is what its API answers; nil holds a session against what it
	// began with. It is only read.
	Contract *contract.Contract
	// Budget is the most that each metric of performance may be; nil is none.
	Budget perf.Budget
}
