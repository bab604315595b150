package index

// describer finds titles.
type describer struct{}

// describe returns what a list shows of the action that r begins.
func (j *joiner) describe(_ *entry, r *record) title {
	d := title{text: j.text(r.title), detail: j.text(r.subtitle), flags: groupFlags(string(r.group))}
	if d.text == 0 {
		d.text = j.text(r.method)
	}
	if d.detail == 0 {
		for _, name := range []string{"selector", "url"} {
			if v := text(element(r.params, name)); v != nil {
				d.detail = j.text(v)
				break
			}
		}
	}
	return d
}
