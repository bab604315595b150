package fields

import (
	"testing"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

type size struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

type value struct {
	name string
	n    int
	on   bool
	size *size
}

func (v *value) fields() []Field {
	return []Field{{Name: "name", Ptr: &v.name, Empty: true}, {Name: "n", Ptr: &v.n}, {Name: "on", Ptr: &v.on}, {Name: "size", Ptr: &v.size}}
}

func TestWhatIsReadIsWritten(t *testing.T) {
	for in, want := range map[string]string{
		`{"name":"a","n":1,"on":true,"size":{"width":1,"height":2}}`: `{"name":"a","n":1,"on":true,"size":{"width":1,"height":2}}`,
		`{"name":"a","n":0,"on":false}`:                              `{"name":"a","n":0,"on":false}`,
		`{"more":[1],"n":"text","size":null}`:                        `{"name":"","more":[1],"n":"text","size":null}`,
		`{"name":"a","size":{"width":1,"height":2,"dpr":3}}`:         `{"name":"a","size":{"width":1,"height":2,"dpr":3}}`,
		`{"name":"a","name":"b"}`:                                    `{"name":"b"}`,
		`{"n":1.5}`:                                                  `{"name":"","n":1.5}`,
	} {
		obj, err := rawjson.Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		var v value
		extra := Decode(obj, v.fields())
		got, err := Encode(nil, "", v.fields(), extra)
		if err != nil || string(got) != want {
			t.Errorf("%s became %s, want %s (%v)", in, got, want, err)
		}
	}
}

func TestChangesWinAndUnknownMembersStay(t *testing.T) {
	obj, _ := rawjson.Parse([]byte(`{"name":"a","n":0,"size":{"width":1,"height":2,"dpr":3}}`))
	var v value
	extra := Decode(obj, v.fields())
	if v.size == nil || v.size.Width != 1 {
		t.Fatalf("%+v", v)
	}
	v.n, v.size.Width = 5, 9
	got, err := Encode(nil, "t", v.fields(), extra)
	if want := `{"type":"t","name":"a","n":5,"size":{"width":9,"height":2,"dpr":3}}`; err != nil || string(got) != want {
		t.Errorf("%s, want %s (%v)", got, want, err)
	}
}
