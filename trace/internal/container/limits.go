package container

// Limits bound what a hostile container can cost.
type Limits struct {
	// Entries is how many there may be; a container of more is refused.
	Entries int
	// Directory is the bytes that a zip's central directory may have.
	Directory int64
	// An entry that inflates to more than Ratio times its compressed size is
	// taken for a bomb and stopped, once it has given Freely bytes. Excess is
	// how many bytes beyond that ratio all entries together may give.
	Ratio, Freely, Excess int64
	// Spool is the bytes that may be written to a temporary file.
	Spool int64
}

// DefaultLimits are far above what recorders write: real text inflates to 5 to
// 60 times its size, and the largest known traces have some 70,000 entries.
func DefaultLimits() Limits {
	return Limits{Entries: 400_000, Directory: 128 << 20, Ratio: 120, Freely: 64 << 20, Excess: 1 << 30, Spool: 64 << 30}
}

func (l Limits) orDefault() Limits {
	if l == (Limits{}) {
		return DefaultLimits()
	}
	return l
}
