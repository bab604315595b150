package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// preferences keep bubbles away that would cover what is recorded.
const preferences = `{"credentials_enable_service":false,"profile":{"password_manager_enabled":false,"password_manager_leak_detection":false,` +
	`"exit_type":"Normal"},"translate":{"enabled":false},"autofill":{"profile_enabled":false,"credit_card_enabled":false},` +
	`"safebrowsing":{"enabled":false},"browser":{"has_seen_welcome_page":true}}`

// freshProfile makes a folder for the profile of a program.
func freshProfile(path string) (string, error) {
	dir, err := os.MkdirTemp(profileRoot(path), "tracedeck-profile-")
	if err != nil {
		return "", fmt.Errorf("a folder for the browser's profile: %w", err)
	}
	return dir, settlePreferences(dir)
}

func settlePreferences(dir string) error {
	name := filepath.Join(dir, "Default", "Preferences")
	if _, err := os.Stat(name); err == nil {
		return nil // somebody's profile
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("the browser's profile: %w", err)
	}
	if err := os.WriteFile(name, []byte(preferences), 0o600); err != nil {
		return fmt.Errorf("the browser's profile: %w", err)
	}
	return nil
}

// profileRoot is where a program may write: a snap sees a /tmp of its own, in
// which its DevTools port would not be found.
func profileRoot(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || !strings.HasPrefix(path, "/snap/") && filepath.Base(real) != "snap" {
		return ""
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	dir := filepath.Join(home, "snap", filepath.Base(path), "common")
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return dir
}

// removeProfile removes a folder into which processes that are about to end
// may still write.
func removeProfile(dir string) error {
	var err error
	for wait := 10 * time.Millisecond; wait < 2*time.Second; wait *= 2 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(wait)
	}
	return fmt.Errorf("the browser's profile stays behind: %w", err)
}
