package codegen

import (
	"fmt"
	"strings"
)

func (w *playwright) mocks() bool { return w.o.Fixtures == Mock && len(w.s.mocked()) > 0 }

// mocked are the requests whose answers can be given from the recording.
func (s *Scenario) mocked() (list []*Request) {
	for _, r := range s.Requests {
		if r.json && (r.Class == Mocked || r.Class == Act) && isAPI(r.entry) {
			list = append(list, r)
		}
	}
	return list
}

// table writes how requests were classified, so that a person can overrule it.
func (w *playwright) table(b *strings.Builder) {
	const most = 60
	b.WriteString("//\n// What requests were taken for:\n")
	rows, left := 0, 0
	for _, r := range w.s.Requests {
		if r.Class == Irrelevant && r.Reason == "asset" {
			left++
			continue
		}
		if rows++; rows > most {
			left++
			continue
		}
		fmt.Fprintf(b, "//   %-10s  %-6s %3d  %s  (%s)\n", r.Class, cut(oneLine(r.Method), 6), r.Status, cut(oneLine(w.s.values.safe(w.s.relative(r.URL))), 80), r.Reason)
	}
	if left > 0 {
		fmt.Fprintf(b, "//   and %d more, of which the test needs none\n", left)
	}
}

// writeMocks writes the recorded answers and the function that gives them.
func (w *playwright) writeMocks(b *strings.Builder) {
	t := newTrimmer(w.s)
	b.WriteString("// Answers as they were recorded, in their order. The last one of an address is given again and again.\n")
	b.WriteString("const mocks: { method: string; key: string; operation?: string; status: number; body: unknown }[] = [\n")
	for _, r := range w.s.mocked() {
		fmt.Fprintf(b, "  { method: %s, key: %s", jsString(r.Method), w.text(w.s.keyOf(r.URL)))
		if r.Operation != "" {
			fmt.Fprintf(b, ", operation: %s", jsString(r.Operation))
		}
		body := t.trim(r)
		fmt.Fprintf(b, ", status: %d, body: %s },\n", r.Status, jsOf(body, w.text, "  "))
	}
	b.WriteString("];\n")
	for _, note := range t.notes {
		b.WriteString("// " + oneLine(note) + "\n")
	}
	b.WriteString("\n" + mockHelper)
}

const mockHelper = `// keyOf is an address without the parts that are others each time.
function keyOf(address: string): string {
  const url = new URL(address);
  const query = [...url.searchParams]
    .filter(([name]) => !/^(_|t|ts|time|timestamp|cb|cachebust(er)?|nocache|nonce|rand(om)?|_rsc|v)$/.test(name))
    .map(([name, value]) => encodeURIComponent(name) + '=' + encodeURIComponent(value).replace(/%20/g, '+'))
    .sort();
  return (url.origin === new URL(base).origin ? '' : url.origin) + url.pathname + (query.length ? '?' + query.join('&') : '');
}

// asks says whether a body is one of a GraphQL operation.
function asks(body: string, operation: string): boolean {
  return /^\w+$/.test(operation) ? new RegExp('\\b' + operation + '\\b').test(body) : body.replace(/(\s|\\n)+/g, ' ').includes(operation.replace(/…$/, ''));
}

// mockApi answers requests from the recording. What was not recorded goes to the server.
async function mockApi(context: BrowserContext) {
  const given = new Map<string, number>();
  await context.route(url => mocks.some(m => m.key.split('?')[0] === keyOf(url.href).split('?')[0]), async route => {
    const request = route.request();
    const key = keyOf(request.url());
    const body = request.postData() ?? '';
    const of = (same: (m: string) => boolean) =>
      mocks.filter(m => m.method === request.method() && same(m.key) && (!m.operation || asks(body, m.operation)));
    let list = of(k => k === key);
    if (list.length === 0)
      list = of(k => k.split('?')[0] === key.split('?')[0]);
    if (list.length === 0)
      return route.fallback();
    const id = request.method() + ' ' + list[0].key + ' ' + (list[0].operation ?? '');
    const n = given.get(id) ?? 0;
    given.set(id, n + 1);
    const mock = list[Math.min(n, list.length - 1)];
    await route.fulfill({ status: mock.status, json: mock.body });
  });
}

`

