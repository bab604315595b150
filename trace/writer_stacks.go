package trace

import "context"

// Stacks returns the call stacks that a file keeps in an entry of their own,
// by call id. Stacks may also stand in the before lines themselves.
func (a *Archive) Stacks(ctx context.Context, f File) (map[string][]StackFrame, []Warning) {
	return a.stacks(ctx, f)
}
