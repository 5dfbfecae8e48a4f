import { discoveryKnobs } from './knobs/discovery.ts';
import { documentKnobs } from './knobs/document.ts';
import { limitKnobs } from './knobs/limits.ts';
import { problemKnobs } from './knobs/problems.ts';
import { queryKnobs } from './knobs/queries.ts';
import { recordKnobs } from './knobs/records.ts';
import { signInKnobs } from './knobs/sign-in.ts';
import type { Turned } from './knobs/table.ts';
import { timeKnobs } from './knobs/time.ts';
import { writeKnobs } from './knobs/writes.ts';

/** Every knob and what it may be turned to; the first is the default. `missingRecordType` takes any name besides. */
export const KNOBS = {
  ...recordKnobs,
  ...queryKnobs,
  ...discoveryKnobs,
  ...documentKnobs,
  ...problemKnobs,
  ...writeKnobs,
  ...timeKnobs,
  ...limitKnobs,
  ...signInKnobs,
} as const;

/**
 * Where the documentation leaves a question open the sandbox picks one answer (the first value in {@link KNOBS}) and a
 * test can turn the knob to another. Knobs may be changed while the sandbox runs, each without regard to the others.
 */
export interface SandboxKnobs extends Turned<typeof KNOBS> {}

/** Every knob at the first of its values. */
export function defaultKnobs(): SandboxKnobs {
  return Object.fromEntries(Object.entries(KNOBS).map(([name, [first]]) => [name, first])) as unknown as SandboxKnobs;
}

/**
 * Reads knobs from text or JSON: `false`, `"false"` and `200`, `"200"` are the same.
 * @throws RangeError that names the knobs there are, or the values that one takes.
 */
export function readKnobs(given: Readonly<Record<string, unknown>>): Partial<SandboxKnobs> {
  const read = Object.entries(given).map(([name, value]) => {
    const values: readonly unknown[] | undefined = Object.hasOwn(KNOBS, name) ? KNOBS[name as keyof SandboxKnobs] : undefined;
    if (values === undefined) throw new RangeError(`There is no knob ${name}; there are ${Object.keys(KNOBS).join(', ')}.`);
    if (name === 'missingRecordType' && typeof value === 'string' && /^[a-z-]+$/.test(value)) return [name, value];
    const found = values.find((known) => String(known) === String(value));
    if (found === undefined) throw new RangeError(`The knob ${name} takes ${values.join(' or ')}, not ${String(value)}.`);
    return [name, found];
  });
  return Object.fromEntries(read) as Partial<SandboxKnobs>;
}
