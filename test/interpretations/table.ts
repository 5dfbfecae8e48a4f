import { INTERPRETATIONS, type Interpretations } from '../../src/sandbox/interpretations.ts';
import { rowsThatMeet } from './meetings.ts';
import { allPairs } from './pairs.ts';

/** What a day at the service depends on besides the interpretations: who asks, from where, and how they signed in. */
const SURROUNDINGS = {
  /** Yoko is in Tokyo; Anaïs has no zone of her own, so that the organisation's applies. */
  person: [5, 11],
  machineZone: ['UTC', 'Europe/Amsterdam'],
  credential: ['token', 'sign-in'],
} as const;

const OPTIONS = { ...SURROUNDINGS, ...INTERPRETATIONS } as const;

/** An option of the sandbox, or one of the surroundings. */
export type OptionName = keyof typeof OPTIONS;

/** One way in which the service may be, with somebody who uses it. */
export type Combination = Interpretations & { readonly [K in keyof typeof SURROUNDINGS]: (typeof SURROUNDINGS)[K][number] };

/** Every position of every axis meets every position of each other axis in one of these. The first is the sandbox as it comes. */
export const COMBINATIONS: readonly Combination[] = allPairs(OPTIONS) as readonly Combination[];

/** The readings that are enough for a command that these axes matter to. */
export function interpretationsFor(matters: readonly OptionName[]): readonly Combination[] {
  return rowsThatMeet(COMBINATIONS as readonly (Combination & Record<string, unknown>)[], matters);
}

/** The axes that are not as usual: `summary=bare me=everywhere`. */
export function turned(combination: Combination, only: readonly OptionName[] = Object.keys(OPTIONS) as OptionName[]): string {
  return only
    .filter((option) => combination[option] !== OPTIONS[option][0])
    .map((option) => `${option}=${String(combination[option])}`)
    .join(' ');
}
