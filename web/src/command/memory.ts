// The command's memory, which moves when it grows.

export class Memory {
  private readonly now: () => WebAssembly.Memory;
  private readonly decoder = new TextDecoder();
  private readonly encoder = new TextEncoder();

  constructor(now: () => WebAssembly.Memory) {
    this.now = now;
  }

  bytes(address: number, size: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.now().buffer as ArrayBuffer, address >>> 0, size >>> 0);
  }

  view(): DataView {
    return new DataView(this.now().buffer);
  }

  /** Up to the zero. */
  text(address: number): string {
    const all = new Uint8Array(this.now().buffer as ArrayBuffer);
    return this.decoder.decode(all.subarray(address >>> 0, all.indexOf(0, address >>> 0)));
  }

  /** With a zero behind it; the number of bytes, or nothing if it does not fit. */
  writeText(address: number, room: number, text: string): number | undefined {
    const bytes = this.encoder.encode(`${text}\0`);
    if (bytes.length > room) return undefined;
    this.bytes(address, bytes.length).set(bytes);
    return bytes.length;
  }

  /** Texts one behind the other, and a table of where they are. */
  writeTexts(table: number, texts: readonly string[], address: number): void {
    for (const [index, text] of texts.entries()) {
      this.view().setUint32((table >>> 0) + 4 * index, address, true);
      address += this.writeText(address, Infinity, text) ?? 0;
    }
  }

  sizeOf(texts: readonly string[]): number {
    return texts.reduce((size, text) => size + this.encoder.encode(text).length + 1, 0);
  }
}
