package index

// action returns the action a line belongs to, and NoRow where it has not
// begun yet: then the cell is filled in when it does.
func (j *joiner) action(e *entry, id []byte, ref reference) Row {
	if len(id) == 0 {
		return NoRow
	}
	key, row := j.call(e, id)
	if row != NoRow {
		return row
	}
	j.waiting[key] = append(j.waiting[key], ref)
	return NoRow
}

// call returns the row of a call, NoRow where it has not begun, and its key.
func (j *joiner) call(e *entry, id []byte) (callKey, Row) {
	// Lines of one action mostly come one after the other.
	if last := &j.lastCall; len(id) > 0 && last.key.context == e.ctx.number && string(last.id) == string(id) {
		return last.key, last.row
	}
	key := callKey{e.ctx.number, j.name(id)}
	row, ok := j.calls.get(key)
	if !ok {
		return key, NoRow
	}
	j.remember(key, id, row)
	return key, row
}

// remember keeps the call that lines have named last.
func (j *joiner) remember(key callKey, id []byte, row Row) {
	j.lastCall.key, j.lastCall.row = key, row
	j.lastCall.id = append(j.lastCall.id[:0], id...)
}

// resolve fills in the cells that waited for the action.
func (j *joiner) resolve(key callKey, row Row) {
	list, ok := j.waiting[key]
	if !ok {
		return
	}
	delete(j.waiting, key)
	for _, ref := range list {
		if ref.table == Actions && ref.row == row {
			continue
		}
		j.x.tables[ref.table].setWord(ref.row, ref.col, uint32(row))
		j.patch(ref.table, ref.row)
		switch ref.table {
		case Logs:
			j.countLog(row)
		case Inputs:
			j.setFlags(row, HasInput)
		case Snapshots:
			j.linkSnapshot(row, ref.row)
		case Stills:
			j.setFlags(row, HasStill)
		}
	}
}

func (j *joiner) setFlags(row Row, flags ActionFlags) {
	t := j.x.tables[Actions]
	old := t.getWord(row, ActionFlagBits)
	if old|uint32(flags) != old {
		t.setWord(row, ActionFlagBits, old|uint32(flags))
		j.patch(Actions, row)
	}
}
