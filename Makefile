# make demo   installs what is missing, builds, and opens the viewer on a real trace
# make test   installs what the tests need and runs all of them
# The other targets are named in docs/development.md.

GO      ?= go
BIN     := bin/tracedeck
SAMPLE  := testdata/corpus/playwright/runner-failing-assertion.zip
# Packages in which several goroutines meet are tested with the race detector.
RACE    := /(trace/index|trace/remote|trace/internal/container|trace/snapshot|viewer|recorder)(/|$$)

.PHONY: demo build test check-format check-vet check-static check-go check-cross check-web fuzz browser web clean

build: $(BIN)

# The linker's own file stays in memory page by page until it is read from the
# disk again, and starts more slowly than a copy: by a tenth of a short run.
.PHONY: $(BIN)
$(BIN):
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN) ./cmd/tracedeck
	@cp $(BIN) $(BIN).new && mv $(BIN).new $(BIN)

demo: browser build
	@if [ -n "$$TRACEDECK_HEADLESS" ]; then $(BIN) view --check --screenshot out/demo.png $(SAMPLE); \
	else $(BIN) view $(SAMPLE); fi

# Chromium, by apt-get where there is none.
browser:
	@.ci/browser

test: browser check-format check-vet check-static check-web check-cross check-go

check-format:
	@files=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$files" ]; then echo "not gofmt-ed:"; echo "$$files"; exit 1; fi

check-vet:
	$(GO) vet ./...

check-static:
	$(GO) tool staticcheck ./...

# The packages that take longest come first, so that none is left alone at the end.
check-go:
	$(GO) test -timeout 20m $$($(GO) list ./... | grep -vE '$(RACE)')
	$(GO) test -race -timeout 20m $$($(GO) list ./... | grep -E '$(RACE)' | sort -r)

# One static binary that also builds for the other systems.
check-cross:
	@for os in linux/arm64 darwin/arm64 darwin/amd64 windows/amd64; do echo "build $$os"; \
	CGO_ENABLED=0 GOOS=$${os%/*} GOARCH=$${os#*/} $(GO) build -o /dev/null ./cmd/tracedeck || exit 1; done

# Type check, unit tests, and whether the built assets match their sources.
check-web:
	@.ci/web

web:
	cd web && npm ci --no-audit --no-fund --silent && node build.mjs

# The reference of all commands, from the program itself.
.PHONY: docs
docs: build
	$(BIN) __docs > docs/commands.md
	$(BIN) codes --markdown > docs/codes.md

# A picture of every screen of the viewer, dark and light, in two sizes, into
# out/pictures, and those of the documentation into docs/images.
.PHONY: pictures
pictures: browser
	$(GO) run ./viewer/internal/pictures -o out/pictures -docs docs/images

# Generated tests and scripts, run by the real Playwright (from npm).
.PHONY: check-scripts
check-scripts: browser
	@.ci/scripts

# The MCP server, asked by the official TypeScript client (from npm).
.PHONY: check-mcp
check-mcp: browser
	@.ci/mcp-client/run
# What an audit makes of 100 MB of real text without secrets: false findings,
# time to the first one and to the last, memory.
.PHONY: check-audit
check-audit:
	@.ci/audit

FUZZTIME ?= 10m
fuzz:
	@for pkg in $$($(GO) list ./...); do for f in $$($(GO) test -list '^Fuzz' $$pkg | grep ^Fuzz); do \
	echo "$$pkg $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -parallel 1 $$pkg || exit 1; done; done

# What the viewer may cost, then first rows and memory beside Playwright's, in
# one run. Name traces
# with TRACES=…; without, large ones are made of a real one.
.PHONY: bench-view
bench-view: browser build
	@.ci/bench-view $(TRACES)

# One pass over apps from npm, recorded by Playwright and by tracedeck: is all
# that they have in ours, with a selector of one element for each action?
.PHONY: compare-recording
compare-recording: browser build
	@.ci/compare-recording compare "" apps
	@.ci/compare-recording compare "" widgets

# Recordings of browsers that Puppeteer and Selenium drive and of a window, and
# user flows read by those who made the format.
.PHONY: check-drivers
check-drivers: browser build
	@.ci/compare-recording drivers

# What recording adds to a flow, beside Playwright's tracing, in one run.
.PHONY: bench-record
bench-record: browser build
	@.ci/compare-recording bench $(ROUNDS)

# How long a live recording takes to be seen: from a click in a page to its row
# in tracedeck view.
.PHONY: bench-live
bench-live: browser build
	@.ci/compare-recording live

# Whether a page that storms stays usable while it is recorded: pictures a second
# and how long clicks take, alone and recorded, and the recorder's memory.
.PHONY: bench-storm
bench-storm: browser build
	@.ci/compare-recording storm

# How fast traces are indexed, beside plain inflation of the same entries.
.PHONY: bench-index
bench-index:
	$(GO) run ./trace/index/internal/openbench $(TRACES)

# The picture comparison beside odiff and pixelmatch (from npm): user and system
# time of whole processes on screenshots of Chromium. PEERS names a folder with
# the packages, PAIRS one with screenshots, where they are there already.
.PHONY: bench-imgdiff check-imgdiff
bench-imgdiff: browser build
	@.ci/imgdiff bench

# The first divergence of two sessions of 5,000 steps, and two traces of 50 MB.
.PHONY: bench-diff
bench-diff: build
	$(GO) run ./diff/internal/diffbench -tracedeck $(BIN)

# Counts beside those of the npm packages, on COUNT (360) generated pairs.
check-imgdiff:
	@.ci/imgdiff check

# The workflow that "init --github" writes, by actionlint.
.PHONY: check-workflows
check-workflows: build
	@.ci/workflows

# Every real trace cut off at 200 places, and with a bit flipped at 200.
.PHONY: soak
soak:
	DAMAGE_PLACES=200 $(GO) test -timeout 60m -run 'CutOff|Flipped|DamagedLines' ./trace
	KILLS=50 $(GO) test -timeout 60m -v -run 'KilledRecorder|KilledBrowser' ./recorder
	DOWNLOAD_MB=2048 STORM_SECONDS=10 $(GO) test -timeout 20m -v -run 'LongDownloads|Storm' ./recorder

clean:
	rm -rf bin out

# Replays each session ten times and prints which pictures were always the
# same, idle and with the machine kept busy: of pages with what usually differs,
# and of real apps, which npm gets. TRACES and URL name others.
.PHONY: check-determinism
check-determinism: browser build
	$(GO) run ./replay/internal/repeat -n 10 -url "$(URL)" $(TRACES)
	$(GO) run ./replay/internal/repeat -n 10 -load 2 -url "$(URL)" $(TRACES)
	@if [ -z "$(TRACES)" ]; then .ci/check-determinism 10; fi

# Measures how long sessions with a minute of think time take, and twenty of
# them one after another and two at a time.
.PHONY: bench-replay
bench-replay: browser build
	$(GO) run ./replay/internal/repeat -speed -n 3

# Replays the traces of the corpus, and traces in which all of Playwright's
# actions and assertions occur, against their pages, and prints how far each came.
.PHONY: check-foreign
check-foreign: build
	node .ci/replay-foreign/main.mjs $(TRACES)
