package snapshot

import (
	"strings"
	"sync"
)

// elementRule says how an element is written.
type elementRule uint8

const (
	ruleWrite  elementRule = iota // as it is
	ruleDrop                      // not at all, nor what is inside
	ruleRename                    // under a name that means nothing to browsers
	ruleVoid                      // without inside and end tag
	ruleText                      // only text inside: TITLE
	ruleMeta                      // the others have code of their own
	ruleLink
	ruleStyle
	ruleTextarea
	ruleTemplate
	ruleFrame
	ruleCanvas
	rulePre
	ruleAnimate
)

// elementRules are the elements that browsers treat in a way of their own.
// Whatever is not here is written with the attributes that [allowed] lets
// through, none of which load or run anything.
var elementRules = sync.OnceValue(func() map[string]elementRule {
	m := map[string]elementRule{"title": ruleText, "meta": ruleMeta, "link": ruleLink, "style": ruleStyle, "textarea": ruleTextarea,
		"template": ruleTemplate, "canvas": ruleCanvas, "iframe": ruleFrame, "frame": ruleFrame, "pre": rulePre, "listing": rulePre}
	for rule, names := range map[elementRule]string{
		ruleDrop: "script noembed noframes param track bgsound basefont keygen isindex nextid portal fencedframe handler listener " +
			"foreignscript discard prefetch parsererror sourcetext plaintext-only",
		ruleRename:  "noscript object embed applet plaintext xmp webview layer ilayer multicol controlledframe browser",
		ruleVoid:    "area br col hr img input source wbr",
		ruleAnimate: "animate animatecolor animatemotion animatetransform set",
	} {
		for _, name := range strings.Fields(names) {
			m[name] = rule
		}
	}
	return m
})

// plainAttributes may stand on any element, with any text.
var plainAttributes = set(`abbr accept accept-charset accesskey align alink alt autocapitalize autocomplete axis bgcolor border
bordercolor cellpadding cellspacing char charoff checked class clear color cols colspan column compact content contenteditable controls coords
datetime decoding default dir direction disabled draggable enctype enterkeyhint exportparts face for form frame frameborder
headers height hidden high hspace id indeterminate inert inputmode is itemid itemprop itemref itemscope itemtype label lang language leftmargin
list loop low marginheight marginwidth max maxlength media min minlength multiple muted name noresize noshade novalidate nowrap open optimum
part pattern placeholder popover prefix pubdate radiogroup readonly rel required resource rev reversed role rows rowspan rules scope scrolling
selected shape shadowroot size sizes slot span spellcheck start step style summary tabindex text theme title topmargin translate type typeof
usemap valign value valuetype variant version virtualkeyboardpolicy vlink vocab vspace width wrap property about datatype inlist prefix
writingsuggestions

accent-height accumulate additive alignment-baseline alphabetic amplitude arabic-form ascent attributename attributetype azimuth basefrequency begin
baseline-shift baseprofile bbox bias by calcmode cap-height clip clip-path clip-rule clippathunits color-interpolation
color-interpolation-filters color-rendering cursor cx cy d diffuseconstant display divisor dominant-baseline dur dx dy edgemode elevation
enable-background end exponent fill fill-opacity fill-rule filter filterres filterunits flood-color flood-opacity font-family font-size
font-size-adjust font-stretch font-style font-variant font-weight fr from fx fy g1 g2 glyph-name glyph-orientation-horizontal
glyph-orientation-vertical glyphref gradienttransform gradientunits hanging horiz-adv-x horiz-origin-x ideographic image-rendering in in2
intercept k k1 k2 k3 k4 kernelmatrix kernelunitlength keypoints keysplines keytimes lengthadjust letter-spacing lighting-color limitingconeangle
local marker-end marker-mid marker-start markerheight markerunits markerwidth mask mask-type maskcontentunits maskunits mathematical mode
numoctaves offset opacity operator order orient orientation origin overflow overline-position overline-thickness paint-order panose-1 path
pathlength patterncontentunits patterntransform patternunits pointer-events points pointsatx pointsaty pointsatz preservealpha
preserveaspectratio primitiveunits r radius refx refy rendering-intent repeatcount repeatdur requiredextensions requiredfeatures restart result
rotate rx ry scale seed shape-rendering side slope spacing specularconstant specularexponent spreadmethod startoffset stddeviation stemh stemv
stitchtiles stop-color stop-opacity strikethrough-position strikethrough-thickness stroke stroke-dasharray stroke-dashoffset stroke-linecap
stroke-linejoin stroke-miterlimit stroke-opacity stroke-width surfacescale systemlanguage tablevalues targetx targety text-anchor
text-decoration text-rendering textlength to transform transform-origin u1 u2 underline-position underline-thickness unicode unicode-bidi
unicode-range units-per-em v-alphabetic v-hanging v-ideographic v-mathematical values vector-effect vert-adv-y vert-origin-x vert-origin-y
viewbox visibility widths word-spacing writing-mode x x-height x1 x2 xchannelselector xml:lang xml:space y y1 y2 ychannelselector z zoomandpan

accent accentunder bevelled columnalign columnlines columnspacing columnspan depth displaystyle fence framespacing largeop linethickness lspace
lquote mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowalign rowlines rowspacing rquote rspace
scriptlevel scriptminsize scriptsizemultiplier selection separator separators stretchy subscriptshift superscriptshift symmetric voffset`)

