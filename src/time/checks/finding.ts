/**
 * What a check of hours can find, in the order in which it is told: a closed list. Each is documented in docs/guides/month-end.md.
 */
export const CHECKS = [
  'missing-hours',
  'hours-on-leave',
  'impossible-day',
  'duplicate',
  'no-project',
  'not-billed',
  'row-differs',
  'over-budget',
  'timer-running',
  'future-date',
  'project-ended',
  'not-reviewed',
] as const;

export type Check = (typeof CHECKS)[number];

/** Something that is not as it should be. */
export interface Finding {
  readonly kind: Check;
  /** Whose it is; null for what is nobody's alone: a budget, a row of an invoice. */
  readonly userId: number | null;
  /** The day, the first of several; null where it has none. */
  readonly date: string | null;
  /** The last day, where it is about several. */
  readonly until?: string;
  /** How many minutes it is about; null where that is not known. */
  readonly minutes: number | null;
  /** What records it is about, and their ids. */
  readonly noun: 'worklogs' | 'timers' | 'budgets' | 'sales-invoice-rows';
  readonly ids: readonly number[];
  /** Of entries that are there twice: those that can go. None where an invoice bills each of them. */
  readonly spare?: readonly number[];
  /** What is wrong, in a few words. */
  readonly message: string;
  /** The project that all of it is on, where it is about one. */
  readonly projectId?: number;
}

/** Something that could not be looked at, so that nobody may take it for clean. */
export interface NotJudged {
  readonly kinds: readonly [Check, ...Check[]];
  /** Whose; null where it is about several people. */
  readonly userId: number | null;
  /** Why. */
  readonly message: string;
}

/** What checks came to. */
export interface Judgement {
  readonly findings: readonly Finding[];
  readonly notJudged: readonly NotJudged[];
}

/** Several as one. */
export function joined(judgements: readonly Judgement[]): Judgement {
  return {
    findings: judgements.flatMap(({ findings }) => findings),
    notJudged: judgements.flatMap(({ notJudged }) => notJudged),
  };
}
