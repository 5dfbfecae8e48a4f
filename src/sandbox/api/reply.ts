/** An answer before the common headers. */
export interface Reply {
  readonly status: number;
  /** JSON text; absent for an answer without a body. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
