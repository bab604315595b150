package verify

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/trace/wholefile"
)

// Shelf is where verifications and named states are kept: small JSON texts by
// their name, which is of letters, digits and "-".
type Shelf interface {
	Put(name string, data []byte) error
	// Get returns an error that is fs.ErrNotExist where there is none.
	Get(name string) ([]byte, error)
	Delete(name string) error
	Names() ([]string, error)
}

// Folder is a Shelf of files. It is made when something is put into it.
type Folder struct{ Dir string }

const mostFile = 32 << 20 // bytes of a file that are read

func (f Folder) path(name string) string { return filepath.Join(f.Dir, name+".json") }

// Put writes the file whole or not at all.
func (f Folder) Put(name string, data []byte) error {
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		return err
	}
	return wholefile.Write(f.path(name), data, 0o600)
}

// Get reads the file.
func (f Folder) Get(name string) ([]byte, error) {
	info, err := os.Stat(f.path(name))
	if err != nil {
		return nil, err
	}
	if info.Size() > mostFile {
		return nil, fmt.Errorf("%s is too large: %d bytes", f.path(name), info.Size())
	}
	return os.ReadFile(f.path(name))
}

// Delete removes the file.
func (f Folder) Delete(name string) error { return os.Remove(f.path(name)) }

// Names lists the files.
func (f Folder) Names() ([]string, error) {
	list, err := os.ReadDir(f.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range list {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok && e.Type().IsRegular() {
			names = append(names, name)
		}
	}
	return names, err
}

// Memory is a Shelf that is gone with the program. The zero value is empty. It
// is safe for concurrent use.
type Memory struct {
	mu  sync.Mutex
	all map[string][]byte
}

// Put keeps the data.
func (m *Memory) Put(name string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil {
		m.all = map[string][]byte{}
	}
	m.all[name] = data
	return nil
}

// Get returns the data.
func (m *Memory) Get(name string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b, ok := m.all[name]; ok {
		return b, nil
	}
	return nil, fs.ErrNotExist
}

// Delete forgets the data.
func (m *Memory) Delete(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.all[name]; !ok {
		return fs.ErrNotExist
	}
	delete(m.all, name)
	return nil
}

// Names lists what is kept.
func (m *Memory) Names() ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for n := range m.all {
		names = append(names, n)
	}
	slices.Sort(names)
	return names, nil
}

func put(s Shelf, name string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return s.Put(name, b)
}

func get(s Shelf, name string, v any) error {
	b, err := s.Get(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s cannot be read: %w", name, err)
	}
	return nil
}
