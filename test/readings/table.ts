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

const AXES = { ...SURROUNDINGS, ...INTERPRETATIONS } as const;

/** An option of the sandbox, or one of the surroundings. */
export type Axis = keyof typeof AXES;

/** One way in which the service may be, with somebody who uses it. */
export type Reading = Interpretations & { readonly [K in keyof typeof SURROUNDINGS]: (typeof SURROUNDINGS)[K][number] };

/** Every position of every axis meets every position of each other axis in one of these. The first is the sandbox as it comes. */
export const READINGS: readonly Reading[] = allPairs(AXES) as readonly Reading[];

/** The readings that are enough for a command that these axes matter to. */
export function readingsFor(matters: readonly Axis[]): readonly Reading[] {
  return rowsThatMeet(READINGS as readonly (Reading & Record<string, unknown>)[], matters);
}

/** The axes that are not as usual: `summary=bare me=everywhere`. */
export function turned(reading: Reading, only: readonly Axis[] = Object.keys(AXES) as Axis[]): string {
  return only
    .filter((axis) => reading[axis] !== AXES[axis][0])
    .map((axis) => `${axis}=${String(reading[axis])}`)
    .join(' ');
}
