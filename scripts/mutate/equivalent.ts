import type { Mutant } from './mutants.ts';

/** A change that no test can notice, since svc does the same with it. */
export interface Equivalent extends Pick<Mutant, 'file' | 'text' | 'change'> {
  /** Why nothing differs. */
  readonly reason: string;
}

/** Only what can be argued from the code: a change that is merely hard to test belongs in a test. */
export const EQUIVALENT: readonly Equivalent[] = [];

/** Whether a change is one of them. */
export function isEquivalent(mutant: Mutant): boolean {
  return EQUIVALENT.some(({ file, text, change }) => file === mutant.file && text === mutant.text && change === mutant.change);
}
