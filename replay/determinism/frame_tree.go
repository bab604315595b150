package determinism

import (
	"context"
)

// Frame is a document inside a page.
type Frame struct {
	ID, Parent, URL, Name string
}

// tree learns which frames are there already.
func (p *Page) tree(ctx context.Context) {
	var r struct {
		Tree frameTree `json:"frameTree"`
	}
	if p.call(ctx, "Page.getFrameTree", nil, &r) == nil {
		p.mu.Lock()
		p.take(&r.Tree)
		p.mu.Unlock()
	}
}

type frameTree struct {
	Frame struct {
		ID       string `json:"id"`
		ParentID string `json:"parentId"`
		URL      string `json:"url"`
		Name     string `json:"name"`
	} `json:"frame"`
	Children []*frameTree `json:"childFrames"`
}

func (p *Page) take(t *frameTree) {
	p.frames[t.Frame.ID] = &Frame{t.Frame.ID, t.Frame.ParentID, t.Frame.URL, t.Frame.Name}
	if t.Frame.ParentID == "" {
		p.url = t.Frame.URL
	}
	for _, c := range t.Children {
		p.take(c)
	}
}

// Frames returns the frames of the page, the main one first and the others by
// parents.
func (p *Page) Frames() []Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []Frame
	for _, f := range p.frames {
		list = append(list, *f)
	}
	return list
}

func forget(m map[string]string, id string) {
	for k, v := range m {
		if v == id {
			delete(m, k)
		}
	}
}
