// Pictures for the canvas: loaded when they are first wanted, a few at a time,
// the latest wish first, and kept as long as there is room, in the size in
// which they are drawn: at full size a hundred of them are hundreds of megabytes.

const MOST = 240;
const TALL = 96; // CSS pixels: a lane, with room to be made taller
const AT_ONCE = 6;

export class Pictures {
  private readonly have = new Map<string, ImageBitmap | undefined>();
  private readonly wanted: string[] = [];
  private loading = 0;

  constructor(private readonly loaded: () => void) {}

  get(src: string): ImageBitmap | undefined {
    if (this.have.has(src)) return this.have.get(src);
    if (!this.wanted.includes(src)) this.wanted.push(src);
    if (this.wanted.length > MOST) this.wanted.shift();
    this.next();
    return undefined;
  }

  private next(): void {
    while (this.loading < AT_ONCE && this.wanted.length > 0) this.load(this.wanted.pop()!);
  }

  private load(src: string): void {
    this.loading++;
    this.have.set(src, undefined);
    const done = (image: ImageBitmap | undefined): void => {
      this.loading--;
      this.have.set(src, image);
      if (this.have.size > MOST) this.drop(this.have.keys().next().value!);
      if (image) this.loaded();
      this.next();
    };
    void small(src).then(done, () => done(undefined));
  }

  private drop(src: string): void {
    this.have.get(src)?.close();
    this.have.delete(src);
  }
}

/**
 * A picture in the size in which it is drawn. An element would leave it decoded
 * at full size in the browser's cache; what is fetched is decoded once, beside
 * the page's own thread, and gone.
 */
async function small(src: string): Promise<ImageBitmap> {
  const from = src.startsWith("data:") ? await element(src) : await (await fetch(src, { credentials: "omit" })).blob();
  const full = await createImageBitmap(from);
  const height = Math.min(full.height, Math.ceil(TALL * devicePixelRatio));
  try {
    return await createImageBitmap(full, { resizeHeight: height, resizeWidth: Math.max(1, Math.round((full.width / full.height) * height)), resizeQuality: "medium" });
  } finally {
    full.close();
  }
}

/** An exported page may not fetch; its pictures are in it. */
async function element(src: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = src;
  await image.decode();
  return image;
}
