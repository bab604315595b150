// Package mock answers the requests of a page from a recording, and decides
// which may leave the machine.
//
// A [Router] has two layers. The outer one lets requests out only to origins
// that the recording used, that these were mapped to, or that the caller
// allows; it holds for every kind of request, in both modes. The inner one
// answers fetch and XHR with what was recorded: first by method, address and
// body, then by address, then by an address that differs in what changes from
// run to run. What finds no answer is a [Miss], with the nearest entry of the
// recording and why it was not taken.
//
//	r, err := mock.New(ctx, archive, mock.Options{Target: "http://localhost:3000"})
//	if err != nil {
//		return err
//	}
//	gate, err := r.Gate()
//	if err != nil {
//		return err
//	}
//	defer gate.Close()
//	b, err := browser.Launch(ctx, browser.Options{Flags: gate.Flags()})
//	…
//	net, err := r.Attach(ctx, b.Rod)
//	defer net.Close()
//
// [Router.Answer] is for those who hold the requests themselves. Web sockets,
// event streams and streamed bodies need [Router.Script] in every document: it
// plays them on the page's own timers.
package mock
