import { type Difference, differenceOf, type Row, type Snapshot } from './service.ts';

/** Something to be done with svc, and how to tell that it was. */
export interface Task {
  readonly name: string;
  /** What the agent is told; it knows nothing else but the skill. */
  readonly prompt: string;
  /** Lines of svc that are typed before, as the same person. */
  readonly setup?: readonly (readonly string[])[];
  /** Files that lie where the agent works. */
  readonly files?: Readonly<Record<string, string>>;
  /** What goes wrong meanwhile, as `svc sandbox --fault` has it. */
  readonly faults?: readonly string[];
  /** Paths of collections that the check looks at besides the usual ones. */
  readonly watch?: readonly string[];
  /** What is wrong with the outcome, a line each; empty when all is well. */
  readonly check: (outcome: Outcome) => readonly string[];
}

/** What there was before, what there is now, and what the agent answered. */
export class Outcome {
  /** The text of answer.txt, without blanks around it; empty when there is none. */
  readonly answer: string;
  readonly #before: Snapshot;
  readonly #after: Snapshot;
  /** When the task began: milliseconds since 1970. */
  readonly #began: number;

  constructor(before: Snapshot, after: Snapshot, answer: string, began: number) {
    this.#before = before;
    this.#after = after;
    this.answer = answer.trim();
    this.#began = began;
  }

  /** The rows of a collection, as they were when the task began. */
  rows(path: string): readonly Row[] {
    return Object.values(this.#before[path] ?? {});
  }

  /** A record as it is now. */
  now(path: string, id: number): Row | undefined {
    return this.#after[path]?.[id];
  }

  difference(path: string): Difference {
    return differenceOf(this.#before, this.#after, path);
  }

  /** A calendar date so many days from the day of the task, where its person lives. */
  day(offset: number): string {
    const here = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' }).format(this.#began);
    return new Date(Date.parse(here) + offset * 86_400_000).toISOString().slice(0, 10);
  }

  /**
   * What changed besides what should: each collection may have so many records created, changed and deleted as it says here, and any
   * other none.
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

/** What is wrong with a record: fields that are not as they should be. */
export function unlike(row: Row | undefined, wanted: Readonly<Record<string, unknown>>): string[] {
  if (row === undefined) return [`There is no record with ${JSON.stringify(wanted)}.`];
  return Object.entries(wanted)
    .filter(([name, value]) => (value instanceof RegExp ? !value.test(String(row[name])) : row[name] !== value))
    .map(
      ([name, value]) =>
        `${name} of ${row.id} is ${JSON.stringify(row[name])}, not ${value instanceof RegExp ? value : JSON.stringify(value)}.`,
    );
}

/** What is wrong with an answer. */
export function answers(outcome: Outcome, wanted: string): string[] {
  return outcome.answer === wanted ? [] : [`answer.txt says ${JSON.stringify(outcome.answer)}, not ${JSON.stringify(wanted)}.`];
}
