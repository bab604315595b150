package contract_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/contract"
	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/tracetest"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

var ctx = context.Background()

// answer is a call as tests write it: "GET /users/1 200" and the body.
type answer struct{ call, body, sent string }

func archive(t testing.TB, answers ...answer) *trace.Archive {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.zip")
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	must(t, err)
	c, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium"})
	must(t, err)
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, a := range answers {
		f := strings.Fields(a.call)
		var status int
		fmt.Sscan(f[2], &status)
		e := har.Entry{ResourceType: "fetch", StartedDateTime: start.Add(time.Duration(i) * time.Second).Format(time.RFC3339Nano), Time: 5,
			Request: har.Request{Method: f[0], URL: "https://api.example.org" + f[1]}, Response: har.Response{Status: status, Content: har.Content{MimeType: "application/json; charset=utf-8", Size: len(a.body)}}}
		if a.sent != "" {
			e.Request.PostData = &har.PostData{MimeType: "application/json", Text: a.sent}
		}
		if a.body != "" {
			e.Response.Content.File, err = w.AddResource([]byte(a.body), ".json")
			must(t, err)
		}
		must(t, c.Write(&trace.ResourceSnapshot{Entry: e}))
	}
	must(t, w.Close())
	return tracetest.Open(t, path)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func times(n int, call, body string) (list []answer) {
	for range n {
		list = append(list, answer{call: call, body: body})
	}
	return list
}

func within(t testing.TB, answers ...answer) *contract.Result {
	t.Helper()
	r, err := (*contract.Contract)(nil).Check(ctx, archive(t, answers...), contract.Options{})
	must(t, err)
	return r
}

func learnt(t testing.TB, answers ...answer) *contract.Contract {
	t.Helper()
	c := &contract.Contract{}
	_, err := c.Learn(ctx, archive(t, answers...), contract.Options{})
	must(t, err)
	return c
}

func changes(r *contract.Result) (list []string) {
	for _, v := range r.Violations {
		list = append(list, fmt.Sprintf("%s %s %s", v.Severity, v.Type, v.Pointer))
	}
	slices.Sort(list)
	return list
}

const user = `{"id":1,"name":"Jane","mail":"j@x.org","tags":["a"],"address":{"city":"B","zip":"1"},"items":[{"price":1.5,"n":1}],"note":null}`

// Each drift of a known sort is that violation and no other, wherever it is.
func TestDrift(t *testing.T) {
	for name, c := range map[string]struct {
		from, to, want string
	}{
		"the same":             {"", "", ""},
		"whole number":         {`1.5`, `2`, ""},
		"missing":              {`"mail":"j@x.org",`, ``, "warning shape_change /mail"},
		"missing deeper":       {`,"zip":"1"`, ``, "warning shape_change /address/zip"},
		"missing in a list":    {`,"n":1`, ``, "warning shape_change /items/*/n"},
		"type":                 {`"id":1`, `"id":"1"`, "warning type_change /id"},
		"object to text":       {`{"city":"B","zip":"1"}`, `"B"`, "warning type_change /address"},
		"null":                 {`"name":"Jane"`, `"name":null`, "info null_field /name"},
		"null before":          {`"note":null`, `"note":"hello"`, ""},
		"new":                  {`{"id"`, `{"age":7,"id"`, "info new_field /age"},
		"list of other things": {`["a"]`, `[{"x":1}]`, "warning array_shape_change /tags/*"},
		"empty list":           {`["a"]`, `[]`, ""},
		"longer list":          {`["a"]`, `["a","b"]`, ""},
		"list itself":          {user, `[` + user + `]`, "warning type_change "},
	} {
		changed := strings.Replace(user, c.from, c.to, 1)
		r := within(t, append(times(3, "GET /users/1 200", user), answer{call: "GET /users/2 200", body: changed})...)
		if got := strings.Join(changes(r), ", "); got != strings.TrimRight(c.want, "") {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

func TestOptionalFieldsMayBeMissing(t *testing.T) {
	r := within(t, answer{call: "GET /a 200", body: `{"a":1,"b":1}`}, answer{call: "GET /a 200", body: `{"a":1}`}, answer{call: "GET /a 200", body: `{"a":1,"b":1}`}, answer{call: "GET /a 200", body: `{"a":1}`})
	if len(r.Violations) != 0 {
		t.Errorf("%+v", r.Violations)
	}
}

func TestThreeAnswersAreLearntFrom(t *testing.T) {
	r := within(t, append(times(2, "GET /a 200", `{"a":1}`), answer{call: "GET /a 200", body: `{"b":1}`})...)
	if len(r.Violations) != 0 || !r.Endpoints[0].Established {
		t.Errorf("%+v", r)
	}
	few := within(t, times(2, "GET /a 200", `{"a":1}`)...)
	if few.Endpoints[0].Established || len(few.Hints) == 0 {
		t.Errorf("%+v", few)
	}
	// A value that changes its kind while learning makes it take longer.
	mixed := within(t, answer{call: "GET /a 200", body: `{"a":1}`}, answer{call: "GET /a 200", body: `{"a":"x"}`}, answer{call: "GET /a 200", body: `{"a":1}`})
	if mixed.Endpoints[0].Established {
		t.Error("three answers of which one changed a kind are enough")
	}
}

func TestErrorsNeverTeach(t *testing.T) {
	r := within(t, append(append(times(3, "GET /a 200", `{"a":1}`), times(2, "GET /a 500", `{"error":"x"}`)...), answer{call: "GET /a 200", body: `{"a":1}`})...)
	if got := changes(r); !slices.Equal(got, []string{"critical error_spike "}) {
		t.Errorf("%v", got)
	}
}

func TestErrorSpike(t *testing.T) {
	good := func(call string) []answer { return times(2, call, `{"a":1}`) }
	bad := func(n int, call string) []answer {
		return times(n, call, `{"error":{"message":"no user 4711 jane@x.org"},"code":1}`)
	}
	for name, c := range map[string]struct {
		answers []answer
		want    string
	}{
		"server":       {append(good("GET /a 200"), bad(2, "GET /a 500")...), "critical"},
		"client":       {append(good("GET /a 200"), bad(2, "GET /a 403")...), "warning"},
		"one error":    {append(good("GET /a 200"), bad(1, "GET /a 500")...), ""},
		"one answer":   {append(times(1, "GET /a 200", "{}"), bad(2, "GET /a 500")...), ""},
		"not found":    {append(good("GET /a/1 200"), bad(2, "GET /a/2 404")...), ""},
		"after logout": {append(append(good("GET /a 200"), answer{call: "POST /logout 200", body: "{}"}), bad(2, "GET /a 401")...), ""},
		"session lost": {append(good("GET /a 200"), bad(2, "GET /a 401")...), "warning"},
	} {
		r := within(t, c.answers...)
		if string(r.Worst()) != c.want {
			t.Errorf("%s: %+v", name, r.Violations)
			continue
		}
		if c.want == "" {
			continue
		}
		v := r.Violations[0]
		if v.LastError == nil || v.LastError.Message != "no user *** ***" || !slices.Equal(v.LastError.Keys, []string{"code", "error"}) || len(v.History) != 4 {
			t.Errorf("%s: %+v %+v", name, v, v.LastError)
		}
	}
}

func TestConsistencyIsAFraction(t *testing.T) {
	answers := append(times(3, "GET /a 200", `{"a":1,"b":2}`), append(times(8, "GET /a 200", `{"a":1,"b":2}`), times(2, "GET /a 200", `{"a":1}`)...)...)
	r := within(t, answers...)
	if e := r.Endpoints[0]; e.Consistency != "8/10 (80 %)" || r.Violations[0].Count != 2 || r.Violations[0].Of != 10 {
		t.Errorf("%+v %+v", e, r.Violations)
	}
	if v := r.Violations[0]; v.FirstSeen == "" || v.LastSeen <= v.FirstSeen {
		t.Errorf("%+v", v)
	}
}

func TestAcrossTraces(t *testing.T) {
	c := learnt(t, times(3, "GET /users/1 200", user)...)
	var file bytes.Buffer
	must(t, c.Write(&file))
	text := file.String()
	if strings.Contains(text, "Jane") || strings.Contains(text, "j@x.org") {
		t.Errorf("values are kept: %s", text)
	}
	back, err := contract.Read(&file)
	must(t, err)
	bad := archive(t, answer{call: "GET /users/77 200", body: strings.Replace(user, `"id":1,`, "", 1)}, answer{call: "GET /other 200", body: "{}"})
	r, err := back.Check(ctx, bad, contract.Options{})
	must(t, err)
	if got := changes(r); !slices.Equal(got, []string{"warning shape_change /id"}) {
		t.Errorf("%v", got)
	}
	if len(r.Endpoints) != 2 || !r.Endpoints[0].New || r.Endpoints[1].New {
		t.Errorf("%+v", r.Endpoints)
	}
	var again bytes.Buffer
	must(t, back.Write(&again))
	if again.String() != text {
		t.Error("a check changed the contract")
	}
	if n := back.Clear(template.Filter{}); n != 1 || len(back.Endpoints) != 0 {
		t.Errorf("cleared %d", n)
	}
}

func TestChangeForGoodIsAccepted(t *testing.T) {
	c := learnt(t, times(3, "GET /a 200", `{"a":1}`)...)
	two := archive(t, times(2, "GET /a 200", `{"a":"x"}`)...)
	if r, _ := c.Check(ctx, two, contract.Options{}); len(r.Rebaseline) != 0 {
		t.Errorf("%+v", r.Rebaseline)
	}
	three := archive(t, times(3, "GET /a 200", `{"a":"x"}`)...)
	r, err := c.Check(ctx, three, contract.Options{})
	must(t, err)
	if len(r.Rebaseline) != 1 || r.Rebaseline[0].Answers != 3 {
		t.Fatalf("%+v", r)
	}
	names, err := c.Accept(ctx, three, contract.Options{}, template.Filter{})
	must(t, err)
	if !slices.Equal(names, []string{"GET api.example.org/a"}) {
		t.Errorf("%v", names)
	}
	if r, _ := c.Check(ctx, three, contract.Options{}); len(r.Violations) != 0 {
		t.Errorf("%+v", r.Violations)
	}
}

func TestGraphQLOperationsAreEndpoints(t *testing.T) {
	ask := func(name, body string) answer {
		return answer{"POST /graphql 200", body, `{"operationName":"` + name + `","query":"query ` + name + ` { a }"}`}
	}
	r := within(t, ask("A", `{"data":{"a":1}}`), ask("B", `{"data":{"b":"x"}}`), ask("A", `{"data":{"a":1}}`), ask("B", `{"data":{"b":"x"}}`), ask("A", `{"data":{"a":1}}`),
		ask("A", `{"errors":[{"message":"no"}]}`), ask("A", `{"errors":[{"message":"no"}]}`))
	if len(r.Endpoints) != 2 || !strings.Contains(r.Endpoints[0].Name, "[A]") || r.Worst() != verdict.Warning || r.Violations[0].Type != contract.ErrorSpike {
		t.Errorf("%+v", r)
	}
}

func TestPathsWithManyValuesAreOneEndpoint(t *testing.T) {
	var answers []answer
	for i := range 12 {
		answers = append(answers, answer{call: "GET /products/" + strings.Repeat("p", i+1) + " 200", body: `{"price":1}`})
	}
	c := learnt(t, answers...)
	if len(c.Endpoints) != 1 || c.Endpoints[0].Path != "/products/:product" {
		t.Fatalf("%+v", c.Endpoints)
	}
	r, err := c.Check(ctx, archive(t, answer{call: "GET /products/lamp 200", body: `{"price":"1"}`}), contract.Options{})
	must(t, err)
	if got := changes(r); !slices.Equal(got, []string{"warning type_change /price"}) {
		t.Errorf("%v", got)
	}
}

func TestUnreadableAnswersAreCounted(t *testing.T) {
	r := within(t, answer{call: "GET /a 200", body: `{"a":`}, answer{call: "GET /b 204"}, answer{call: "GET /c 200", body: "\x00\x01"})
	if got := r.Endpoints[0].Unparsable[contract.Invalid]; got != 1 || len(r.Endpoints[1].Unparsable) != 0 || len(r.Hints) < 2 {
		t.Errorf("%+v %v", r.Endpoints, r.Hints)
	}
}

func TestObjectsOfIDsAreMaps(t *testing.T) {
	r := within(t, append(times(3, "GET /a 200", `{"1001":{"n":1},"1002":{"n":2}}`), answer{call: "GET /a 200", body: `{"2001":{"n":"x"}}`})...)
	if got := changes(r); !slices.Equal(got, []string{"warning type_change /:id/n"}) {
		t.Errorf("%v", got)
	}
}

func TestDepthIsALimit(t *testing.T) {
	deep := func(v string) string { return `{"a":{"b":{"c":{"d":` + v + `}}}}` }
	answers := append(times(3, "GET /a 200", deep("1")), answer{call: "GET /a 200", body: deep(`"x"`)})
	if r := within(t, answers...); len(r.Violations) != 0 {
		t.Errorf("%+v", r.Violations)
	}
	r, err := (*contract.Contract)(nil).Check(ctx, archive(t, answers...), contract.Options{Depth: 4})
	must(t, err)
	if got := changes(r); !slices.Equal(got, []string{"warning type_change /a/b/c/d"}) {
		t.Errorf("%v", got)
	}
}

// Every schema that is exported takes what it was learnt from and refuses what
// lacks a field or has another kind.
func TestExportedSchemas(t *testing.T) {
	samples := []string{user, strings.Replace(user, `"mail":"j@x.org",`, "", 1), strings.Replace(user, `["a"]`, "[]", 1), strings.Replace(user, `null`, `"x"`, 1)}
	var answers []answer
	for _, s := range samples {
		answers = append(answers, answer{call: "GET /users/1 200", body: s})
	}
	c := learnt(t, answers...)
	doc := c.JSONSchema()
	if doc["$schema"] != contract.Dialect {
		t.Errorf("%v", doc["$schema"])
	}
	s := compile(t, doc["$defs"].(map[string]any)["GET api.example.org/users/:id"])
	for _, text := range samples {
		must(t, s.Validate(value(t, text)))
	}
	for _, wrong := range []string{`{}`, strings.Replace(user, `"id":1`, `"id":"1"`, 1), strings.Replace(user, `{"city":"B","zip":"1"}`, `[]`, 1), strings.Replace(user, `"price":1.5`, `"price":"x"`, 1)} {
		if s.Validate(value(t, wrong)) == nil {
			t.Errorf("passes: %s", wrong)
		}
	}
}

func compile(t *testing.T, schema any) *jsonschema.Schema {
	t.Helper()
	b, err := json.Marshal(schema)
	must(t, err)
	c := jsonschema.NewCompiler()
	must(t, c.AddResource("s.json", value(t, string(b))))
	s, err := c.Compile("s.json")
	must(t, err)
	return s
}

func value(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	must(t, err)
	return v
}

// What is exported as OpenAPI is what the same trace is checked against.
func TestOpenAPIOfATraceFitsIt(t *testing.T) {
	answers := append(times(3, "GET /users/1 200", user), answer{call: "POST /users 201", body: user}, answer{call: "GET /users/2/orders/3 404", body: `{"error":"x"}`},
		answer{"POST /graphql 200", `{"data":{"a":1}}`, `{"query":"query A{a}"}`}, answer{"POST /graphql 200", `{"data":{"b":"x"}}`, `{"query":"query B{b}"}`})
	doc := learnt(t, answers...).OpenAPI("t")
	b, err := json.Marshal(doc)
	must(t, err)
	if doc["openapi"] != "3.1.0" || !strings.Contains(string(b), `"/users/{id}/orders/{id2}"`) {
		t.Errorf("%s", b)
	}
	api, err := contract.ParseOpenAPI(bytes.NewReader(b))
	must(t, err)
	r, err := api.Check(ctx, archive(t, answers...), contract.Options{})
	must(t, err)
	if len(r.Violations) != 0 {
		t.Errorf("%+v", r.Violations)
	}
	r, err = api.Check(ctx, archive(t, answer{call: "GET /users/9 200", body: `{"id":1}`}, answer{call: "GET /users/9 418"}, answer{call: "DELETE /users/9 200", body: "{}"}), contract.Options{})
	must(t, err)
	if got := changes(r); !slices.Equal(got, []string{"info undocumented ", "warning schema ", "warning undocumented "}) {
		t.Errorf("%v", got)
	}
}

// A list that breaks its schema in each element is one answer; what two answers
// lack is two violations; an answer that fits too many schemas is hardly to blame.
func TestOpenAPIViolationsCountAnswers(t *testing.T) {
	api, err := contract.ParseOpenAPI(strings.NewReader(`
openapi: 3.1.0
info: {title: x, version: "1"}
servers: [{url: https://api.example.org}]
paths:
  /pets:
    get:
      responses:
        default: {description: all, content: {application/json: {schema: {type: array, items: {type: object, required: [id, name], additionalProperties: false,
          properties: {id: {oneOf: [{type: integer}, {type: number}]}, name: {}}}}}}}
`))
	must(t, err)
	r, err := api.Check(ctx, archive(t, answer{call: "GET /pets 200", body: `[{"id":"a"},{"id":"b"}]`}, answer{call: "GET /pets 200", body: `[{"name":"c"},{"id":1,"name":"d","x":2}]`}), contract.Options{})
	must(t, err)
	said := map[string]string{}
	for _, v := range r.Violations {
		said[v.Description] = fmt.Sprint(v.Severity, " ", v.Count, " of ", v.Of)
	}
	for text, want := range map[string]string{"/* lacks name": "warning 1 of 2", "/* lacks id": "warning 1 of 2", "/*/id is string, not integer": "warning 1 of 2",
		"/* has a field that the document's schema does not allow":                   "warning 1 of 2",
		"/*/id fits more than one of the document's schemas of which it may fit one": "info 1 of 2"} {
		if said[text] != want {
			t.Errorf("%q: %q, not %q in %v", text, said[text], want, said)
		}
	}
}

func TestOpenAPIFiles(t *testing.T) {
	const doc = `
openapi: 3.0.3
info: {title: x, version: "1"}
servers: [{url: https://api.example.org/v1}]
paths:
  /pets/{id}:
    get:
      responses:
        200:
          $ref: '#/components/responses/Pet'
        4XX: {description: no}
components:
  responses:
    Pet: {description: yes, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: {type: string, nullable: true}
        age: {type: integer, minimum: 0, exclusiveMinimum: true}
`
	api, err := contract.ParseOpenAPI(strings.NewReader(doc))
	must(t, err)
	r, err := api.Check(ctx, archive(t, answer{call: "GET /v1/pets/7 200", body: `{"name":null,"age":1}`}, answer{call: "GET /v1/pets/7 404", body: "{}"}), contract.Options{})
	must(t, err)
	if len(r.Violations) != 0 {
		t.Errorf("%+v", r.Violations)
	}
	r, err = api.Check(ctx, archive(t, answer{call: "GET /v1/pets/7 200", body: `{"age":0}`}, answer{call: "GET /v1/pets/8 200", body: `{"name":"secretive","age":"x"}`}), contract.Options{})
	must(t, err)
	if got := changes(r); len(got) != 3 || !slices.Contains(got, "warning schema /age") {
		t.Errorf("%v", got)
	}
	for _, want := range []string{"the answer lacks name", "/age is string, not integer"} {
		if !slices.ContainsFunc(r.Violations, func(v contract.Violation) bool { return v.Description == want }) {
			t.Errorf("nothing says %q: %+v", want, r.Violations)
		}
	}
	if b, _ := json.Marshal(r); strings.Contains(string(b), "secretive") {
		t.Error("values are in the answer")
	}
	for _, bad := range []string{"", "swagger: '2.0'", "[", "openapi: 3.1.0\npaths: 7"} {
		if _, err := contract.ParseOpenAPI(strings.NewReader(bad)); err == nil && !strings.Contains(bad, "paths") {
			t.Errorf("%q passes", bad)
		}
	}
}

func TestCorpusTwiceTheSame(t *testing.T) {
	for _, path := range tracetest.Corpus(t, "playwright/*.zip") {
		var first []byte
		for range 2 {
			r, err := (*contract.Contract)(nil).Check(ctx, tracetest.Open(t, path), contract.Options{})
			must(t, err)
			b, _ := json.Marshal(r)
			if first != nil && !bytes.Equal(first, b) {
				t.Errorf("%s: two results differ", path)
			}
			first = b
		}
	}
}

// Whatever a body is, its shape holds it: nothing differs from what was learnt of
// it, its schema takes it, and learning it twice changes nothing but counts.
func FuzzShape(f *testing.F) {
	for _, s := range []string{user, `[]`, `[null,1,"x",{}]`, `{"a":{"a":{"a":{"a":1}}}}`, `{"":null,"1":2,"a":1,"a":"x"}`, `1e999`, strings.Repeat("[", 600)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := contract.Of([]byte(text), contract.DefaultDepth)
		if err != nil {
			return
		}
		sketch := s.String()
		if list := contract.Compare(s, s); len(list) != 0 {
			t.Errorf("differs from itself: %+v", list)
		}
		again, _ := contract.Of([]byte(text), contract.DefaultDepth)
		s.Merge(again)
		if s.String() != sketch {
			t.Errorf("%s became %s", sketch, s)
		}
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return
		}
		if err := compile(t, s.Schema()).Validate(v); err != nil {
			t.Errorf("%s: %v", sketch, err)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"version":1,"endpoints":[null,{"method":"GET","path":"/a","steady":9},{"shape":{"kinds":{"object":1},"fields":{"a":null,"b":{}}}}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := contract.Read(bytes.NewReader(b))
		if err != nil {
			return
		}
		c.OpenAPI("x")
		c.JSONSchema()
		var w bytes.Buffer
		if c.Write(&w) != nil {
			return
		}
		if _, err := contract.Read(&w); err != nil {
			t.Errorf("what was written cannot be read: %v", err)
		}
	})
}
