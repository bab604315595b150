// Package schema checks JSON values against schemas of JSON Schema 2020-12, as OpenAPI documents hold them, and says of
// each fault where it is and which keyword is broken. Formats and contents are annotations, as that draft has it.
package schema
