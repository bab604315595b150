package trace

const seekEntry = "tracedeck/seek.json"

type seekIndex struct{}

func (s *seekIndex) add(packedEntry) {}
func (s *seekIndex) text() []byte    { return nil }
