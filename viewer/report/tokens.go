package report

import "unicode"

// Tokens estimates how many tokens a language model makes of a text, and
// rather too many than too few: a word costs one for each four letters that it
// has begun, digits one for each two, anything else one each.
func Tokens(s string) int {
	n, letters, digits := 0, 0, 0
	end := func() {
		n += (letters+3)/4 + (digits+1)/2
		letters, digits = 0, 0
	}
	for _, r := range s {
		switch {
		case r < 0x80 && unicode.IsLetter(r):
			if digits > 0 {
				end()
			}
			letters++
		case r >= '0' && r <= '9':
			if letters > 0 {
				end()
			}
			digits++
		case r == ' ':
			end()
		case r < 0x80:
			end()
			n++
		default:
			end()
			n += 2
		}
	}
	end()
	return n
}
