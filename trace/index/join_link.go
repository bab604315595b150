package index

// action returns the action a line belongs to, and NoRow where it has not
// begun yet: then the cell is filled in when it does.
func (j *joiner) action(e *entry, id []byte, ref reference) Row {
	if len(id) == 0 {
		return NoRow
	}
	// Lines of one action mostly come one after the other.
	if j.lastCall.context == e.ctx.number && string(j.lastCall.id) == string(id) {
		return j.lastCall.row
	}
	key := callKey{e.ctx.number, j.name(id)}
	if row, ok := j.calls[key]; ok {
		j.lastCall.context, j.lastCall.row = e.ctx.number, row
		j.lastCall.id = append(j.lastCall.id[:0], id...)
		return row
	}
	j.waiting[key] = append(j.waiting[key], ref)
	return NoRow
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
