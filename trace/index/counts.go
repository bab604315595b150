package index

// Counts is how much of each thing a trace has, as info tells it.
type Counts struct {
	Actions     int `json:"actions"` // calls and steps merged; groups and protocol commands included
	Groups      int `json:"groups"`
	Pages       int `json:"pages"`
	Snapshots   int `json:"snapshots"`
	Network     int `json:"network"`
	Console     int `json:"console"` // without what a test wrote to its standard streams
	PageErrors  int `json:"pageErrors"`
	Frames      int `json:"frames"` // of the screencast
	Logs        int `json:"logs"`
	Inputs      int `json:"inputs"`
	Attachments int `json:"attachments"`
	Resources   int `json:"resources"` // entries that hold bodies, pictures, sources and attachments
}
