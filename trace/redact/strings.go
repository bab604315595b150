package redact

import "reflect"

// Strings masks all texts in what v points to: fields, elements, and the names
// and values of maps. Bytes, and what is not exported, stay as they are. v must
// not lead back to itself.
func (m *Masker) Strings(v any) { m.in(reflect.ValueOf(v)) }

func (m *Masker) in(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			m.in(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() && v.CanSet() {
			v.Set(m.copied(v.Elem()))
		}
	case reflect.String:
		if v.CanSet() {
			v.SetString(m.Text(v.String()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				m.in(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			m.in(v.Index(i))
		}
	case reflect.Map:
		m.inMap(v)
	}
}

// inMap makes a map anew: what is in one cannot be changed in place.
func (m *Masker) inMap(v reflect.Value) {
	if v.IsNil() || !v.CanSet() {
		return
	}
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		out.SetMapIndex(m.copied(it.Key()), m.copied(it.Value()))
	}
	v.Set(out)
}

// copied returns a masked copy of a value that cannot be changed in place.
func (m *Masker) copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	m.in(c)
	return c
}
