/** True if each test runs in full: SVC_TEST_FULL=1. */
export const IS_FULL = process.env['SVC_TEST_FULL'] === '1';

const DAY = 86_400_000;

/** The number that decides which part of each long list runs: the number of the day, or SVC_TEST_PART, which repeats a run. */
export const PART = Number(process.env['SVC_TEST_PART'] ?? Math.floor(Date.now() / DAY));

/**
 * Returns one of `parts` equal parts of a list, another one each day, so that all parts run within `parts` days. SVC_TEST_FULL=1: the whole
 * list.
 */
export function partOf<T>(list: readonly T[], parts: number): readonly T[] {
  return IS_FULL ? list : list.filter((_, index) => index % parts === PART % parts);
}

/** Returns where a loop with this stride starts, from `first`: at another step each day. */
export function startOf(stride: number, first = 1): number {
  return first + (PART % stride);
}
