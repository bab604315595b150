import "./report.css";

// What a report does beyond being read: the ways of comparing two pictures,
// keys, copying commands, and, where a server is behind it, approving.

const modes = ["side", "slider", "blend", "toggle", "pixels"] as const;
type Mode = typeof modes[number];

const cards = Array.from(document.querySelectorAll<HTMLElement>("article"));
const approveAt = document.documentElement.dataset["approve"];

function setMode(card: HTMLElement, mode: Mode): void {
  if (!card.querySelector(`[data-mode="${mode}"]`)) return;
  card.classList.remove(...modes);
  card.classList.add(mode);
  for (const b of card.querySelectorAll<HTMLButtonElement>("[data-mode]")) b.setAttribute("aria-pressed", String(b.dataset["mode"] === mode));
}

function pull(card: HTMLElement, lever: HTMLInputElement): void {
  const stage = card.querySelector<HTMLElement>(".stage");
  stage?.style.setProperty("--at", `${lever.value}%`);
  stage?.style.setProperty("--part", String(Number(lever.value) / 100));
}

// drag moves the slider to where the pointer is on the pictures.
function drag(card: HTMLElement, pictures: HTMLElement, lever: HTMLInputElement, e: PointerEvent): void {
  if (!card.classList.contains("slider") || e.buttons !== 1) return;
  const box = pictures.getBoundingClientRect();
  lever.value = String(Math.round(Math.max(0, Math.min(1, (e.clientX - box.left) / box.width)) * 100));
  pull(card, lever);
  e.preventDefault();
}

let current = -1;

function go(to: number): void {
  if (cards.length === 0) return;
  current = Math.max(0, Math.min(cards.length - 1, to));
  for (const [i, c] of cards.entries()) c.classList.toggle("current", i === current);
  const card = cards[current]!;
  card.scrollIntoView({ block: "start" });
  for (const a of document.querySelectorAll("nav a")) {
    if (a.getAttribute("href") === `#${card.id}`) a.setAttribute("aria-current", "true"); else a.removeAttribute("aria-current");
  }
}

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  const said = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    getSelection()?.selectAllChildren(button.parentElement!.querySelector("code")!);
    button.textContent = "Press Ctrl+C";
  }
  setTimeout(() => { button.textContent = said; }, 1500);
}

async function approve(button: HTMLButtonElement, card: HTMLElement): Promise<void> {
  button.disabled = true;
  const { session, key } = card.dataset;
  try {
    const answer = await fetch(approveAt!, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ session, key }) });
    const text = await answer.text();
    button.textContent = answer.ok ? "Approved" : text;
    button.disabled = answer.ok;
  } catch {
    button.textContent = "The server is gone";
  }
}

for (const card of cards) {
  for (const b of card.querySelectorAll<HTMLButtonElement>("[data-mode]")) b.addEventListener("click", () => setMode(card, b.dataset["mode"] as Mode));
  const lever = card.querySelector<HTMLInputElement>(".lever input");
  lever?.addEventListener("input", () => pull(card, lever));
  const pictures = card.querySelector<HTMLElement>(".pictures");
  if (lever && pictures) for (const type of ["pointerdown", "pointermove"] as const) pictures.addEventListener(type, (e) => drag(card, pictures, lever, e));
  pictures?.addEventListener("dragstart", (e) => { if (card.classList.contains("slider")) e.preventDefault(); });
  pictures?.addEventListener("click", (e) => { if (!card.classList.contains("side") && !card.classList.contains("pixels")) e.preventDefault(); });
  pictures?.addEventListener("click", () => { if (card.classList.contains("toggle")) card.querySelector(".stage")!.classList.toggle("flipped"); });
  const code = card.querySelector(".accept code")?.textContent ?? "";
  for (const b of card.querySelectorAll<HTMLButtonElement>(".accept button")) {
    if (b.dataset["do"] === "copy") b.addEventListener("click", () => void copy(b, code));
    else if (approveAt) b.addEventListener("click", () => void approve(b, card));
    else b.remove();
  }
  setMode(card, "side");
}

addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target instanceof HTMLInputElement) return;
  const card = cards[Math.max(0, current)];
  const mode = modes[Number(e.key) - 1];
  if (e.key === "j") go(current + 1);
  else if (e.key === "k") go(current - 1);
  else if (mode && card) setMode(card, mode);
  else if (e.key === " " && card?.classList.contains("toggle") && !(e.target instanceof HTMLButtonElement)) card.querySelector(".stage")!.classList.toggle("flipped");
  else return;
  e.preventDefault();
});

document.documentElement.classList.add("scripted");
