package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/diff/visual"
)

// Config is .tracedeck/config.json.
type Config struct {
	Schema string `json:"$schema,omitempty"`
	// TargetURL is where the app under test is served.
	TargetURL string    `json:"targetUrl,omitempty"`
	Diff      Diff      `json:"diff,omitzero"`
	Replay    Replay    `json:"replay,omitzero"`
	Storage   Storage   `json:"storage,omitzero"`
	Report    Report    `json:"report,omitzero"`
	Retention Retention `json:"retention,omitzero"`
}

// Diff says what counts as a difference.
type Diff struct {
	Metric    string  `json:"metric,omitempty"`    // pixelmatch7, pixelmatch5 or oklab
	Threshold float64 `json:"threshold,omitempty"` // how far two colours may be apart, 0 to 1
	// MaxDiffPixels and MaxDiffPixelRatio are how much of a picture may differ; the smaller one that is set holds.
	MaxDiffPixels      *int       `json:"maxDiffPixels,omitempty"`
	MaxDiffPixelRatio  *float64   `json:"maxDiffPixelRatio,omitempty"`
	IgnoreAntialiasing *bool      `json:"ignoreAntialiasing,omitempty"`
	Allow              []string   `json:"allow,omitempty"` // classes that pass: anti-aliasing, moved
	Sizes              string     `json:"sizes,omitempty"` // what other sizes are: error or differ
	Masks              []run.Mask `json:"masks,omitempty"`
	MissingBaseline    run.Policy `json:"missingBaselinePolicy,omitempty"`  // warn or fail
	OtherRenderer      run.Policy `json:"rendererMismatchPolicy,omitempty"` // warn or fail
}

// Replay says how sessions are replayed.
type Replay struct {
	Mode                string            `json:"mode,omitempty"`               // mock or live
	Strategy            string            `json:"screenshotStrategy,omitempty"` // tiered, every or manual
	Seed                string            `json:"seed,omitempty"`
	Viewport            string            `json:"viewport,omitempty"` // WIDTHxHEIGHT in CSS pixels; as recorded if empty
	Concurrency         int               `json:"concurrency,omitempty"`
	SessionTimeoutMs    int               `json:"sessionTimeoutMs,omitempty"`
	NavigationTimeoutMs int               `json:"navigationTimeoutMs,omitempty"`
	Confirm             *bool             `json:"confirm,omitempty"` // whether what differs is replayed twice more
	OriginMap           map[string]string `json:"originMap,omitempty"`
	AllowedOrigins      []string          `json:"allowedOrigins,omitempty"`
	OriginPolicies      map[string]string `json:"originPolicies,omitempty"` // mock, live or blocked
	Misses              string            `json:"missPolicy,omitempty"`     // error, warn or pass
	IgnoreParams        []string          `json:"ignoreParams,omitempty"`   // of addresses, that differ from run to run
	PathTemplates       []string          `json:"pathTemplates,omitempty"`  // such as /users/:id
	// Context is a file of what the traces do not say of the browser context;
	// relative to the folder that holds .tracedeck.
	Context string `json:"context,omitempty"`
	// Values are written where the recordings masked what was typed, by the
	// field's selector, its locator, or the call id. "$NAME" stands for a
	// variable of the environment.
	Values map[string]string `json:"values,omitempty"`
	// Files are uploaded in place of those of a name, of which recordings hold
	// no more; relative to the folder that holds .tracedeck.
	Files map[string]string `json:"files,omitempty"`
}

// Storage says where approved pictures are kept for the team.
type Storage struct {
	Remote Remote `json:"remote,omitzero"`
}

// Remote is one place for blobs.
type Remote struct {
	Type string `json:"type,omitempty"` // folder, s3 or git
	// Path is the folder; relative to the one that holds .tracedeck.
	Path string `json:"path,omitempty"`
	// Bucket, Region, Endpoint and Prefix are for s3.
	Bucket   string `json:"bucket,omitempty"`
	Region   string `json:"region,omitempty"`
	Endpoint string `json:"endpoint,omitempty"` // https://host, or http://host:port
	Prefix   string `json:"prefix,omitempty"`
	// Repository is for git: an address, or "origin" as this repository knows it; Branch holds nothing but blobs.
	Repository string `json:"repository,omitempty"`
	Branch     string `json:"branch,omitempty"`
}

