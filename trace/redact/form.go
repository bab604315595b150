package redact

import "sync"

// Form is how the secrets of a known service look.
type Form struct{ p *pattern }

// Forms returns the forms by which secrets are known without a name beside them.
func Forms() []Form {
	list := make([]Form, len(patterns()))
	for i := range list {
		list[i] = Form{&patterns()[i]}
	}
	return list
}

// Name returns what the secrets are called, such as "GitHub token". Several
// forms may share it.
func (f Form) Name() string { return f.p.name }

// Gate returns a text that all secrets of the form hold, or what stands beside them.
func (f Form) Gate() string { return f.p.gate }

// Places returns from where to where in the text, in bytes, secrets stand.
func (f Form) Places(text string) [][2]int { return f.p.places(text) }

var standardNames = sync.OnceValue(func() *names { return newNames(nil, nil) })

// SecretName reports whether the value of a header, member, parameter or field
// of that name is a secret. Case, "-" and "_" do not matter.
func SecretName(name string) bool { return standardNames().has(name) }

// IsMarker reports whether the text is what stands for a secret that [Run] or
// a recorder took out.
func IsMarker(text string) bool { return markerForm.MatchString(text) }
