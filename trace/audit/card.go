package audit

import "strings"

// testCards are the numbers that payment services publish for tests.
var testCards = map[string]bool{"4111111111111111": true, "4242424242424242": true, "4000056655665556": true, "4012888888881881": true, "4222222222222": true,
	"5555555555554444": true, "5200828282828210": true, "5105105105105100": true, "2223003122003222": true, "378282246310005": true, "371449635398431": true,
	"6011111111111117": true, "6011000990139424": true, "3056930009020004": true, "36227206271667": true, "30569309025904": true, "38520000023237": true,
	"3530111333300000": true, "3566002020360505": true, "6200000000000005": true, "4000000000000002": true, "4000002500003155": true, "4000000000009995": true}

// cardNumber reports whether a number is one of a payment card: an issuer's
// range with its length, grouped as on cards if at all, and the check digit.
func cardNumber(plain, shape string) bool {
	return issued(plain) && grouped(shape) && luhn(plain) && strings.Trim(plain, plain[:1]) != ""
}

func issued(s string) bool {
	n, four := len(s), number4(s)
	in := func(low, high int) bool { return four >= low && four <= high }
	switch {
	case s[0] == '4':
		return n == 13 || n == 16
	case in(5100, 5599), in(2221, 2720):
		return n == 16
	case in(3400, 3499), in(3700, 3799):
		return n == 15
	case in(3000, 3059), in(3600, 3699), in(3800, 3999):
		return n == 14
	case in(3528, 3589), in(6011, 6011), in(6440, 6599), in(6200, 6299):
		return n >= 16
	}
	return false
}

func number4(s string) int {
	n := 0
	for i := range 4 {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// grouped reports whether separators stand as on cards, all the same.
func grouped(shape string) bool {
	if strings.Trim(shape, "d") == "" {
		return true
	}
	plain := strings.ReplaceAll(shape, "-", " ")
	if strings.Contains(shape, "-") && strings.Contains(shape, " ") {
		return false
	}
	switch plain {
	case "dddd dddd dddd dddd", "dddd dddddd ddddd", "dddd dddddd dddd", "dddd dddd dddd dddd ddd", "dddd dddd dddd d", "dddd ddd ddd ddd":
		return true
	}
	return false
}

func luhn(s string) bool {
	sum := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