// Report says how runs are reported.
type Report struct {
	// InlineLimit is up to how many pictures the report is one file: 30 if it is 0.
	InlineLimit int `json:"inlineLimit,omitempty"`
}

// Retention is for how long prune keeps what is not needed any more.
type Retention struct {
	RunDays     int `json:"runDays,omitempty"`     // 7 if it is 0
	SessionDays int `json:"sessionDays,omitempty"` // for ever if it is 0
}

func firstConfig(target string) string {
	var c struct {
		TargetURL string `json:"targetUrl"`
		Diff      struct {
			Threshold float64 `json:"threshold"`
			// A machine without the approved pictures must not pass for it.
			MissingBaseline run.Policy `json:"missingBaselinePolicy"`
		} `json:"diff"`
	}
	c.TargetURL, c.Diff.Threshold, c.Diff.MissingBaseline = target, visual.DefaultOptions().Threshold, run.Fail
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		panic(err) // a struct of texts and numbers
	}
	return string(text) + "\n"
}

// A ConfigError says what is wrong with the configuration.
type ConfigError struct {
	Path, Text, Next string
	Kind             string
}

func (e *ConfigError) Error() string { return e.Path + ": " + e.Text }

// Code is E_CFG_PARSE or E_CFG_SCHEMA.
func (e *ConfigError) Code() string { return e.Kind }

// Hint says what to do next.
func (e *ConfigError) Hint() string { return e.Next }

// LoadConfig reads the configuration at path. A file that is not there is one
// in which nothing is set.
func LoadConfig(path string) (Config, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, nil
	}
	if err != nil {
		return Config{}, err
	}
	return ParseConfig(path, data)
}

// ParseConfig reads a configuration. Members that it does not know are an
// error, which names the nearest one that it does.
func ParseConfig(path string, data []byte) (Config, error) {
	var c Config
	var any any
	if err := json.Unmarshal(data, &any); err != nil {
		return c, &ConfigError{Path: path, Text: "is not JSON: " + err.Error() + lineOf(data, err), Kind: "E_CFG_PARSE", Next: "mend the line"}
	}
	if fault := unknown(any, reflect.TypeOf(c), ""); fault != nil {
		fault.Path = path
		return c, fault
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&c); err != nil {
		return c, &ConfigError{Path: path, Text: plainType(err), Kind: "E_CFG_SCHEMA", Next: "tracedeck schema config prints what the file may hold"}
	}
	if err := c.validate(); err != nil {
		return c, &ConfigError{Path: path, Text: err.Error(), Kind: "E_CFG_SCHEMA", Next: "tracedeck schema config prints what the file may hold"}
	}
	return c, nil
}

func lineOf(data []byte, err error) string {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return ""
	}
	return fmt.Sprintf(" (line %d)", 1+bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n")))
}

// plainType says which member has a value of the wrong kind.
func plainType(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Sprintf("%s: %s is given, where %s is expected", kind.Field, jsonKind(kind.Value), kindOf(kind.Type))
	}
	return err.Error()
}

// jsonKind is a kind of value, as JSON's decoder calls it, with its article.
func jsonKind(value string) string {
	word, rest, _ := strings.Cut(value, " ") // "number 0.5" gives the number too
	if word == "bool" {
		return "true or false"
	}
	article := "a "
	if word == "array" || word == "object" {
		article = "an "
	}
	return strings.TrimSpace(article + word + " " + rest)
}

func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

