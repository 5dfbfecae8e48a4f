import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../../src/sandbox/start.ts';
import type { Result, RunOptions } from '../support/svc.ts';
import type { Place } from './place.ts';

/** How a run ended. */
export interface Outcome {
  /**
   * `right`: all that it printed and wrote is so. `refused`: it failed with words, and wrote nothing. `unknown`: it named what it
   * could not know, and the rest is so. `wrong`: anything else.
   */
  readonly verdict: 'right' | 'refused' | 'unknown' | 'wrong';
  /** `svc worklogs list …`. */
  readonly command: string;
  /** What was expected and what came, a line each; of a refusal, what it said. */
  readonly why: readonly string[];
}

/** A row that is another than before a run. */
export interface Change {
  readonly resource: string;
  /** Undefined: it was made. */
  readonly before: Row | undefined;
  /** Undefined: it is gone. */
  readonly after: Row | undefined;
}

/** What an oracle may look at, and how it says what it found. */
export interface Judge {
  readonly result: Result;
  /** What the run changed at the service. */
  readonly changes: readonly Change[];
  /** Stdout as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came.
  json(): any;
  /** They must be equal. */
  same(what: string, seen: unknown, truth: unknown): void;
  /** They must be equal, unless what was printed is null: not known. */
  figure(what: string, seen: unknown, truth: unknown): void;
  /** They must be equal. Of a person without a zone of their own, words about the zone make up for it. */
  inZone(what: string, seen: unknown, truth: unknown): void;
  /** They must be equal, or stderr must speak of it. */
  sameOrSaid(what: string, seen: unknown, truth: unknown, words: RegExp): void;
  /** The run names something that it does not know. */
  unknown(): void;
}

/** What a run means to do, and what it has to be held against. */
export interface Meant {
  readonly options?: RunOptions;
  /** Exit codes that are an answer; default: 0 alone. */
  readonly exits?: readonly number[];
  /** Changes that are no part of what the command does, but of what the service does by itself. */
  readonly byService?: (change: Change) => boolean;
  readonly judge: (judge: Judge) => void | Promise<void>;
}

/** Runs a command line and holds what it printed and wrote against the rows of the sandbox. */
export async function attempt(place: Place, argv: readonly string[], { options, exits = [0], byService, judge }: Meant): Promise<Outcome> {
  const before = place.state();
  const result = await place.svc(argv, options);
  const changes = changesBetween(before, place.state()).filter((change) => byService?.(change) !== true);
  const command = `svc ${argv.join(' ')}`;
  const said = result.stderr.trim();
  if (!exits.includes(result.code)) {
    const why = [
      ...(said === '' ? [`exit ${result.code} without a word`] : []),
      ...changes.map((change) => `failed, and yet ${tell(change)}`),
    ];
    return { verdict: why.length > 0 ? 'wrong' : 'refused', command, why: [...why, `exit ${result.code}: ${said}`] };
  }
  const wrong: string[] = [];
  let isUnknown = false;
  const unless = (excused: boolean, what: string, seen: unknown, truth: unknown) => {
    if (isDeepStrictEqual(seen, truth)) return;
    if (excused) isUnknown = true;
    else wrong.push(`${what}: expected ${shown(truth)}, came ${shown(seen)}`);
  };
  try {
    await judge({
      result,
      changes,
      json: () => JSON.parse(result.stdout),
      same: (what, seen, truth) => unless(false, what, seen, truth),
      figure: (what, seen, truth) => unless(seen === null, what, seen, truth),
      inZone: (what, seen, truth) => unless(!place.hasOwnZone && /time ?zone|assum/i.test(said), what, seen, truth),
      sameOrSaid: (what, seen, truth, words) => unless(words.test(said), what, seen, truth),
      unknown: () => {
        isUnknown = true;
      },
    });
  } catch (error) {
    wrong.push(String(error));
  }
  if (wrong.length > 0) return { verdict: 'wrong', command, why: [...wrong, ...(said === '' ? [] : [`stderr: ${said}`])] };
  return { verdict: isUnknown ? 'unknown' : 'right', command, why: [] };
}

/** A refusal that is the right answer: a run that must fail with this exit code, with words, and change nothing. */
export async function attemptRefused(place: Place, argv: readonly string[], code: number): Promise<Outcome> {
  const outcome = await attempt(place, argv, { judge: ({ same }) => same('exit', 0, code) });
  if (outcome.verdict !== 'refused') return outcome;
  const isMeant = outcome.why.some((line) => line.startsWith(`exit ${code}: `));
  return { ...outcome, verdict: isMeant ? 'right' : 'refused' };
}

function changesBetween(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old, now] = [before.get(key), after.get(key)];
    return old === now ? [] : [{ resource: key.split(' ')[0] ?? '', before: old, after: now }];
  });
}

function tell({ resource, before, after }: Change): string {
  if (before === undefined) return `a row was made of ${resource}: ${shown(after)}`;
  return `${resource} ${before.id} ${after === undefined ? 'is gone' : `was changed: ${shown(differences(before, after))}`}`;
}

/** The fields that a change set, without the stamps that every change sets. */
export function differences(before: Row | undefined, after: Row | undefined): Record<string, unknown> {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const stamps = new Set(['id', 'created_at', 'updated_at', 'version']);
  return Object.fromEntries(
    [...names]
      .filter((name) => !stamps.has(name) && !isDeepStrictEqual(before?.[name], after?.[name]))
      .map((name) => [name, after?.[name]]),
  );
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
