// Package assignment finds what texts give names to, and says which of it is a key.
package assignment

import (
	"strings"
	"sync"
)

// secretWords are words in the names of secrets, and of much else.
var secretWords = []string{"access", "api", "auth", "cred", "key", "passw", "pwd", "secret", "token"}

var secretHeads = sync.OnceValue(func() *[1 << 16]bool {
	heads := new([1 << 16]bool)
	for _, w := range secretWords {
		heads[uint16(w[0])<<8|uint16(w[1])] = true
	}
	return heads
})

// Each calls emit with the names in a text that hold one of the words, and
// the values that they are given: "name=value", "name: 'value'", and how else
// programs and settings write it.
func Each(text string, emit func(name, value string, at int)) {
	heads := secretHeads()
	for i := 0; i+8 < len(text); i++ {
		if !heads[uint16(text[i]|0x20)<<8|uint16(text[i+1]|0x20)] || !startsWord(text[i:]) {
			continue
		}
		from, to := nameAround(text, i)
		value, at := valueBehind(text, from, to)
		if len(value) >= 4 {
			emit(text[from:to], value, at)
			i = at + len(value) - 1
		} else {
			i = max(i, to-1)
		}
	}
}

func startsWord(text string) bool {
	for _, w := range secretWords {
		if len(text) >= len(w) && strings.EqualFold(text[:len(w)], w) {
			return true
		}
	}
	return false
}

// Holds reports whether a name has one of the words in it.
func Holds(name string) bool {
	for i := range len(name) {
		if startsWord(name[i:]) {
			return true
		}
	}
	return false
}

const maxName = 60

func nameAround(text string, i int) (from, to int) {
	for from = i; from > 0 && i-from < maxName && isName(text[from-1]); from-- {
	}
	for to = i; to < len(text) && to-i < maxName && isName(text[to]); to++ {
	}
	return from, to
}

func isName(c byte) bool { return word(c) || c == '-' || c == '.' }

// valueBehind returns the value that the name text[from:to] is given, and where it
// stands; "" if there is none.
func valueBehind(text string, from, to int) (value string, at int) {
	i := skip(text, to, " \t\"'`\\)]", 5)
	quoted := i > to && strings.ContainsAny(text[to:i], "\"'`")
	// A type may stand between the name and its value.
	if i > to {
		for _, kind := range []string{"string ", "String "} {
			if strings.HasPrefix(text[i:], kind) {
				i += len(kind)
			}
		}
	}
	after := skip(text, i, ":=>?.|+,", 5)
	operator := text[i:after]
	if operator == "" || operator == "." || operator == ".." || strings.HasPrefix(operator, ",") && !quoted {
		return "", to
	}
	i = skip(text, after, " \t\r\n\"'`\\=", 12)
	if operator[0] == ',' && !strings.ContainsAny(text[after:i], "\"'`") {
		return "", to
	}
	end := i
	for end < len(text) && end-i < 4096 && !strings.ContainsRune(" \t\r\n\"'`<>&;,{}()", rune(text[end])) {
		end++
	}
	// "\n" that stands in a text as two signs ends a value too.
	value = text[i:end]
	if k := strings.IndexByte(value, '\\'); k >= 0 {
		value = value[:k]
	}
	return value, i
}

func skip(text string, i int, signs string, most int) int {
	for k := 0; k < most && i < len(text) && strings.IndexByte(signs, text[i]) >= 0; k++ {
		i++
	}
	return i
}

// notSecret are what names with the words mean when they mean no secret.
var notSecret = []string{"author", "accessib", "accessor", "accessid", "randomaccess", "apiid", "apiname", "apiversion", "apiurl", "rapid", "capital", "credentialid", "credentialsid",
	"withcredentials", "publickey", "pubkey", "primarykey", "foreignkey", "bucketkey", "schemakey", "sequencekey", "hotkey", "naturalkey", "idxkey", "monkey", "turkey", "keying",
	"keyalias", "keyboard", "keycode", "keyframe", "keyid", "keylength", "keymesh", "keyname", "keypair", "keypress", "keyring", "keyselector", "keysignature", "keysize",
	"keystore", "keyword", "keyup", "keydown", "keyleft", "keyright", "keyvault", "keyfile", "keytab", "keyhash", "secretlength", "secretname", "secretsize", "secretsid",
	"csrf", "xsrf", "tokenfile", "tokenurl", "tokenuri", "tokenendpoint", "tokentype", "publictoken", "jsonwebtoken", "endpoint", "translationkey", "cachekey", "querykey",
	"sortkey", "partitionkey", "groupkey", "datakey", "rowkey", "itemkey", "authority", "authenticationresults", "exchangeorganizationauth", "apijar", "sitekey", "idempotency", "websocketkey"}

// Loose reports whether a name may be one of a secret by a word in it.
func Loose(name string) bool {
	p := Plain(name)
	return p != "key" && p != "api" && p != "access" && !mentions(notSecret, p)
}

// KeyLike reports whether a value can hardly be anything but a key.
func KeyLike(s string) bool {
	if len(s) < 10 || len(s) > 512 || Masked(s) || Alphabet(s) || strings.HasSuffix(s, "SNAPSHOT") || strings.Contains(s, "://") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, "$") {
		return false
	}
	digits, upper, lower := Mix(s)
	return digits >= 1 && upper+lower >= 2 && (digits+upper+lower)*5 >= len(s)*4 && Entropy(s) >= 3.2
}