// unknown finds a member that t has no field for.
func unknown(v any, t reflect.Type, place string) *ConfigError {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch v := v.(type) {
	case map[string]any:
		if t.Kind() != reflect.Struct {
			return nil
		}
		fields := fieldsOf(t)
		for name, inner := range v {
			f, ok := fields[name]
			if !ok {
				return &ConfigError{Text: fmt.Sprintf("%q is not known", place+name), Kind: "E_CFG_SCHEMA", Next: near(name, fields)}
			}
			if fault := unknown(inner, f, place+name+"."); fault != nil {
				return fault
			}
		}
	case []any:
		if t.Kind() == reflect.Slice {
			for i, inner := range v {
				if fault := unknown(inner, t.Elem(), fmt.Sprintf("%s%d.", place, i)); fault != nil {
					return fault
				}
			}
		}
	}
	return nil
}

func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.IsExported() && name != "" && name != "-" {
			fields[name] = f.Type
		}
	}
	return fields
}

// Nearest finds the word that is the fewest edits away. The program sets it.
var Nearest = func(string, []string) string { return "" }

func near(name string, fields map[string]reflect.Type) string {
	var names []string
	for n := range fields {
		names = append(names, n)
	}
	slices.Sort(names)
	if n := Nearest(name, names); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	return "known here are " + strings.Join(names, ", ")
}

// oneOf says that a member has one of a few values.
func oneOf(name, value string, values ...string) error {
	if value == "" || slices.Contains(values, value) {
		return nil
	}
	return fmt.Errorf("%s is %q: it is one of %s", name, value, strings.Join(values, ", "))
}

func (c *Config) validate() error {
	o := c.VisualOptions()
	var masks []error
	for i, m := range c.Diff.Masks {
		if (m.Rect == nil) == (m.Selector == "") {
			masks = append(masks, fmt.Errorf("diff.masks.%d has either a rect or a selector", i))
		}
	}
	for origin, mode := range c.Replay.OriginPolicies {
		masks = append(masks, oneOf("replay.originPolicies."+origin, mode, "mock", "live", "blocked"))
	}
	return errors.Join(append(masks,
		o.Validate(),
		oneOf("diff.sizes", c.Diff.Sizes, "error", "differ"),
		oneOf("diff.missingBaselinePolicy", string(c.Diff.MissingBaseline), "warn", "fail"),
		oneOf("diff.rendererMismatchPolicy", string(c.Diff.OtherRenderer), "warn", "fail"),
		oneOf("replay.mode", c.Replay.Mode, "mock", "live"),
		oneOf("replay.screenshotStrategy", c.Replay.Strategy, "tiered", "every", "manual"),
		oneOf("replay.missPolicy", c.Replay.Misses, "error", "warn", "pass"),
		oneOf("storage.remote.type", c.Storage.Remote.Type, "folder", "s3", "git"),
	)...)
}

// VisualOptions are the options of the comparison that the configuration says.
func (c *Config) VisualOptions() visual.Options {
	o := visual.DefaultOptions()
	if c.Diff.Metric != "" {
		o.Metric = visual.Metric(c.Diff.Metric)
	}
	if c.Diff.Threshold != 0 {
		o.Threshold = c.Diff.Threshold
	}
	if c.Diff.MaxDiffPixels != nil {
		o.MaxPixels = *c.Diff.MaxDiffPixels
	}
	if c.Diff.MaxDiffPixelRatio != nil {
		o.MaxRatio = *c.Diff.MaxDiffPixelRatio
	}
	if c.Diff.IgnoreAntialiasing != nil {
		o.IncludeAA = !*c.Diff.IgnoreAntialiasing
	}
	for _, class := range c.Diff.Allow {
		o.Allow = append(o.Allow, visual.Class(class))
	}
	if c.Diff.Sizes == "differ" {
		o.Sizes = visual.SizesDiffer
	}
	return o
}

// CompareOptions are the options of comparing with baselines.
func (c *Config) CompareOptions() run.Options {
	return run.Options{Visual: c.VisualOptions(), Masks: c.Diff.Masks, MissingBaseline: c.Diff.MissingBaseline, OtherRenderer: c.Diff.OtherRenderer}
}
