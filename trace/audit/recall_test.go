package audit

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"
)

// ruleSamples are texts in which another tool's rule finds its secret, and texts
// in which it must not.
type ruleSamples struct {
	Rule string   `json:"rule"`
	Good []string `json:"good"`
	Bad  []string `json:"bad"`
}

func samplesOfRules(t *testing.T) (list []ruleSamples) {
	t.Helper()
	f, err := os.Open("testdata/gitleaks.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&list); err != nil {
		t.Fatal(err)
	}
	return list
}

// found returns the credentials in a message that holds the text.
func found(text string) (list []placedHit) {
	for _, h := range inspect(text, prose).hits {
		if severity, _ := (spot{where: inLog}).severity(h.hit); severity != "" {
			list = append(list, h)
		}
	}
	return list
}

// families are the rules that have to be met in full.
var families = []string{"aws-", "github-", "stripe-", "private-key", "jwt", "gcp-", "slack-", "openai-", "generic-"}

func TestRecall(t *testing.T) {
	hits, all := map[string]int{}, map[string]int{}
	for _, r := range samplesOfRules(t) {
		missed := ""
		n := 0
		for _, text := range r.Good {
			if len(found(text)) > 0 {
				n++
			} else if missed == "" {
				missed = text
			}
		}
		family := "others"
		for _, f := range families {
			if strings.HasPrefix(r.Rule, f) {
				family = f
			}
		}
		hits[family] += n
		all[family] += len(r.Good)
		if n < len(r.Good) {
			t.Logf("%s: %d of %d; not %.200q", r.Rule, n, len(r.Good), missed)
		}
	}
	for _, f := range append(families, "others") {
		t.Logf("family %s %d of %d, %.1f %%", strings.TrimSuffix(f, "-"), hits[f], all[f], 100*float64(hits[f])/float64(max(1, all[f])))
		if all[f] == 0 || float64(hits[f]) < 0.95*float64(all[f]) {
			t.Errorf("%s: %d of %d", f, hits[f], all[f])
		}
	}
}

func TestNegativesAreFew(t *testing.T) {
	wrong, all := 0, 0
	var texts []string
	for _, r := range samplesOfRules(t) {
		if !slices.ContainsFunc(families, func(f string) bool { return strings.HasPrefix(r.Rule, f) }) {
			continue // its negatives are secrets of other services
		}
		for _, text := range r.Bad {
			all++
			for _, h := range found(text) {
				if severity, _ := (spot{where: inLog}).severity(h.hit); severity == "critical" {
					wrong++
					texts = append(texts, r.Rule+": "+h.form+": "+text[:min(len(text), 160)])
					break
				}
			}
		}
	}
	sort.Strings(texts)
	if all < 100 || wrong*10 > all {
		t.Errorf("%d of %d texts without a secret are critical:\n%s", wrong, all, strings.Join(texts, "\n"))
	}
}
