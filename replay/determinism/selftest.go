package determinism

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"time"
)

// testPage has what goes wrong first: random numbers, dates, timers, frames
// and an animation that is under way when the picture is taken.
const testPage = `<!doctype html><meta charset="utf-8"><style>@keyframes m{to{transform:translateX(300px) rotate(1turn)}}
#a{width:40px;height:40px;background:#c33;animation:m 3s ease-in-out 5 alternate}pre{font:14px monospace}</style><div id="a"></div><pre id="p"></pre>
<script>let frames=0,ticks=0;const show=()=>{p.textContent=[Math.random(),new Date().toISOString(),performance.now(),frames,ticks].join('\n')};
const frame=()=>{frames++;requestAnimationFrame(frame)};frame();setInterval(()=>{ticks++;show()},37);show()</script>`

// Test has the browser do the same twice and compares the pictures.
func (b *Browser) Test(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var first []byte
	for range 2 {
		data, err := b.sample(ctx)
		if err != nil {
			return fmt.Errorf("the test of the regime: %w", err)
		}
		if first == nil {
			first = data
		} else if !bytes.Equal(first, data) {
			return fmt.Errorf("the test of the regime: the same page gave another picture")
		}
	}
	return nil
}

func (b *Browser) sample(ctx context.Context) ([]byte, error) {
	o := DefaultSession()
	o.Width, o.Height = 400, 300
	s, err := b.NewSession(ctx, o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	p := s.Page()
	if err := p.Navigate(ctx, "data:text/html,"+url.PathEscape(testPage)); err != nil {
		return nil, err
	}
	if err := s.Advance(ctx, 700*time.Millisecond); err != nil {
		return nil, err
	}
	return p.Picture(ctx)
}
