package browser_test

import (
	"context"
	"fmt"

	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder/browser"
)

// A browser without a window, and a page in it.
func ExampleLaunch() {
	b, err := browser.Launch(context.Background(), browser.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	page, err := b.Rod.Page(proto.TargetCreateTarget{URL: "data:text/html,<title>Hello</title>"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(page.MustWaitLoad().MustInfo().Title)
	// Output: Hello
}
