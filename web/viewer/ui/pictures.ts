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
    const image = new Image();
    image.onload = () => void small(image).then(done, () => done(undefined));
    image.onerror = () => done(undefined);
    image.src = src;
  }

  private drop(src: string): void {
    this.have.get(src)?.close();
    this.have.delete(src);
  }
}

/** A picture in the size in which it is drawn. It is decoded beforehand, beside the page's own thread. */
async function small(image: HTMLImageElement): Promise<ImageBitmap> {
  await image.decode();
  const height = Math.min(image.naturalHeight, Math.ceil(TALL * devicePixelRatio));
  return createImageBitmap(image, { resizeHeight: height, resizeWidth: Math.max(1, Math.round((image.naturalWidth / image.naturalHeight) * height)), resizeQuality: "medium" });
}
