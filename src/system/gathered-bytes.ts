/** The size in bytes below which svc joins pieces. A sender of single bytes could otherwise create millions of objects. */
const SMALL_BYTES = 16 * 1024;

const BLOCK_BYTES = 64 * 1024;

export class GatheredBytes {
  readonly #pieces: Uint8Array[] = [];
  #block = new Uint8Array();
  #used = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    const isFirst = this.#size === 0;
    this.#size += piece.byteLength;
    // Most answers arrive as one piece, which svc does not copy.
    if (isFirst || piece.byteLength >= SMALL_BYTES) {
      this.#closeBlock();
      this.#pieces.push(piece);
      return;
    }
    if (this.#used + piece.byteLength > this.#block.byteLength) {
      this.#closeBlock();
      this.#block = new Uint8Array(BLOCK_BYTES);
    }
    this.#block.set(piece, this.#used);
    this.#used += piece.byteLength;
  }

  join(): Uint8Array {
    this.#closeBlock();
    const [only] = this.#pieces;
    return this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces, this.#size);
  }

  #closeBlock(): void {
    if (this.#used > 0) this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = new Uint8Array();
    this.#used = 0;
  }
}
