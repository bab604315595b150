package blob_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/blob/blobtest"
)

func TestDir(t *testing.T) {
	d := blob.NewDir(filepath.Join(t.TempDir(), "blobs [1]*"))
	blobtest.Run(t, d, func(t *testing.T, ref blob.Ref) {
		if err := os.WriteFile(d.Path(ref), []byte("altered"), 0o644); err != nil {
			t.Fatal(err)
		}
	})
}

func TestBranch(t *testing.T) {
	remote := bare(t)
	blobtest.Run(t, blob.NewBranch(remote, "baselines", filepath.Join(t.TempDir(), "cache")), nil)
}

func bare(t *testing.T) string {
	t.Helper()
	remote := filepath.Join(t.TempDir(), "remote.git")
	if out, err := exec.Command("git", "init", "--quiet", "--bare", remote).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return remote
}

func TestBranchKeepsWhatOthersPushed(t *testing.T) {
	remote := bare(t)
	mine := blob.NewBranch(remote, "baselines", filepath.Join(t.TempDir(), "mine"))
	theirs := blob.NewBranch(remote, "baselines", filepath.Join(t.TempDir(), "theirs"))
	var refs []blob.Ref
	for i, s := range []*blob.Branch{mine, theirs, mine, theirs} {
		ref, err := blob.PutBytes(t.Context(), s, []byte{byte(i)})
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, ref)
	}
	for _, s := range []*blob.Branch{mine, theirs} {
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	fresh := blob.NewBranch(remote, "baselines", filepath.Join(t.TempDir(), "fresh"))
	for _, ref := range refs {
		if _, err := blob.ReadAll(t.Context(), fresh, ref); err != nil {
			t.Error(err)
		}
	}
}

func TestBranchSaysWhichRepositoryIsNotThere(t *testing.T) {
	s := blob.NewBranch(filepath.Join(t.TempDir(), "nowhere.git"), "baselines", filepath.Join(t.TempDir(), "cache"))
	_, err := s.Has(t.Context(), blob.Of(nil))
	if err == nil || !strings.Contains(err.Error(), "nowhere.git#baselines") {
		t.Errorf("a repository that is not there: %v", err)
	}
}

func TestCopyReadsAgainWhatArrivesAltered(t *testing.T) {
	src, dst := blob.NewDir(t.TempDir()), blob.NewDir(t.TempDir())
	ref, err := blob.PutBytes(t.Context(), src, []byte("picture"))
	if err != nil {
		t.Fatal(err)
	}
	if copied, err := blob.Copy(t.Context(), dst, src, ref); !copied || err != nil {
		t.Errorf("first copy: %v %v", copied, err)
	}
	if copied, err := blob.Copy(t.Context(), dst, src, ref); copied || err != nil {
		t.Errorf("second copy: %v %v", copied, err)
	}
	os.WriteFile(src.Path(ref), []byte("pict"), 0o644)
	other := blob.NewDir(t.TempDir())
	if _, err := blob.Copy(t.Context(), other, src, ref); err == nil {
		t.Error("altered bytes were copied")
	}
	if ok, _ := other.Has(t.Context(), ref); ok {
		t.Error("altered bytes were kept")
	}
}

func FuzzParseRef(f *testing.F) {
	f.Add(blob.Of(nil).String())
	f.Add("sha256:ABC")
	f.Fuzz(func(t *testing.T, s string) {
		ref, err := blob.ParseRef(s)
		if err == nil && ref.String() != s {
			t.Errorf("%q was read as %s", s, ref)
		}
	})
}

func TestAlteredBytesAreMended(t *testing.T) {
	here, there := blob.NewDir(t.TempDir()), blob.NewDir(t.TempDir())
	data := []byte("as it was approved")
	ref, err := blob.PutBytes(t.Context(), here, data)
	if err != nil {
		t.Fatal(err)
	}
	alter := func() {
		if err := os.WriteFile(here.Path(ref), []byte("altered"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	alter()
	if _, err := blob.Mend(t.Context(), here, there, ref); err == nil {
		t.Error("mended from a store that lacks it")
	}
	if left, err := os.ReadFile(here.Path(ref)); err != nil || string(left) != "altered" {
		t.Errorf("what could not be mended is %q, %v", left, err)
	}
	if _, err := blob.PutBytes(t.Context(), there, data); err != nil {
		t.Fatal(err)
	}
	if copied, err := blob.Mend(t.Context(), here, there, ref); err != nil || !copied {
		t.Errorf("copied %v, %v", copied, err)
	}
	if !blob.Whole(t.Context(), here, ref) {
		t.Error("it is not mended")
	}
	alter()
	if _, err := blob.PutBytes(t.Context(), here, data); err != nil || !blob.Whole(t.Context(), here, ref) {
		t.Errorf("putting it again: %v", err)
	}
}
