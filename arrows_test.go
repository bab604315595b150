package tracedeck

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/tracedeck/tracedeck"

// mayImport holds for each top-level folder which others its packages may
// import. The import arrows go down only, and these are all of them.
var mayImport = map[string]string{
	"trace":    "",
	"web":      "",
	"recorder": "trace web",
	"diff":     "trace",
	"replay":   "recorder trace web",
	"viewer":   "diff trace web",
	"cmd":      "trace recorder replay viewer diff web",
}

func TestImportArrowsGoDownOnly(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}: {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		pkg, imports, _ := strings.Cut(line, ": ")
		from := folder(pkg)
		if from == "" {
			continue
		}
		allowed, known := mayImport[from]
		if !known {
			t.Errorf("%s: there is no place for the folder %q", pkg, from)
			continue
		}
		for _, imp := range strings.Fields(imports) {
			to := folder(imp)
			if to == "" || to == from {
				continue
			}
			seen++
			if !strings.Contains(" "+allowed+" ", " "+to+" ") {
				t.Errorf("%s imports %s: %s may import only [%s]", pkg, imp, from, allowed)
			}
		}
	}
	if seen == 0 {
		t.Error("no imports were seen")
	}
}

// folder returns the top-level folder of a package of this module.
func folder(pkg string) string {
	rest, ok := strings.CutPrefix(pkg, module+"/")
	if !ok {
		return ""
	}
	top, _, _ := strings.Cut(rest, "/")
	return top
}
