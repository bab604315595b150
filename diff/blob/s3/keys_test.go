package s3_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/blob/s3"
)

const stsAnswer = `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials>
<AccessKeyId>of-identity</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>2100-01-01T00:00:00Z</Expiration>
</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`

// services answers as Amazon's services of tokens and of containers do.
func services(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sts", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("WebIdentityToken") != "token of the job" || r.FormValue("RoleArn") != "arn:aws:iam::1:role/ci" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		fmt.Fprint(w, stsAnswer)
	})
	mux.HandleFunc("GET /container", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "pass" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		fmt.Fprint(w, `{"AccessKeyId":"of-container","SecretAccessKey":"s","Token":"t","Expiration":"2100-01-01T00:00:00Z"}`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func TestKeysThatCannotBeHadAreAskedForOnce(t *testing.T) {
	asked := 0
	s, err := s3.New(s3.Options{Bucket: bucket, Endpoint: "127.0.0.1:1", Insecure: true, Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		asked++
		return aws.Credentials{}, errors.New("no such token")
	})})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Has(t.Context(), blob.Of([]byte("x")))
	h, ok := err.(interface{ Hint() string })
	if asked != 1 || !ok || !strings.Contains(h.Hint(), "mend the file, the role") {
		t.Errorf("asked %d times: %v", asked, err)
	}
}

func TestKeysAreFoundWhereAmazonsToolsLook(t *testing.T) {
	at := services(t)
	home := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(".aws/credentials", "# keys\n[team]\naws_access_key_id = of-team\naws_secret_access_key=a=b\n[other]\naws_access_key_id=of-other\naws_secret_access_key=s\n")
	write(".aws/config", "[default]\nregion = x\n[profile printed]\ncredential_process = printf '{\"Version\":1,\"AccessKeyId\":\"of-program\",\"SecretAccessKey\":\"s\"}'\n")
	write("token", "token of the job\n")
	for _, c := range []struct {
		name, want string
		env        map[string]string
	}{
		{"environment", "of-env", map[string]string{"AWS_ACCESS_KEY_ID": "of-env", "AWS_SECRET_ACCESS_KEY": "s", "AWS_PROFILE": "team"}},
		{"identity", "of-identity", map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": filepath.Join(home, "token"), "AWS_ROLE_ARN": "arn:aws:iam::1:role/ci", "AWS_ENDPOINT_URL_STS": at + "/sts"}},
		{"profile", "of-team", map[string]string{"AWS_PROFILE": "team"}},
		{"program", "of-program", map[string]string{"AWS_PROFILE": "printed"}},
		{"container", "of-container", map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": at + "/container", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "pass"}},
		{"no such profile", "", map[string]string{"AWS_PROFILE": "nobody"}},
		{"none", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE",
				"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"} {
				t.Setenv(name, "")
			}
			t.Setenv("HOME", home)
			t.Setenv("USERPROFILE", home)
			t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			keys, err := s3.Keys().Retrieve(t.Context())
			if keys.AccessKeyID != c.want || (c.want == "") != errors.Is(err, s3.ErrNoKeys) {
				t.Errorf("%+v, %v", keys, err)
			}
			if c.want == "of-team" && keys.SecretAccessKey != "a=b" {
				t.Errorf("the secret is %q", keys.SecretAccessKey)
			}
		})
	}
}
