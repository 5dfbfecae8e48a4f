import { INTERPRETATIONS, type Interpretations } from '../../src/sandbox/interpretations.ts';
import { rowsThatMeet } from './meetings.ts';
import { allPairs } from './pairs.ts';

/** The surroundings that affect a day in addition to the interpretations: the person, the machine and the sign-in. */
const SURROUNDINGS = {
  /** The users for the tests. Yoko is in Tokyo. Anaïs has no zone, so the organisation’s zone applies. */
  person: [5, 11],
  machineZone: ['UTC', 'Europe/Amsterdam'],
  credential: ['token', 'sign-in'],
} as const;

const OPTIONS = { ...SURROUNDINGS, ...INTERPRETATIONS } as const;

/** The name of an option of the sandbox, or of the surroundings. */
export type OptionName = keyof typeof OPTIONS;

/** One possible behaviour of the service, with a person who uses the service. */
export type Combination = Interpretations & { readonly [K in keyof typeof SURROUNDINGS]: (typeof SURROUNDINGS)[K][number] };

/**
 * The combinations in which every value of every option occurs with every value of each other option. The first has the sandbox’s defaults.
 */
export const COMBINATIONS: readonly Combination[] = allPairs(OPTIONS) as readonly Combination[];

/** Returns the interpretations that are enough for a command that depends on these options. */
export function interpretationsFor(matters: readonly OptionName[]): readonly Combination[] {
  return rowsThatMeet(COMBINATIONS as readonly (Combination & Record<string, unknown>)[], matters);
}

/** Returns the options that differ from their defaults: `summary=bare me=everywhere`. */
export function turned(combination: Combination, only: readonly OptionName[] = Object.keys(OPTIONS) as OptionName[]): string {
  return only
    .filter((option) => combination[option] !== OPTIONS[option][0])
    .map((option) => `${option}=${String(combination[option])}`)
    .join(' ');
}
