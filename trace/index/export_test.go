package index

// ForgetLanes makes the next view build its pyramid.
func (x *Index) ForgetLanes() { x.lanes.built = [Lanes]*pyramid{} }
