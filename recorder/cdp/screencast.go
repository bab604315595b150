package cdp

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// The screencast's pace: a picture each calm while nothing is done, and all
// that come for keen after the beginning or the end of an action.
const (
	calm = 200 * time.Millisecond
	keen = 500 * time.Millisecond
)

// screencast is the series of pictures of a page.
type screencast struct {
	ack  int // of the picture that was taken and not acknowledged; 0 if none
	due  time.Time
	keen time.Time // until when all pictures are wanted
	last string    // the file of the last picture
}

func (r *Recorder) startCast(p *page) {
	if r.o.Pictures == NoPictures || r.o.Pictures == "" || r.o.Overlay {
		return
	}
	r.send(p.session, "Page.startScreencast", object{"format": string(r.o.Pictures), "quality": r.o.Quality,
		"maxWidth": r.o.MaxSide, "maxHeight": r.o.MaxSide, "everyNthFrame": 1})
}

func screencastFrame(r *Recorder, s *session, p *struct {
	Data     string `json:"data"`
	Session  int    `json:"sessionId"`
	Metadata struct {
		Width  float64 `json:"deviceWidth"`
		Height float64 `json:"deviceHeight"`
		Time   float64 `json:"timestamp"`
	} `json:"metadata"`
}, e event) {
	if s.page == nil {
		return
	}
	c := &s.page.cast
	c.ack, c.due = p.Session, e.at.Add(calm)
	s.page.width, s.page.height = p.Metadata.Width, p.Metadata.Height
	at := r.arrived(e.at)
	if p.Metadata.Time > 0 {
		at = r.wall.at(p.Metadata.Time, at)
	}
	r.picture(s.page, p.Data, at, p.Metadata.Time*1000, false)
	if e.at.Before(c.keen) {
		r.releaseFrame(s.page)
	}
}

// releaseFrame asks for the next picture when it is time: the browser sends
// none before the last is acknowledged.
func (r *Recorder) releaseFrame(p *page) {
	now := time.Now()
	if p.cast.ack != 0 && (now.After(p.cast.due) || now.Before(p.cast.keen)) {
		r.send(p.session, "Page.screencastFrameAck", object{"sessionId": p.cast.ack})
		p.cast.ack = 0
	}
}

// quicken takes all pictures for a while, because something is being done.
func (r *Recorder) quicken(p *page) {
	p.cast.keen = time.Now().Add(keen)
	r.releaseFrame(p)
}

// picture writes a picture. One that is as the last was is written only if it
// must be: it says that nothing changed until then.
func (r *Recorder) picture(p *page, data string, at trace.Time, swap float64, must bool) {
	img, err := base64.StdEncoding.DecodeString(data)
	if err != nil || len(img) == 0 {
		return
	}
	ext := ".jpeg"
	if r.o.Pictures == PNG {
		ext = ".png"
	}
	file, err := r.sink.AddResource(img, ext)
	if err != nil || file == p.cast.last && !must {
		return
	}
	p.cast.last = file
	r.sink.Write(&trace.ScreencastFrame{PageID: p.id, File: file, Width: p.width, Height: p.height, Timestamp: at, FrameSwapWallTime: swap})
}

// shoot takes a picture now, and calls then when it is written or cannot be had.
func (r *Recorder) shoot(p *page, then func()) {
	if r.o.Pictures == NoPictures || r.o.Pictures == "" || p.closed {
		then()
		return
	}
	params := object{"format": string(r.o.Pictures), "optimizeForSpeed": true}
	if r.o.Pictures == JPEG {
		params["quality"] = r.o.Quality
	}
	if side := max(p.width, p.height); side > float64(r.o.MaxSide) && r.o.MaxSide > 0 {
		params["clip"] = object{"x": 0, "y": 0, "width": p.width, "height": p.height, "scale": float64(r.o.MaxSide) / side}
	}
	shown := r.hideOverlay(p)
	r.conn.Send(p.session.id, "Page.captureScreenshot", params, func(result raw, err error) {
		var shot struct {
			Data string `json:"data"`
		}
		if err == nil && json.Unmarshal(result, &shot) == nil {
			r.picture(p, shot.Data, r.sink.Now(), 0, true)
		}
		shown()
		then()
	})
}
