package inflate

// Place is where a decoder stands in its stream. It is small: tables are built again from the header of the block.
type Place struct {
	at     spot
	header spot
	state  state
	final  bool
	stored int
}

// spot is a position in bits: n bits, which are less than a byte, are left of the byte before pos.
type spot struct {
	pos  int
	bits uint64
	n    uint
}

// spot is where d stands, without bits that were only read ahead.
func (d *Decoder) spot() spot {
	n := d.n & 7
	return spot{d.pos - int(d.n>>3), d.bits & (1<<n - 1), n}
}

func (d *Decoder) stand(s spot) { d.pos, d.bits, d.n = s.pos, s.bits, s.n }

// Place returns where d stands.
func (d *Decoder) Place() Place {
	return Place{d.spot(), d.block, d.state, d.final, d.stored}
}

// Return makes d go on at a place of its stream, or of one that agrees with it up to there.
func (d *Decoder) Return(p Place) error {
	if p.state == inCodes {
		d.stand(p.header)
		if err := d.header(); err != nil {
			return err
		}
	}
	d.stand(p.at)
	d.block, d.state, d.final, d.stored = p.header, p.state, p.final, p.stored
	return nil
}
