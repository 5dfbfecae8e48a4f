import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../../src/sandbox/start.ts';
import type { Result, RunOptions } from '../support/svc.ts';
import type { Place } from './place.ts';

/** The result of a run. */
export interface Outcome {
  /**
   * The verdict about a run.
   * - `right`: all that svc printed and wrote is true.
   * - `refused`: svc failed with a message, and wrote nothing.
   * - `unknown`: svc named the unknown facts, and the rest is true.
   * - `wrong`: anything else.
   */
  readonly verdict: 'right' | 'refused' | 'unknown' | 'wrong';
  /** The command line: `svc worklogs list …`. */
  readonly command: string;
  /** The expected and the actual results, one line each. For a refusal, its message. */
  readonly why: readonly string[];
}

/** A row that differs from its state before a run. */
export interface Change {
  readonly resource: string;
  /** The row before the run. Undefined for a new row. */
  readonly before: Row | undefined;
  /** The row after the run. Undefined for a deleted row. */
  readonly after: Row | undefined;
}

/** The facts that an oracle can read, and the functions that report its findings. */
export interface Judge {
  readonly result: Result;
  /** The changes that the run made at the service. */
  readonly changes: readonly Change[];
  /** Parses stdout as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came.
  json(): any;
  /** Reports two values that are not equal. */
  same(what: string, seen: unknown, truth: unknown): void;
  /** Reports two values that are not equal. Accepts null, which means unknown. */
  figure(what: string, seen: unknown, truth: unknown): void;
  /** Reports two values that are not equal. For a person without a zone, accepts a notice about the zone. */
  inZone(what: string, seen: unknown, truth: unknown): void;
  /** Reports two values that are not equal, unless stderr mentions the difference. */
  sameOrSaid(what: string, seen: unknown, truth: unknown, words: RegExp): void;
  /** Records that the run names an unknown fact. */
  unknown(): void;
}

/** The expected result of a run. */
export interface Meant {
  readonly options?: RunOptions;
  /** The exit codes that count as an answer. Default: only 0. */
  readonly exits?: readonly number[];
  /** Returns true for a change that the service makes by itself. */
  readonly byService?: (change: Change) => boolean;
  readonly judge: (judge: Judge) => void | Promise<void>;
}

/** Runs a command line, and compares its output and its changes with the rows of the sandbox. */
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

/** Runs a command line that must fail with this exit code and a message, and must change nothing. */
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

/** Returns the fields that a change set, without the timestamps that every change sets. */
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
