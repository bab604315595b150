package container

import (
	"context"
	"os"
	"path"
	"strings"
)

func isAddress(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// cutNested takes "outer.zip!a.zip!b.zip" apart, unless there is such a file.
// An address may have exclamation marks of its own: what follows one is a zip
// only if it is called so.
func cutNested(name string) (outer string, inner []string) {
	const deepest = 8
	if _, err := os.Stat(name); err == nil && !isAddress(name) {
		return name, nil
	}
	for range deepest {
		i := strings.LastIndexByte(name, '!')
		if i <= 0 || !isZip(name[i+1:]) {
			break
		}
		name, inner = name[:i], append([]string{name[i+1:]}, inner...)
	}
	return name, inner
}

func isZip(name string) bool { return strings.EqualFold(path.Ext(name), ".zip") }

// unwrap opens the one zip that a CI artifact has around it, and otherwise
// returns the container itself. On an error the container is closed.
func (c *Container) unwrap(ctx context.Context) (*Container, error) {
	if c.folder != nil {
		return c, nil
	}
	var zips []string
	for _, e := range c.entries {
		if strings.HasSuffix(e.Name, ".trace") {
			return c, nil
		}
		if isZip(e.Name) && !strings.HasPrefix(e.Name, "__MACOSX/") {
			zips = append(zips, e.Name)
		}
	}
	switch len(zips) {
	case 0:
		return c, nil
	case 1:
		return c.openInner(ctx, zips[0])
	}
	c.Close()
	return nil, &NestedError{Name: c.name, Zips: zips}
}

// openInner opens a zip inside the container, which then belongs to it.
func (c *Container) openInner(ctx context.Context, name string) (*Container, error) {
	inner, err := c.innerOf(ctx, name)
	if err != nil {
		c.Close()
		return nil, err
	}
	inner.warn("W_ZIP_NESTED", name, "opened the zip inside the zip")
	inner.mu.Lock()
	inner.warnings = append(c.Warnings(), inner.warnings...)
	inner.mu.Unlock()
	return inner, nil
}

// innerOf reads a stored zip where it is, and any other by way of a temporary
// file.
func (c *Container) innerOf(ctx context.Context, name string) (*Container, error) {
	full := c.name + "!" + name
	if e, data, err := c.Raw(name); err == nil && e.Method == stored {
		inner := &Container{name: full, limits: c.limits, closers: c.closers}
		if err := inner.openZip(ctx, data, data.Size()); err == nil {
			c.closers = nil
			return inner, nil
		}
	}
	rc, err := c.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	inner, err := openStream(ctx, rc, full, Options{Limits: c.limits})
	if err != nil {
		return nil, err
	}
	c.Close()
	return inner, nil
}
