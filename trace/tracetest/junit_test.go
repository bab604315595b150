package tracetest

import (
	"encoding/xml"
	"testing"
)

func TestTheSchemaOfJUnitTellsGoodFromBad(t *testing.T) {
	var schema struct {
		Elements []schemaElement `xml:"element"`
	}
	if err := xml.Unmarshal(junitSchema, &schema); err != nil {
		t.Fatal(err)
	}
	for document, good := range map[string]bool{
		`<testsuites tests="1"><testsuite name="a" tests="1"><testcase name="b"><error>x</error><failure/><system-out>y</system-out></testcase></testsuite></testsuites>`: true,
		`<testsuites skipped="1"/>`:                          false, // an attribute that is not declared
		`<testsuite name="a"/>`:                              false, // one that is missing
		`<testsuites><testcase name="b"/></testsuites>`:      false, // a child in the wrong place
		`<testsuite name="a" tests="1">text</testsuite>`:     false,
		`<testcase name="b"><failure/><error/></testcase>`:   false, // out of order
		`<testcase name="b"><flakyFailure/></testcase>`:      false,
		`<testcase name="b"><skipped/><skipped/></testcase>`: false,
		`<html/>`: false,
	} {
		var n node
		if err := xml.Unmarshal([]byte(document), &n); err != nil {
			t.Fatal(err)
		}
		if err := valid(schema.Elements, &n); (err == nil) != good {
			t.Errorf("%s: %v", document, err)
		}
	}
}
