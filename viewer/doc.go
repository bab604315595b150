// Package viewer serves the page that shows traces.
//
//	s, err := viewer.New(ctx, viewer.Options{Listener: ui, ContentListener: content, Paths: paths})
//	fmt.Println(s.URL())
//	err = s.Serve(ctx)
//
// The page comes from one listener, everything that was recorded from the
// other, so that the browser keeps the two apart. Rows go to the page over a
// WebSocket (package viewer/wire) while the index is still being built;
// recorded pages and bodies are plain HTTP (package viewer/content).
//
// Nobody is let in without the token of the launch link, and no request is
// answered whose Host is not ours, so that other pages in the same browser
// can read nothing, whatever name they gave our address.
package viewer
