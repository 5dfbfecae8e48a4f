/** An answer before the common headers. */
export interface Reply {
  readonly status: number;
  /** JSON text; absent for an answer without a body. */
  readonly text?: string;
  /** In place of it: the contents of a file, whose type is among the headers. */
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}
