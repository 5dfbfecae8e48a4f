/** The kinds of findings, in the order in which svc prints them: a closed list. docs/guides/month-end.md documents each. */
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

/** A problem in the checked hours. */
export interface Finding {
  readonly kind: Check;
  /** User of the finding; null for a budget or an invoice row, which belong to no single person. */
  readonly userId: number | null;
  /** The day, or the first of several; null without one. */
  readonly date: string | null;
  /** The last day of several. */
  readonly until?: string;
  /** Minutes of the finding; null if unknown. */
  readonly minutes: number | null;
  /** Resource of the records, and their ids. */
  readonly noun: 'worklogs' | 'timers' | 'budgets' | 'sales-invoice-rows';
  readonly ids: readonly number[];
  /** Duplicates that can be deleted. None if an invoice bills each of them. */
  readonly spare?: readonly number[];
  /** The problem, in a few words. */
  readonly message: string;
  /** The project of all its entries, if they share one. */
  readonly projectId?: number;
}

/** A check that svc could not make, so that nobody takes the hours for correct. */
export interface NotJudged {
  readonly kinds: readonly [Check, ...Check[]];
  /** User of the hours; null for several people. */
  readonly userId: number | null;
  /** Reason. */
  readonly message: string;
}

/** The result of checks. */
export interface Judgement {
  readonly findings: readonly Finding[];
  readonly notJudged: readonly NotJudged[];
}

/** Joins the results of several checks. */
export function joined(judgements: readonly Judgement[]): Judgement {
  return {
    findings: judgements.flatMap(({ findings }) => findings),
    notJudged: judgements.flatMap(({ notJudged }) => notJudged),
  };
}
