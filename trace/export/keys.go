package export

import "sort"

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if (keys[i] == "type") != (keys[j] == "type") {
			return keys[i] == "type"
		}
		return keys[i] < keys[j]
	})
	return keys
}
