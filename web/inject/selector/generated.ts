// Ids and class names that a program makes up are other ones the next time.

export type Kind = "stable" | "counter" | "generated";

// libraries are the beginnings of what libraries make up. Most are followed by
// a number; names of classes begin like some of them.
const libraries = new RegExp("^_{0,2}(" + ["radix-", "headlessui-", "react-select-", "react-aria-?[\\d:«_]", "downshift-", "base-ui-", "floating-ui-\\d", "ariakit-", "reach-", "bits-", "cl-\\d", "mui-(\\d|p-)", "mantine-(r\\d|\\w{9}($|-))",
  "fluent-[a-z]+\\d", "ember\\d", "ext-(gen|comp)", "yui_", "cdk-.*\\d", "mat-.*\\d", "ng-tns", "_?ngcontent", "_?nghost", "BVID__", "v-(\\w+-)?\\d", "\\w+-v-\\d", "el-id-", "p[nrv]_id_", "rc[-_].*\\d", "css-var-", "ui-id-", "gwt-uid", "isc_", "j_idt",
  "lid__", "id__\\d", "uid-?\\d", "choices--", "select2-(data|.*-result-)", "tomselect-\\d", "s2id_autogen", "\\w+-vaadin-.*\\d$", "vaadin-.*\\d$", "ion-(\\w+-)+\\d", "mceu?_\\d", "cke_\\d", "tiny-\\w+_\\d", "chakra-.*:", "tippy-\\d", "popover-\\d",
  "css-[a-z]*\\d", "sc-([a-z]*[A-Z]|[a-zA-Z]{6}$)", "jss\\d", "jsx-\\d", "svelte-[a-z]*\\d", "_\\w+_[0-9a-z]{5}_\\d+$", "_?r_\\w+_", "emotion-", "makeStyles", "data-v-"].join("|") + ")");

// counted are the numbers that React gives out, alone or inside of an id.
const counted = /[«»]|(^|[:_-]):?_?r\d?[0-9a-z]?_?(:|_$|_-)|(^|[-:])_?r\d[0-9a-z]?_?(-|_|:|$)/i;

const known = new Map<string, Kind>(); // the same few are asked for again and again

// kindOf judges an id, a class name or another value of that kind.
export function kindOf(s: string): Kind {
  let kind = known.get(s);
  if (kind === undefined) {
    if (known.size > 2000) known.clear();
    known.set(s, kind = judge(s));
  }
  return kind;
}

function judge(s: string): Kind {
  if (!s || s.length > 80 || /\s/.test(s)) return "generated";
  if (libraries.test(s) || counted.test(s) || /(^|:)(\d*)(:|$)/.test(s) || /[^:]:j_idt/.test(s)) return "generated";
  if (/[0-9a-f]{8}-[0-9a-f]{4}-/i.test(s)) return "generated";
  let kind: Kind = "stable";
  for (const word of s.split(/[-_.:\/\s]+/)) {
    const k = wordKind(word);
    if (k === "generated") return k;
    if (k === "counter") kind = k;
  }
  return kind;
}

function wordKind(word: string): Kind {
  if (word === "") return "stable";
  if (/^\d+$/.test(word)) return word.length > 3 ? "generated" : "counter";
  const digits = word.replace(/\D/g, "").length, letters = word.replace(/[^a-zA-Z]/g, "");
  if (/^[0-9a-f]{6,}$/i.test(word) && digits > 0 || digits > 3) return "generated";
  if (digits === 0) return odd(word) || shuffled(word) ? "generated" : "stable";
  if (/^[a-z]+\d+$/i.test(word)) return odd(letters) || shuffled(letters) && letters.length > 4 ? "generated" : "counter";
  if (/^[a-z]+\d[a-z]+$/i.test(word) && word.length > 4) return strange(letters) > (letters.length > 5 ? 1 : 0) || shuffled(letters) ? "generated" : "stable";
  if (/^\d[a-f]\d[a-f]$/.test(word) || /\d[a-zA-Z]+.*\d|[a-zA-Z]\d+[a-zA-Z]/.test(word) && word.length > 4) return "generated";
  return word.length > 4 && (odd(letters) || shuffled(letters)) ? "generated" : "stable";
}

// rare are pairs of letters that words hardly have: each group is a first
// letter and those that do not follow it. They are those of which 13,500 words
// of descriptions of packages have fewer than one in 3,500 pairs.
const rare = new Set("aehjoq bdfghjkmnpqtvwxz cbfgjnpqvwxz dhjnpqtvwxz ez fbcdghjkmnpqvwxz gbcdfjkpqtvwxyz hbcdfghjklnpvwxz ihijqwy jbcdfghjklmnpqrtvwxyz kbcdfghjkmnpqrvwxz lfghjnqrwxz mcfghjknqrtvwxyz nhqrwxz oehqz pbfgjknqvwxz qabcdefghijkmnopqrstvwxyz rhqxz sgjxz tgkqvxz ufhjkoquvwyz vbcdfghjklmnpqrstvwxyz wbcdfgjklmpqtuvwxyz xbdfghjklmnoqrsuvwxyz ybdfghjkqruvwxyz zbcdfghjklmnpqrstuvwxyz".split(" ").flatMap(g => [...g.slice(1)].map(c => g[0] + c)));

// strange counts the pairs of letters that words hardly have.
function strange(s: string): number {
  const word = s.toLowerCase();
  let n = 0;
  for (let i = 1; i < word.length; i++) if (rare.has(word.slice(i - 1, i + 1))) n++;
  return n;
}

// odd reports that it is hardly made of words: abbreviations of a few letters are.
function odd(s: string): boolean { return s.length > 4 && strange(s) >= 2 && strange(s) >= 0.34 * (s.length - 1); }

// shuffled reports capitals where no word begins: the parts between them are
// too short for words.
function shuffled(s: string): boolean {
  if (s.length < 5 || !/[a-z]/.test(s) || !/.[A-Z]/.test(s)) return false;
  const parts = s.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return parts.length > 2 && s.length < 2.5 * parts.length || parts.length > 1 && strange(s) > (s.length > 6 ? 1 : 0) && Math.max(...parts.map(p => p.length)) < 4;
}
