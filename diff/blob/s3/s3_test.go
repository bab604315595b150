package s3_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"

	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/blob/blobtest"
	"github.com/tracedeck/tracedeck/diff/blob/s3"
)

// gateway is an S3 server that keeps its objects in a folder.
const gateway = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"

const bucket = "baselines"

// serve starts the server and returns its address and the folder of the bucket.
func serve(t *testing.T) (address, folder string) {
	t.Helper()
	bin := t.TempDir()
	install := exec.Command("go", "install", gateway)
	install.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("installing the S3 server: %v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	l.Close()
	root := t.TempDir()
	run := exec.Command(filepath.Join(bin, "versitygw"), "--access", "key", "--secret", "secret", "--port", address, "posix", "--nometa", root)
	var log strings.Builder
	run.Stdout, run.Stderr = &log, &log
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		run.Process.Kill()
		run.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	wait(t, address)
	return address, filepath.Join(root, bucket)
}

func wait(t *testing.T, address string) {
	t.Helper()
	for range 200 {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the S3 server does not listen")
}

func open(t *testing.T, address, secret, bucket string) *s3.Store {
	t.Helper()
	return under(t, address, secret, bucket, "team/")
}

func under(t *testing.T, address, secret, bucket, prefix string) *s3.Store {
	t.Helper()
	s, err := s3.New(s3.Options{Bucket: bucket, Region: "us-east-1", Endpoint: address, Insecure: true, Prefix: prefix,
		Credentials: credentials.NewStaticCredentialsProvider("key", secret, "")})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	address, folder := serve(t)
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	blobtest.Run(t, open(t, address, "secret", bucket), func(t *testing.T, ref blob.Ref) {
		if err := os.WriteFile(filepath.Join(folder, "team", filepath.FromSlash(ref.Path())), []byte("not what was put"), 0o644); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("ListsMoreThanAPage", func(t *testing.T) {
		want := 1000 + 7
		for n := range want {
			path := filepath.Join(folder, "many ü+", filepath.FromSlash(blob.Of([]byte(strconv.Itoa(n))).Path()))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(strconv.Itoa(n)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		many, got := under(t, address, "secret", bucket, "many ü+/"), 0
		for ref, err := range many.List(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if got++; got == 1 {
				if is, err := many.Has(t.Context(), ref); err != nil || !is {
					t.Errorf("has %v: %v, %v", ref, is, err)
				}
			}
		}
		if got != want {
			t.Errorf("%d of %d are listed", got, want)
		}
	})
	t.Run("SaysWhatIsWrong", func(t *testing.T) {
		for _, c := range []struct{ secret, bucket, hint string }{
			{"wrong", bucket, "AWS_ACCESS_KEY_ID"}, {"secret", "elsewhere", "make the bucket"},
		} {
			_, err := blob.PutBytes(t.Context(), open(t, address, c.secret, c.bucket), []byte("x"))
			h, ok := err.(interface{ Hint() string })
			if !ok || !strings.Contains(h.Hint(), c.hint) {
				t.Errorf("%+v: %v", c, err)
			}
		}
	})
}

func TestABucketOfAnotherRegionIsAskedThere(t *testing.T) {
	asked := []string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, scope, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
		asked = append(asked, strings.Split(scope, "/")[2])
		switch len(asked) {
		case 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 2:
			w.Header().Set("X-Amz-Bucket-Region", "eu-north-1")
			w.WriteHeader(http.StatusMovedPermanently)
		}
	}))
	defer server.Close()
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_DEFAULT_REGION", "")
	s, err := s3.New(s3.Options{Bucket: bucket, Endpoint: strings.TrimPrefix(server.URL, "http://"), Insecure: true, Credentials: credentials.NewStaticCredentialsProvider("key", "secret", "")})
	if err != nil {
		t.Fatal(err)
	}
	is, err := s.Has(t.Context(), blob.Of([]byte("x")))
	if got := strings.Join(asked, " "); !is || err != nil || got != "us-east-1 us-east-1 eu-north-1" {
		t.Errorf("%v, %v, asked in %s", is, err, got)
	}
}
