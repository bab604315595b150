package s3_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

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
	s, err := s3.New(s3.Options{Bucket: bucket, Region: "us-east-1", Endpoint: address, Insecure: true, Prefix: "team/",
		Credentials: credentials.NewStaticV4("key", secret, "")})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	address, folder := serve(t)
	admin, err := minio.New(address, &minio.Options{Creds: credentials.NewStaticV4("key", "secret", "")})
	if err != nil {
		t.Fatal(err)
	}
	if err := admin.MakeBucket(t.Context(), bucket, minio.MakeBucketOptions{Region: "us-east-1"}); err != nil {
		t.Fatal(err)
	}
	blobtest.Run(t, open(t, address, "secret", bucket), func(t *testing.T, ref blob.Ref) {
		if err := os.WriteFile(filepath.Join(folder, "team", filepath.FromSlash(ref.Path())), []byte("not what was put"), 0o644); err != nil {
			t.Fatal(err)
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
