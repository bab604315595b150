// Strings by number. Text stays as it came until somebody looks at it.

const decoder = new TextDecoder();

export class Strings {
  private readonly known = new Map<number, string>([[0, ""]]);

  get(id: number): string {
    return this.known.get(id) ?? "";
  }

  /** Takes strings as they come over the wire: columns of numbers and byte lengths, and their text. */
  take(numbers: Uint32Array, lengths: Uint32Array, bytes: Uint8Array): void {
    const text = decoder.decode(bytes);
    const plain = text.length === bytes.length; // then a byte is a character
    let at = 0;
    for (let i = 0; i < numbers.length; i++) {
      const end = at + lengths[i];
      this.known.set(numbers[i], plain ? text.slice(at, end) : decoder.decode(bytes.subarray(at, end)));
      at = end;
    }
  }
}