// seedTest writes the requests that make the data which the session uses, and
// those that take it away again.
func (w *playwright) seedTest(b *strings.Builder) {
	if w.o.Fixtures != Seed {
		return
	}
	var setup []*Request
	for _, r := range w.s.Requests {
		if r.Class == Setup {
			setup = append(setup, r)
		}
	}
	b.WriteString("// ids of things that are made anew, by the id they had when it was recorded\nconst ids = new Map<string, string>();\nconst id = (recorded: string) => ids.get(recorded) ?? recorded;\n\n")
	if len(setup) == 0 {
		b.WriteString("// The session made no data that it used later: there is nothing to seed.\n\n")
		return
	}
	b.WriteString("test.beforeAll(async ({ playwright }) => {\n  const api = await playwright.request.newContext({ baseURL: base });\n")
	w.login(b)
	for i, r := range setup {
		w.seed(b, i+1, r)
	}
	b.WriteString("  await api.dispose();\n});\n\n")
	w.cleanUp(b, setup)
}

// login makes the request by which the session signed in, if it is known.
func (w *playwright) login(b *strings.Builder) {
	for _, r := range w.s.Requests {
		m, ok := r.sent.(map[string]any)
		if !ok || r.Status/100 != 2 || !r.mutates() || r.Class == Setup {
			continue
		}
		for _, name := range sortedKeys(m) {
			if v, _ := m[name].(string); w.s.values.env[v] != "" {
				fmt.Fprintf(b, "  await api.fetch(%s, { method: %s, data: %s });\n", w.address(r.URL), jsString(r.Method), jsOf(r.sent, w.text, "  "))
				return
			}
		}
	}
}

func (w *playwright) address(url string) string {
	return jsText(w.s.values.address(w.s.relative(url)))
}

func (w *playwright) seed(b *strings.Builder, n int, r *Request) {
	data := ""
	if r.sent != nil {
		data = ", data: " + jsOf(r.sent, w.text, "  ")
	} else if r.sentText != "" && r.entry.Request.PostData != nil {
		data = fmt.Sprintf(", data: %s, headers: { 'content-type': %s }", w.text(r.sentText), jsString(r.entry.Request.PostData.MimeType))
	}
	fmt.Fprintf(b, "  const made%d = await api.fetch(%s, { method: %s%s });\n", n, w.address(r.URL), jsString(r.Method), data)
	fmt.Fprintf(b, "  expect(made%d.status(), 'fixture: %s').toBe(%d);\n", n, jsEscape(r.Method+" "+cut(w.s.values.safe(w.s.relative(r.URL)), 60), '\''), r.Status)
	for _, at := range idPaths(r.got, "", nil) {
		fmt.Fprintf(b, "  ids.set(%s, String((await made%d.json())%s));\n", jsString(at.id), n, at.path)
	}
}

// cleanUp writes the requests that took away what setup requests made.
func (w *playwright) cleanUp(b *strings.Builder, setup []*Request) {
	var lines []string
	for i := len(setup) - 1; i >= 0; i-- {
		for _, r := range w.s.Requests {
			if r.Method != "DELETE" {
				continue
			}
			for _, made := range idsOf(setup[i].got, nil) {
				if hasWord(path(r.URL), made) {
					lines = append(lines, fmt.Sprintf("  await api.fetch(%s, { method: 'DELETE' }); // what is gone already is no error\n", w.address(r.URL)))
				}
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	b.WriteString("test.afterAll(async ({ playwright }) => {\n  const api = await playwright.request.newContext({ baseURL: base });\n")
	w.login(b)
	b.WriteString(strings.Join(lines, "") + "  await api.dispose();\n});\n\n")
}

type idPath struct{ id, path string }

// idPaths are the ids of an answer, and the code that reads each.
func idPaths(v any, at string, list []idPath) []idPath {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range sortedKeys(v) {
			member := at + "[" + jsString(name) + "]"
			if identifier.MatchString(name) {
				member = at + "." + name
			}
			if ids := idsOf(map[string]any{name: v[name]}, nil); len(ids) == 1 && idText(v[name]) == ids[0] {
				list = append(list, idPath{ids[0], member})
				continue
			}
			list = idPaths(v[name], member, list)
		}
	case []any:
		for i, item := range v {
			list = idPaths(item, at+"["+number(float64(i))+"]", list)
		}
	}
	return list
}
