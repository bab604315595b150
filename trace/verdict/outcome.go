package verdict

// Outcome is what a comparison of two sessions came to, in one word.
type Outcome string

// What a comparison can come to.
const (
	Same         Outcome = "same"         // nothing that matters differs
	Improved     Outcome = "improved"     // the second is better, and nowhere worse
	Regressed    Outcome = "regressed"    // the second is worse, and nowhere better
	Mixed        Outcome = "mixed"        // better in one place and worse in another
	Changed      Outcome = "changed"      // different, and neither better nor worse
	Inconclusive Outcome = "inconclusive" // it cannot be told, because it was not recorded or not done again
)

// Mirror returns the outcome of the same comparison with the sides swapped.
func (o Outcome) Mirror() Outcome {
	switch o {
	case Improved:
		return Regressed
	case Regressed:
		return Improved
	}
	return o
}

// Combine returns the outcome of all parts together. Better and worse outweigh
// a change that is neither, that outweighs what cannot be told, and only parts
// that are all the same make the same. The order does not matter.
func Combine(parts ...Outcome) Outcome {
	var better, worse, changed, unknown bool
	for _, p := range parts {
		switch p {
		case Improved:
			better = true
		case Regressed:
			worse = true
		case Mixed:
			better, worse = true, true
		case Changed:
			changed = true
		case Inconclusive:
			unknown = true
		}
	}
	switch {
	case better && worse:
		return Mixed
	case worse:
		return Regressed
	case better:
		return Improved
	case changed:
		return Changed
	case unknown:
		return Inconclusive
	}
	return Same
}
