// Pictures for the canvas: loaded when they are first wanted, a few at a time,
// the latest wish first, and kept as long as there is room.

const MOST = 240;
const AT_ONCE = 6;

export class Pictures {
  private readonly have = new Map<string, HTMLImageElement | undefined>();
  private readonly wanted: string[] = [];
  private loading = 0;

  constructor(private readonly loaded: () => void) {}

  get(src: string): HTMLImageElement | undefined {
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
    const done = (image: HTMLImageElement | undefined): void => {
      this.loading--;
      this.have.set(src, image);
      if (this.have.size > MOST) this.have.delete(this.have.keys().next().value!);
      if (image) this.loaded();
      this.next();
    };
    const image = new Image();
    image.decoding = "async";
    image.onload = () => done(image);
    image.onerror = () => done(undefined);
    image.src = src;
  }
}
