package trace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// zipSink writes resources to the zip at once and lines when it is finished.
type zipSink struct {
	out   *zipOut
	file  *os.File // that is to be renamed; nil for a plain writer
	texts []*zipText
}

type zipText struct {
	name string
	*deflater
}

func (t *zipText) flush() error { return nil }
func (t *zipText) close() error { return t.finish() }

func (s *zipSink) text(name string) (textFile, error) {
	t := &zipText{name: name, deflater: newDeflater()}
	s.texts = append(s.texts, t)
	return t, nil
}

func (s *zipSink) data(name string, data []byte) error    { return s.out.data(name, data) }
func (s *zipSink) stream(name string, r io.Reader) error  { return s.out.stream(name, r) }
func (s *zipSink) raw(e packedEntry, b io.WriterTo) error { return s.out.raw(e, b) }

func (s *zipSink) finish() error {
	err := s.writeTexts()
	if err == nil {
		err = s.out.finish()
	}
	if s.file == nil {
		return err
	}
	if err != nil {
		s.discard()
		return err
	}
	return publish(s.file)
}

func (s *zipSink) writeTexts() error {
	for i, t := range s.texts {
		if err := s.out.deflated(t.name, t.deflater); err != nil {
			for _, rest := range s.texts[i+1:] {
				rest.deflater.discard()
			}
			return err
		}
	}
	return nil
}

func (s *zipSink) discard() error {
	for _, t := range s.texts {
		t.deflater.discard()
	}
	if s.file == nil {
		return nil
	}
	s.file.Close()
	return os.Remove(s.file.Name())
}

// publish gives a whole file its name, once its bytes are on the disk.
func publish(f *os.File) error {
	err := f.Sync()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), strings.TrimSuffix(f.Name(), ".partial"))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// folderSink has a file for each entry.
type folderSink struct{ dir string }

func newFolderSink(dir string) (*folderSink, error) {
	if err := os.MkdirAll(filepath.Join(dir, "resources"), 0o755); err != nil {
		return nil, err
	}
	old, err := filepath.Glob(filepath.Join(escapeGlob(dir), "*.trace"))
	if err != nil {
		return nil, err
	}
	if len(old) > 0 {
		return nil, hintedError{fmt.Errorf("%s: there is a trace already", dir), "tracedeck pack makes a zip of it"}
	}
	return &folderSink{dir}, nil
}

func escapeGlob(path string) string {
	return strings.NewReplacer("\\", "\\\\", "[", "\\[", "*", "\\*", "?", "\\?").Replace(path)
}

type folderText struct {
	f *os.File
	*bufio.Writer
}

func (t *folderText) flush() error { return t.Flush() }
func (t *folderText) close() error { return errors.Join(t.Flush(), t.f.Close()) }

func (s *folderSink) text(name string) (textFile, error) {
	f, err := os.OpenFile(s.path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	return &folderText{f, bufio.NewWriterSize(f, 64<<10)}, nil
}

func (s *folderSink) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *folderSink) data(name string, data []byte) error {
	return s.file(name, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

func (s *folderSink) stream(name string, r io.Reader) error {
	return s.file(name, func(f *os.File) error {
		_, err := io.Copy(f, r)
		return err
	})
}

// file makes a file that has its name only when it is whole: a reader of the
// growing folder must not take a part for all.
func (s *folderSink) file(name string, write func(*os.File) error) error {
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o755); err != nil {
		return err
	}
	f, err := createBeside(s.path(name))
	if err != nil {
		return err
	}
	err = write(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		return os.Rename(f.Name(), s.path(name))
	}
	os.Remove(f.Name())
	return err
}

var errPackedToFolder = errors.New("packed bytes do not go to a folder")

func (s *folderSink) raw(e packedEntry, _ io.WriterTo) error {
	return fmt.Errorf("entry %s: %w", e.name, errPackedToFolder)
}

func (s *folderSink) finish() error  { return nil }
func (s *folderSink) discard() error { return nil }
