export interface Flow {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** The number of unread bytes at which svc pauses the sender. svc resumes the sender after the caller has read all bytes. */
const HIGH_WATER_BYTES = 64 * 1024;

/** The smallest size, in bytes, that svc counts for a piece of an answer. Each piece needs this much memory for its object. */
const LEAST_BYTES = 256;

/** The bytes of an answer, from their arrival until the caller reads them. A caller can read the body only once. */
export class AnswerBody implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #flow: Flow;
  readonly #pieces: Uint8Array[] = [];
  #waiting = 0;
  #isPaused = false;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  #reader: PromiseWithResolvers<IteratorResult<Uint8Array, undefined>> | undefined;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  push(piece: Uint8Array): void {
    if (this.#isOver) return;
    if (this.#answerReader({ done: false, value: piece })) return;
    this.#pieces.push(piece);
    this.#waiting += weightOf(piece);
    if (this.#waiting < HIGH_WATER_BYTES || this.#isPaused) return;
    this.#isPaused = true;
    this.#flow.pause();
  }

  end(): void {
    this.#isOver = true;
    this.#answerReader({ done: true, value: undefined });
  }

  fail(error: unknown): void {
    this.#isOver = true;
    this.#failure = { error };
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.reject(error);
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const piece = this.#pieces.shift();
    if (piece !== undefined) {
      this.#waiting -= weightOf(piece);
      this.#letFlow();
      return { done: false, value: piece };
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#isOver) return { done: true, value: undefined };
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  /** Stops reading. svc discards the rest of the answer and closes its connection. */
  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#pieces.length = 0;
    if (!this.#isOver) {
      this.#isOver = true;
      this.#flow.abort(new Error('svc needs no more of the answer.'));
    }
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #answerReader(result: IteratorResult<Uint8Array, undefined>): boolean {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.resolve(result);
    return reader !== undefined;
  }

  #letFlow(): void {
    if (!this.#isPaused || this.#waiting > 0) return;
    this.#isPaused = false;
    this.#flow.resume();
  }
}

function weightOf({ byteLength }: Uint8Array): number {
  return Math.max(byteLength, LEAST_BYTES);
}
