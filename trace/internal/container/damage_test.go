package container_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/tracedeck/tracedeck/trace/internal/container"
)

// places is how many places of each zip are damaged: few in an ordinary run,
// DAMAGE_PLACES in a thorough one.
func places() int {
	if n, err := strconv.Atoi(os.Getenv("DAMAGE_PLACES")); err == nil {
		return n
	}
	return 4
}

// corpus calls f with every zip of the corpus and what the standard library
// reads from it.
func corpus(t *testing.T, f func(t *testing.T, data []byte, want map[string][]byte)) {
	root := filepath.Join("..", "..", "..", "testdata", "corpus")
	seen := 0
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".zip" {
			return err
		}
		seen++
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f(t, data, contents(t, data))
		})
		return nil
	})
	if err != nil || seen == 0 {
		t.Fatalf("%d zips, %v", seen, err)
	}
}

func contents(t *testing.T, data []byte) map[string][]byte {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, f := range z.File {
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if all[f.Name], err = io.ReadAll(rc); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestReadsCorpusAsTheStandardLibraryDoes(t *testing.T) {
	corpus(t, func(t *testing.T, data []byte, want map[string][]byte) {
		c := open(t, data)
		if len(c.Entries()) != len(want) {
			t.Errorf("%d entries, want %d", len(c.Entries()), len(want))
		}
		for name, b := range want {
			same(t, c, name, b)
			if _, _, err := c.Raw(name); err != nil {
				t.Error(err)
			}
		}
		wantCodes(t, c, "")
	})
}

func TestCutOffZipGivesAllThatIsThere(t *testing.T) {
	corpus(t, func(t *testing.T, data []byte, want map[string][]byte) {
		directory := bytes.Index(data, []byte("PK\x01\x02"))
		for i := range places() {
			n := max(1, len(data)*(i+1)/(places()+1))
			c, err := container.OpenReaderAt(context.Background(), bytes.NewReader(data[:n]), int64(n), "cut.zip", container.Options{})
			if err != nil {
				if !errors.Is(err, container.ErrNotAZip) || n > 4096 {
					t.Errorf("cut at %d: %v", n, err)
				}
				continue
			}
			cut := 0
			for k, e := range c.Entries() {
				got, err := read(c, e.Name)
				if !bytes.HasPrefix(want[e.Name], got) {
					t.Errorf("cut at %d: %s has bytes it never had", n, e.Name)
				}
				if err != nil || len(got) != len(want[e.Name]) {
					cut++
					var damaged *container.DamagedError
					if !errors.As(err, &damaged) || k != len(c.Entries())-1 {
						t.Errorf("cut at %d: %s: %d of %d bytes, %v", n, e.Name, len(got), len(want[e.Name]), err)
					}
				}
			}
			if n >= directory && (cut > 0 || len(c.Entries()) != len(want)) {
				t.Errorf("cut at %d, in the directory: %d of %d entries, %d of them cut", n, len(c.Entries()), len(want), cut)
			}
			c.Close()
		}
	})
}

func TestOneFlippedBitHarmsOneEntry(t *testing.T) {
	corpus(t, func(t *testing.T, data []byte, want map[string][]byte) {
		random := rand.New(rand.NewPCG(1, uint64(len(data))))
		for range places() {
			bit := random.IntN(len(data) * 8)
			flipped(t, data, bit, want, 1)
		}
	})
}

// flipped flips a bit and checks that all but some of the entries are whole.
func flipped(t *testing.T, data []byte, bit int, want map[string][]byte, harmed int) {
	t.Helper()
	data[bit/8] ^= 1 << (bit % 8)
	defer func() { data[bit/8] ^= 1 << (bit % 8) }()
	c, err := container.OpenReaderAt(context.Background(), bytes.NewReader(data), int64(len(data)), "flipped.zip", container.Options{})
	if err != nil {
		if len(want) > harmed {
			t.Errorf("bit %d of byte %d: %v", bit%8, bit/8, err)
		}
		return
	}
	defer c.Close()
	whole := 0
	for _, e := range c.Entries() {
		got, err := read(c, e.Name)
		b, known := want[e.Name]
		switch {
		case err == nil && known && bytes.Equal(b, got):
			whole++
		case err == nil && known && e.CRC32 != 0 && crc32.ChecksumIEEE(got) != e.CRC32:
			t.Errorf("bit %d of byte %d: %s: bytes it never had, and no error", bit%8, bit/8, e.Name)
		}
	}
	if whole < len(want)-harmed {
		t.Errorf("bit %d of byte %d: %d of %d entries are whole: %v", bit%8, bit/8, whole, len(want), c.Warnings())
	}
}

func TestEveryBitOfDirectoryAndHeaders(t *testing.T) {
	want := map[string][]byte{"trace.trace": text(2000), "trace.network": text(300), "resources/a": []byte("stored"), "b": text(50)}
	data := build(t, "trace.trace", want["trace.trace"], "trace.network", want["trace.network"], "resources/a=", want["resources/a"], "b", want["b"])
	for bit := range len(data) * 8 {
		flipped(t, data, bit, want, 1)
	}
}

// TestDirectoryDamageLosesNothing flips the bits of one directory record that
// are not its name's: the data is all there, and is found.
func TestDirectoryDamageLosesNothing(t *testing.T) {
	want := map[string][]byte{"trace.trace": text(2000), "resources/a": []byte("stored"), "b": text(50)}
	data := build(t, "trace.trace", want["trace.trace"], "resources/a=", want["resources/a"], "b", want["b"])
	at := bytes.Index(data, []byte("PK\x01\x02"))
	for range 2 {
		for bit := at * 8; bit < (at+46)*8; bit++ {
			flipped(t, data, bit, want, 0)
		}
		at += 4 + bytes.Index(data[at+4:], []byte("PK\x01\x02"))
	}
}
