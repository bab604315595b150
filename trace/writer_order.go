package trace

// naming puts snapshots behind the lines that name them. Version 3 had them
// before, and so do some recorders of later ones; viewers miss such snapshots.
type naming struct {
	on      bool
	s       *scan
	written map[snapshotKey]bool // lines that name a snapshot of that phase
	queue   []*FrameSnapshot     // all pass through it: they count each other
}

// order writes the event, now or when its turn comes.
func (conv *conversion) order(body Body, write func(Body) error) error {
	n := &conv.naming
	if !n.on {
		return write(body)
	}
	if b, ok := body.(*FrameSnapshot); ok {
		n.queue = append(n.queue, b)
		return conv.release(false, write)
	}
	if err := write(body); err != nil {
		return err
	}
	switch b := body.(type) {
	case *Before:
		n.written[snapshotKey{b.CallID, PhaseBefore}] = true
	case *Input:
		n.written[snapshotKey{b.CallID, PhaseAction}] = true
	case *After:
		n.written[snapshotKey{b.CallID, PhaseAfter}] = true
	default:
		return nil
	}
	return conv.release(false, write)
}

// release writes the snapshots at the head of the queue that are named.
func (conv *conversion) release(all bool, write func(Body) error) error {
	n := &conv.naming
	for len(n.queue) > 0 && (all || n.ready(n.queue[0])) {
		b := n.queue[0]
		n.queue = n.queue[1:]
		if err := write(b); err != nil {
			return err
		}
	}
	return nil
}

func (n *naming) ready(b *FrameSnapshot) bool {
	by := PhaseBefore
	switch {
	case b.Phase == PhaseAction && n.s.inputs[b.CallID]:
		by = PhaseAction
	case b.Phase == PhaseAfter && n.s.ended[b.CallID]:
		by = PhaseAfter
	case !n.s.began[b.CallID]:
		return true
	}
	return n.written[snapshotKey{b.CallID, by}]
}
