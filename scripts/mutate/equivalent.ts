import type { Mutant } from './mutants.ts';

/** A change that no test can notice, since svc does the same with it. */
export interface Equivalent extends Pick<Mutant, 'file' | 'text' | 'change'> {
  /** Why nothing differs. */
  readonly reason: string;
}

/** Only what can be argued from the code: a change that is merely hard to test belongs in a test. */
export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'src/auth/expiry.ts',
    text: 'const life = Math.max(0, grant.expires_at - grant.issued_at);',
    change: '0 → 1',
    reason: 'Times are whole milliseconds, and a tenth of one is less.',
  },
];

/** Whether a change is one of them. */
export function isEquivalent(mutant: Mutant): boolean {
  return EQUIVALENT.some(({ file, text, change }) => file === mutant.file && text === mutant.text && change === mutant.change);
}
