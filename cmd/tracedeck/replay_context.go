package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tracedeck/tracedeck/replay"
)

// contextOptions reads the file of --context, in which storageState may be a
// file of its own, beside it.
func contextOptions(path string) (*replay.ContextOptions, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var state string
	if json.Unmarshal(members["storageState"], &state) == nil && state != "" {
		if !filepath.IsAbs(state) {
			state = filepath.Join(filepath.Dir(path), state)
		}
		stored, err := os.ReadFile(state)
		if err != nil {
			return nil, err
		}
		members["storageState"] = stored
		if data, err = json.Marshal(members); err != nil {
			return nil, fmt.Errorf("%s: %w", state, err)
		}
	}
	c, err := replay.ParseContextOptions(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}
