/** A world that showed a mistake of svc's, and what it was. Each is played again whenever any are. */
export interface OnceFailed {
  readonly seed: number;
  readonly was: string;
}

export const ONCE_FAILED: readonly OnceFailed[] = [
  { seed: 21, was: 'svc worklogs delete took a page of somebody on the way (200, HTML) for the answer, and said that it was done.' },
];
