package index

// Options say how an index is made and kept. The zero value is fine.
type Options struct {
	// OnBatch is called by the goroutine that builds, each time rows have
	// been added or changed, and once at the end. It should be quick.
	OnBatch func(Batch)
	// CacheDir is where indexes are kept; "" means tracedeck's folder in the
	// user's cache.
	CacheDir string
	// NoCache neither reads nor writes the cache.
	NoCache bool
	// CacheSize is how many bytes the cache may take; 0 means 8 GB. The
	// indexes used the longest time ago go first.
	CacheSize int64
}

// Batch tells of rows that came in and of rows that changed.
type Batch struct {
	Index *Index
	// Rows is how many rows each table has now.
	Rows [Tables]int
	// Patched is how many changes of rows there have been so far; see
	// [Index.Patches].
	Patched int
	// Bytes have been read out of Total; Total is 0 where it is not known.
	Bytes, Total int64
	// Done is set on the last batch of a pass.
	Done bool
}

// Patch says that a row that was out already has changed.
type Patch struct {
	Table Table
	Row   Row
}
