import { type Difference, differenceOf, type Row, type Snapshot } from './service.ts';

/** A task to do with svc, and its check. */
export interface Task {
  readonly name: string;
  /** The instructions for the agent. */
  readonly prompt: string;
  /** Arguments of svc commands that run before the task, as the same user. */
  readonly setup?: readonly (readonly string[])[];
  /** Files for the task’s directory, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The faults during the task, in the form of `svc sandbox --fault`. */
  readonly faults?: readonly string[];
  /** Paths of additional lists that the check needs. */
  readonly watch?: readonly string[];
  /** Returns one line per error in the result. Empty if the task succeeded. */
  readonly check: (outcome: Outcome) => readonly string[];
}

/** The state before and after a task, and the agent’s answer. */
export class Outcome {
  /** The content of answer.txt, without blanks at both ends. Empty without the file. */
  readonly answer: string;
  readonly #before: Snapshot;
  readonly #after: Snapshot;
  /** The start of the task in milliseconds since 1970. */
  readonly #began: number;

  constructor(before: Snapshot, after: Snapshot, answer: string, began: number) {
    this.#before = before;
    this.#after = after;
    this.answer = answer.trim();
    this.#began = began;
  }

  /** Returns the rows of a list at the start of the task. */
  rows(path: string): readonly Row[] {
    return Object.values(this.#before[path] ?? {});
  }

  /** Returns a record in its current state. */
  now(path: string, id: number): Row | undefined {
    return this.#after[path]?.[id];
  }

  difference(path: string): Difference {
    return differenceOf(this.#before, this.#after, path);
  }

  /** Returns the date a number of days after the start of the task, in the user’s time zone. */
  day(offset: number): string {
    const here = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' }).format(this.#began);
    return new Date(Date.parse(here) + offset * 86_400_000).toISOString().slice(0, 10);
  }

  /**
   * Returns one line for each unexpected change. `expected` has the allowed numbers of created, changed and deleted records per list.
   * Default: 0.
   */
  only(expected: Readonly<Record<string, Partial<Record<keyof Difference, number>>>>): string[] {
    return Object.keys(this.#after).flatMap((path) => {
      const found = this.difference(path);
      return (['created', 'changed', 'deleted'] as const).flatMap((how) => {
        const wanted = expected[path]?.[how] ?? 0;
        return found[how].length === wanted ? [] : [`${path}: ${found[how].length} ${how}, not ${wanted}.`];
      });
    });
  }
}

/** Returns one line for each field of a record that differs from the expected value. */
export function unlike(row: Row | undefined, wanted: Readonly<Record<string, unknown>>): string[] {
  if (row === undefined) return [`There is no record with ${JSON.stringify(wanted)}.`];
  return Object.entries(wanted)
    .filter(([name, value]) => (value instanceof RegExp ? !value.test(String(row[name])) : row[name] !== value))
    .map(
      ([name, value]) =>
        `${name} of ${row.id} is ${JSON.stringify(row[name])}, not ${value instanceof RegExp ? value : JSON.stringify(value)}.`,
    );
}

/** Returns an error line if the agent’s answer differs from the expected answer. */
export function answers(outcome: Outcome, wanted: string): string[] {
  return outcome.answer === wanted ? [] : [`answer.txt says ${JSON.stringify(outcome.answer)}, not ${JSON.stringify(wanted)}.`];
}
