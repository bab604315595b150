package cdp

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestPicturesAreTakenOutOfTheirEvents(t *testing.T) {
	for params, taken := range map[string]bool{
		`{"data":"/9j/4AAQ+w==","metadata":{"deviceWidth":1280,"timestamp":1.5},"sessionId":7}`: true,
		`{"data":"","metadata":{},"sessionId":7}`:                                               true,
		`{"data":"\/9j\/4AAQ","metadata":{},"sessionId":7}`:                                     false,
		`{"metadata":{},"data":"AAAA","sessionId":7}`:                                           false,
		`{"data":"AAAA"}`:    false,
		`{ "data": "AAAA" }`: false,
		`{"data":"AAAA`:      false,
		`{"data":7}`:         false,
		`{}`:                 false,
	} {
		var whole, outside castFrame
		data, rest := pictureIn([]byte(params))
		if (data != nil) != taken {
			t.Errorf("%s: taken %v", params, data != nil)
		}
		wrong, wrongOutside := json.Unmarshal([]byte(params), &whole), json.Unmarshal(rest, &outside)
		if data != nil {
			outside.Data = string(data)
		}
		if (wrong == nil) != (wrongOutside == nil) || wrong == nil && whole != outside {
			t.Errorf("%s: %+v (%v), decoded as a whole %+v (%v)", params, outside, wrongOutside, whole, wrong)
		}
	}
}

func FuzzPicturesAreWhatADecoderFinds(f *testing.F) {
	f.Add([]byte(`{"data":"/9j/4AAQ","metadata":{"deviceWidth":1280},"sessionId":7}`))
	f.Fuzz(func(t *testing.T, params []byte) {
		var whole castFrame
		data, rest := pictureIn(params)
		twice := bytes.Contains(bytes.ToLower(rest), []byte(`"data`)) || bytes.Contains(rest, []byte(`\u`))
		if data == nil || decoded(data) == nil || twice || json.Unmarshal(params, &whole) != nil {
			return
		}
		if string(data) != whole.Data {
			t.Errorf("%q: took %q, a decoder finds %q", params, data, whole.Data)
		}
	})
}
