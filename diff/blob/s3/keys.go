package s3

import (
	"bufio"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials/ec2rolecreds"
	"github.com/aws/aws-sdk-go-v2/credentials/endpointcreds"
	"github.com/aws/aws-sdk-go-v2/credentials/processcreds"
)

// ErrNoKeys says that no place has keys for the server.
var ErrNoKeys = errors.New("no keys for the server were found")

// A keysError says why there are no keys. Asking again does not help.
type keysError struct{ error }

func (e keysError) Unwrap() error { return e.error }

// Keys looks where Amazon's own tools do, in their order: the environment
// (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN), a job's web
// identity (AWS_WEB_IDENTITY_TOKEN_FILE with AWS_ROLE_ARN), the profile
// AWS_PROFILE of the shared files (keys, or the program that prints them), the
// container's role and the machine's. Profiles of single sign-on are read by
// the program: credential_process = aws configure export-credentials.
func Keys() aws.CredentialsProvider {
	return aws.CredentialsProviderFunc(func(ctx context.Context) (aws.Credentials, error) {
		for _, place := range []func(context.Context) (aws.Credentials, error){environment, identity, profile, container, machine} {
			if keys, err := place(ctx); err != nil || keys.HasKeys() {
				return keys, err
			}
		}
		return aws.Credentials{}, ErrNoKeys
	})
}

func environment(context.Context) (aws.Credentials, error) {
	return aws.Credentials{
		AccessKeyID: os.Getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY"),
		SessionToken: os.Getenv("AWS_SESSION_TOKEN"), Source: "environment",
	}, nil
}

// identity changes the token that a CI server wrote for the job into keys. The
// request is not signed: the token is the proof.
func identity(ctx context.Context) (keys aws.Credentials, err error) {
	file, role := os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE"), os.Getenv("AWS_ROLE_ARN")
	if file == "" || role == "" {
		return keys, nil
	}
	token, err := os.ReadFile(file)
	if err != nil {
		return keys, fmt.Errorf("AWS_WEB_IDENTITY_TOKEN_FILE: %w", err)
	}
	at := "https://sts.amazonaws.com/"
	if region := cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")); region != "" {
		at = "https://sts." + region + ".amazonaws.com/"
	}
	return assume(ctx, cmp.Or(os.Getenv("AWS_ENDPOINT_URL_STS"), at), role, strings.TrimSpace(string(token)))
}

func assume(ctx context.Context, at, role, token string) (keys aws.Credentials, err error) {
	form := url.Values{
		"Action": {"AssumeRoleWithWebIdentity"}, "Version": {"2011-06-15"}, "RoleArn": {role},
		"RoleSessionName": {cmp.Or(os.Getenv("AWS_ROLE_SESSION_NAME"), "tracedeck")}, "WebIdentityToken": {token},
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at, strings.NewReader(form.Encode()))
	if err != nil {
		return keys, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return keys, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return keys, fmt.Errorf("the role %s: the server answered %s", role, answer.Status)
	}
	var got struct {
		Credentials struct {
			AccessKeyID     string `xml:"AccessKeyId"`
			SecretAccessKey string
			SessionToken    string
			Expiration      time.Time
		} `xml:"AssumeRoleWithWebIdentityResult>Credentials"`
	}
	if err := xml.NewDecoder(io.LimitReader(answer.Body, answerLimit)).Decode(&got); err != nil {
		return keys, fmt.Errorf("the role %s: %w", role, err)
	}
	c := got.Credentials
	return aws.Credentials{AccessKeyID: c.AccessKeyID, SecretAccessKey: c.SecretAccessKey, SessionToken: c.SessionToken,
		CanExpire: true, Expires: c.Expiration, Source: "web identity"}, nil
}

// profile is what the shared files say of the chosen name. Only a name that was
// chosen has to be there.
func profile(ctx context.Context) (keys aws.Credentials, err error) {
	name := cmp.Or(os.Getenv("AWS_PROFILE"), "default")
	home, _ := os.UserHomeDir()
	found := section(cmp.Or(os.Getenv("AWS_CONFIG_FILE"), filepath.Join(home, ".aws", "config")), name, "profile "+name)
	for key, value := range section(cmp.Or(os.Getenv("AWS_SHARED_CREDENTIALS_FILE"), filepath.Join(home, ".aws", "credentials")), name) {
		found[key] = value
	}
	if program := found["credential_process"]; program != "" && found["aws_access_key_id"] == "" {
		return processcreds.NewProvider(program).Retrieve(ctx)
	}
	if os.Getenv("AWS_PROFILE") != "" && found["aws_access_key_id"] == "" {
		return keys, fmt.Errorf("AWS_PROFILE: the shared files have no keys of %q: %w", name, ErrNoKeys)
	}
	return aws.Credentials{AccessKeyID: found["aws_access_key_id"], SecretAccessKey: found["aws_secret_access_key"],
		SessionToken: found["aws_session_token"], Source: "profile " + name}, nil
}

// section is the members below one of the names in a file of sections, none if
// the file is not there.
func section(path string, names ...string) map[string]string {
	members := map[string]string{}
	file, err := os.Open(path)
	if err != nil {
		return members
	}
	defer file.Close()
	inside := false
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if title, is := strings.CutPrefix(line, "["); is {
			title = strings.TrimSpace(strings.TrimSuffix(title, "]"))
			inside = false
			for _, name := range names {
				inside = inside || title == name
			}
			continue
		}
		key, value, is := strings.Cut(line, "=")
		if inside && is && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, ";") {
			members[strings.ToLower(strings.TrimSpace(key))] = strings.TrimSpace(value)
		}
	}
	return members
}

// container asks the endpoint that Amazon's and others' containers are given.
func container(ctx context.Context) (keys aws.Credentials, err error) {
	at := os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI")
	if relative := os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"); relative != "" {
		at = "http://169.254.170.2" + relative
	}
	if at == "" {
		return keys, nil
	}
	return endpointcreds.New(at, func(o *endpointcreds.Options) {
		o.AuthorizationToken = os.Getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN")
		if file := os.Getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"); file != "" {
			o.AuthorizationTokenProvider = endpointcreds.TokenProviderFunc(func() (string, error) {
				token, err := os.ReadFile(file)
				return strings.TrimSpace(string(token)), err
			})
		}
	}).Retrieve(ctx)
}

// patience is how long a machine's service of roles may take to answer; most
// machines have none.
const patience = 2 * time.Second

func machine(ctx context.Context) (aws.Credentials, error) {
	if strings.EqualFold(os.Getenv("AWS_EC2_METADATA_DISABLED"), "true") {
		return aws.Credentials{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	keys, err := ec2rolecreds.New().Retrieve(ctx)
	if err != nil {
		return aws.Credentials{}, ErrNoKeys
	}
	return keys, nil
}