// forbiddenAttributes act, wherever they stand and whatever they say.
var forbiddenAttributes = set(`action allowfullscreen crossorigin loading archive attributionsrc autofocus autoplay background browsingtopics cite classid code codebase command
commandfor credentialless csp data download dynsrc event fetchpriority formaction formenctype formmethod formnovalidate formtarget http-equiv
icon imagesizes imagesrcset integrity interestfor interesttarget invoketarget loadingpolicy longdesc lowsrc manifest method nonce object ping
popovertarget popovertargetaction poster preload profile referrerpolicy sandbox shadowrootmode shadowrootclonable
shadowrootdelegatesfocus shadowrootserializable sharedstoragewritable src srcdoc srclang srcset standby target xlink:actuate xlink:arcrole
xlink:role xlink:show xlink:title xml:base xmlns allow blocking privatetoken elementtiming adauctionheaders href xlink:href xmlns:xlink base`)

// set is made of the names when it is first asked for.
func set(names string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for _, name := range strings.Fields(names) {
			m[name] = true
		}
		return m
	})
}

// allowed reports whether an attribute may be written as it is; name is in
// lower case. Beyond the attributes that are known to be harmless there are
// those that only style sheets and scripts of pages know: of these, names
// that browsers do not use, and values that are no address.
func allowed(element, name, value string) bool {
	switch {
	case !attributeName(name) || strings.HasPrefix(name, "on") || forbiddenAttributes()[name]:
		return false
	case plainAttributes()[name], strings.HasPrefix(name, "data-"), strings.HasPrefix(name, "aria-"):
		return true
	case strings.HasPrefix(name, "__playwright"), strings.HasPrefix(name, "__tracedeck"), strings.ContainsRune(name, ':'):
		return false
	case name[0] == '_', strings.IndexByte(name, '-') > 0, strings.IndexByte(element, '-') > 0:
		return true
	}
	return harmless(value)
}

// harmless reports whether a value can be neither an address nor code.
func harmless(value string) bool {
	if len(value) > 200 {
		return false
	}
	for i := 0; i < len(value); i++ {
		if c := value[i]; !nameByte(c) && strings.IndexByte(" .,%#+", c) < 0 {
			return false
		}
	}
	return true
}

func attributeName(name string) bool {
	if name == "" || !letter(name[0]) && name[0] != '_' {
		return false
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; !letter(c) && !(c >= '0' && c <= '9') && c != '-' && c != '_' && c != '.' && c != ':' {
			return false
		}
	}
	return true
}

// elementName reports whether a name can be written as an element's.
func elementName(name []byte) bool {
	if len(name) == 0 || len(name) > 200 || !letter(name[0]) {
		return false
	}
	for _, c := range name {
		if !nameByte(c) && c != '.' && c != ':' {
			return false
		}
	}
	return true
}
