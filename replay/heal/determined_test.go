package heal

import (
	"context"
	"testing"

	"github.com/tracedeck/tracedeck/replay/determinism"
)

func TestElementIsFoundWhileTimeStandsStill(t *testing.T) {
	ctx := context.Background()
	b, err := determinism.Start(ctx, determinism.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s, err := b.NewSession(ctx, determinism.DefaultSession())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Page().Navigate(ctx, "data:text/html,<button id=a>Go on</button><button>Back</button>"); err != nil {
		t.Fatal(err)
	}
	base := "globalThis.own = 1"
	p := Determined(s.Page(), s.Page().Target(), base)
	o := DefaultOptions()
	o.Patience = 0
	m, err := Find(ctx, p, &Target{Selector: "#gone", Selectors: []string{`internal:role=button[name="Go on"i]`}, Tag: "button", Role: "button", Name: "Go on", Text: "Go on"}, o)
	if err != nil || m.Strategy != RoleName {
		t.Fatalf("%+v %v", m, err)
	}
	h, err := p.Found(ctx)
	if err != nil || h == nil {
		t.Fatal(err)
	}
	var text string
	if err := h.Call(ctx, "function () { return this.textContent + own }", &text); err != nil || text != "Go on1" {
		t.Errorf("%q %v", text, err)
	}
}
