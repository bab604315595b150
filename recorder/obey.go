package recorder

import (
	"fmt"

	"github.com/tracedeck/tracedeck/recorder/cdp"
)

// Asked is closed when a person asked, by the overlay, that the recording ends.
// Whoever holds the session owes Stop.
func (s *Session) Asked() <-chan struct{} { return s.asked }

// obey does what a person asks for by the overlay or a hot key.
func (s *Session) obey(c cdp.Command) {
	switch c.Name {
	case "stop":
		s.askOnce.Do(func() { close(s.asked) })
	case "group":
		s.toggleGroup(c.Number)
	}
}

// toggleGroup ends the group that hot keys began, and begins the one of the
// key unless that was it. Key 0 only ends.
func (s *Session) toggleGroup(n int) {
	was := s.hotGroup
	if was != 0 {
		s.StopGroup()
		s.hotGroup = 0
		s.rec.ShowGroup("")
	}
	if n == 0 || n == was {
		return
	}
	name := fmt.Sprintf("Group %d", n)
	if n <= len(s.o.Groups) {
		name = s.o.Groups[n-1]
	}
	s.StartGroup(name)
	s.hotGroup = n
	s.rec.ShowGroup(name)
}
