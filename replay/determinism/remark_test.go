package determinism

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

func TestWhatMayNotRepeatIsNamed(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><video src="/v.mp4" autoplay muted></video><audio src="/a.mp3" autoplay></audio><script>
new AudioContext(); new RTCPeerConnection(); new WebTransport('https://127.0.0.1:9/').ready.catch(() => {}); new Audio('data:audio/wav;base64,UklGRg==').play().catch(() => {}); new SharedWorker(URL.createObjectURL(new Blob(['1'])));</script>`)
	}))
	defer site.Close()
	b, ctx := start(t, Frames), context.Background()
	s, err := b.NewSession(ctx, DefaultSession())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Page().Navigate(ctx, site.URL); err != nil {
		t.Fatal(err)
	}
	if err := s.Advance(ctx, time.Second); err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, r := range s.Remarks() {
		codes = append(codes, r.Code)
	}
	slices.Sort(codes)
	if want := []string{"W_MEDIA_BLOCKED", "W_MEDIA_BLOCKED", "W_REAL_TIME", "W_REAL_TIME", "W_REAL_TIME", "W_REAL_TIME", "W_SHARED_WORKER"}; !slices.Equal(codes, want) {
		t.Errorf("%v, want %v: %v", codes, want, s.Remarks())
	}
}
