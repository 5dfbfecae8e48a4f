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

/** Every option and its values; the first is the default. `missingRecordType` takes any other name too. */
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
 * The interpretations of questions that the service's documentation leaves open. The default is the first value in {@link KNOBS}.
 * Tests may change an option while the sandbox runs, each without regard to the others.
 */
export interface SandboxKnobs extends Turned<typeof KNOBS> {}

/** Every option at its default. */
export function defaultKnobs(): SandboxKnobs {
  return Object.fromEntries(Object.entries(KNOBS).map(([name, [first]]) => [name, first])) as unknown as SandboxKnobs;
}

/**
 * Reads options from text or JSON: `false`, `"false"` and `200`, `"200"` are the same.
 * @throws RangeError that names the options there are, or the values that one takes.
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
