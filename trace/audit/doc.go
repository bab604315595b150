// Package audit lists the security faults that a trace gives away: credentials
// and personal data where they should not be, endpoints that answer with
// personal data to anybody, plain HTTP, headers and cookie flags that are
// missing. It is rules over what was recorded: nothing is asked of a network,
// and what was not recorded is said to be so, never to be clean.
package audit
