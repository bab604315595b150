package diff

// console compares the messages of consoles. Errors that are new or gone are
// worse or better, other messages are only different.
func (c *Comparer) console() Section {
	var sides [2][]occurrence
	for side := range sides {
		for _, m := range c.sides[side].Trace.Console {
			o := occurrence{what: "console " + level(m.Kind), text: m.Text, at: m.Time, bad: level(m.Kind) == "error"}
			o.pair = c.lines[side].pairAt(m.Time)
			o.path = c.lines[side].pathAt(m.Time, m.PageID)
			script := ""
			if m.Location.URL != "" {
				script = c.masks.pathOf(m.Location.URL)
			}
			o.kind = o.what + "\x00" + c.masks.Text(InMessage, m.Text) + "\x00" + script
			sides[side] = append(sides[side], o)
		}
	}
	return section(Console, joinReplaced(c.compareKinds(InMessage, sides)))
}

// level is how grave a message is.
func level(kind string) string {
	switch kind {
	case "error", "assert":
		return "error"
	case "warning", "warn":
		return "warning"
	}
	return "message"
}
