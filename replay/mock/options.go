package mock

// Mode says where the answers to fetch and XHR come from.
type Mode string

// The modes of a router, and the policies of an origin.
const (
	Mock    Mode = "mock"    // from the recording
	Live    Mode = "live"    // from the server
	Blocked Mode = "blocked" // of an origin only: nothing reaches it
)

// OnMiss says what becomes of a request that the recording has no answer for.
type OnMiss string

// What can become of it.
const (
	Error OnMiss = "error" // it fails, and so did the session: E_ROUTE_MISS_MOCK
	Warn  OnMiss = "warn"  // it fails: W_ROUTE_MISS_MOCK
	Pass  OnMiss = "pass"  // the server answers, if it may be reached: W_ROUTE_MISS_PASSTHROUGH
)

// Options say how requests are answered. The zero value answers from the
// recording and fails what it does not hold.
type Options struct {
	Mode   Mode   // "" means Mock
	OnMiss OnMiss // "" means Error
	// Target is the address of the application under test. The origin that the
	// recording began at is taken to be there now.
	Target string
	// OriginMap says where else recorded origins are now:
	// "http://localhost:4000" → "http://api.test:4000".
	OriginMap map[string]string
	// Policies are the modes of single origins, recorded or mapped.
	Policies map[string]Mode
	// Allow are origins that requests may reach though the recording did not;
	// "*" is every one, and "https://*.example.com" those of a domain.
	Allow []string
	// Offline answers documents, scripts, styles, pictures and fonts from the
	// recording too, so that nothing is asked of a server.
	Offline bool
	// IgnoreParams are query parameters that do not matter, besides those that
	// are known to differ from run to run; "utm_*" is all that begin so.
	IgnoreParams []string
	// Templates are paths such as "/users/:id" of which one may be answered
	// with another's answer.
	Templates []string
	// MaxBody is how long a body may be, in bytes; 0 means 256 MiB.
	MaxBody int64
	// MaxMessages is how much of web sockets and event streams is played, in
	// bytes of data; 0 means 32 MiB.
	MaxMessages int64
}

func (o *Options) settle() {
	if o.Mode == "" {
		o.Mode = Mock
	}
	if o.OnMiss == "" {
		o.OnMiss = Error
	}
	if o.MaxBody <= 0 {
		o.MaxBody = 256 << 20
	}
	if o.MaxMessages <= 0 {
		o.MaxMessages = 32 << 20
	}
}
