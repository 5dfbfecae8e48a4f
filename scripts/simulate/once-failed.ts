/** A world that showed a mistake of svc's, and what it was. Each is played again whenever any are. */
export interface OnceFailed {
  readonly seed: number;
  readonly was: string;
}

export const ONCE_FAILED: readonly OnceFailed[] = [];
