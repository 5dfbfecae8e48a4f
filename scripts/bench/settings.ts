export interface Settings {
  /** The command that starts svc: a program and its first arguments. */
  readonly svc: readonly string[];
  /** An empty directory for files. */
  readonly directory: string;
  readonly rows: number;
  /** The rate-limit units to spend. */
  readonly units: number;
  /** The length of a rate-limit window in seconds. */
  readonly window: number;
}

/** A line of the result table, with optional limits for the value. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly digits: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}
