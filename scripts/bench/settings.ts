export interface Settings {
  /** How svc is started: a program and its first arguments. */
  readonly svc: readonly string[];
  /** An empty directory to work in. */
  readonly directory: string;
  readonly rows: number;
  /** Units to spend against the rate limit. */
  readonly units: number;
  /** Seconds of a rate limit window. */
  readonly window: number;
}

/** One line of the table, with what is asked of it. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly digits: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}
