// Package watch tells which events of a trace that is still growing are worth
// telling about: new errors, failing requests, slow pages, signs that a person
// is stuck, secrets in addresses.
//
// A [Detector] looks at the events of a trace and finds those. A [Pacer] puts
// them together into notices, few enough to be read, and says how many it left
// out. [Follow] does both for a folder that is being recorded into, and a [Log]
// keeps what was found for those who come back.
package watch
