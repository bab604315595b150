package snapshot

// LimitNodes sets how many nodes a page may have, so that tests of the limit
// need not reach it.
func (s *Store) LimitNodes(n int) { s.maxNodes = n }
