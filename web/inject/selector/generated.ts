// Ids and class names that a program makes up are other ones the next time.

export type Kind = "stable" | "counter" | "generated";

const libraries = new RegExp("^(" + [":r", "«r", "_r_", "radix-", "headlessui-", "react-select-", "react-aria", "mui-\\d", "ember\\d", "ext-(gen|comp)", "yui_", "downshift-",
  "cdk-", "mat-(input|select|option|tab|dialog|checkbox|radio|mdc)", "ng-tns", "_ngcontent", "_nghost", "__BVID__", "v-\\d", "el-id-", "rc[-_]", "ui-id-", "gwt-uid", "isc_",
  "chakra-", "tippy-\\d", "popover-\\d", "css-[a-z]*\\d", "sc-[a-z]*[A-Z]", "jss\\d", "jsx-\\d", "svelte-[a-z]*\\d", "emotion-", "makeStyles", "data-v-"].join("|") + ")");

// kindOf judges an id, a class name or another value of that kind.
export function kindOf(s: string): Kind {
  if (!s || s.length > 80 || /\s/.test(s)) return "generated";
  if (libraries.test(s) || /[:«»]/.test(s)) return "generated";
  if (/[0-9a-f]{8}-[0-9a-f]{4}-/i.test(s)) return "generated";
  let kind: Kind = "stable";
  for (const word of s.split(/[-_.\/\s]+/)) {
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
  if (/^[0-9a-f]{6,}$/i.test(word) && digits > 0) return "generated";
  if (digits > 3) return "generated";
  if (digits > 0 && /\d[a-zA-Z]+.*\d|[a-zA-Z]\d+[a-zA-Z]/.test(word) && word.length > 4 && !/^[a-z]+\d[a-z]+$/i.test(word)) return "generated";
  if (digits > 0 && /^[a-zA-Z]+\d+$/.test(word)) return mumbled(letters) && letters.length > 3 ? "generated" : "counter";
  if (digits > 0 && word.length >= 5 && mumbled(letters)) return "generated";
  return mumbled(letters) && (letters.length > 6 || mixed(letters)) ? "generated" : "stable";
}

// mixed reports capitals where no word begins.
function mixed(s: string): boolean { return s.length >= 5 && (/[a-z][A-Z][a-z]?[A-Z]/.test(s) || /[A-Z]{2}[a-z][A-Z]/.test(s)); }

// mumbled reports that nobody could say it.
function mumbled(s: string): boolean {
  if (s.length < 4) return false;
  const vowels = s.replace(/[^aeiouyAEIOUY]/g, "").length;
  return vowels === 0 || /[bcdfghjklmnpqrstvwxz]{6}/i.test(s) || mixed(s) && vowels / s.length < 0.34;
}
