package main

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracedeck/tracedeck/diff/visual"
)

func TestPictureDiffIsPrintedAsEncodingJSONDoes(t *testing.T) {
	answers := []pictureDiff{{},
		{First: `a "quoted" \ <b> & c.png`, Second: "grün\u2028\x7f\x01\xff.png"},
		{Result: visual.Result{Ratio: 1e-7, Threshold: 1e-6, Boxes: []visual.Box{}, Moves: []visual.Move{}}},
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		var d pictureDiff
		fill(reflect.ValueOf(&d).Elem(), random)
		answers = append(answers, d)
	}
	for _, d := range answers {
		var want, got bytes.Buffer
		if err := writeJSON(&want, d); err != nil {
			t.Fatal(err)
		}
		if err := d.print(&got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.String(), got.String()); diff != "" {
			t.Fatalf("%+v:\n%s", d, diff)
		}
	}
}

// fill sets what is exported in v, some of it to zero.
func fill(v reflect.Value, random *rand.Rand) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				fill(f, random)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), random.IntN(3), 3))
		for i := range v.Len() {
			fill(v.Index(i), random)
		}
	case reflect.Int:
		v.SetInt(int64(random.IntN(2) * random.IntN(1e6)))
	case reflect.Float64:
		v.SetFloat(float64(random.IntN(2)) * random.Float64())
	case reflect.Bool:
		v.SetBool(random.IntN(2) == 0)
	case reflect.String:
		v.SetString([]string{"", "inserted", "a/ü.png"}[random.IntN(3)])
	}
}
