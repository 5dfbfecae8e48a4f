/** All kinds of findings, in the order in which svc prints them. docs/guides/month-end.md documents each kind. */
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

/** A problem that svc found in the checked hours. */
export interface Finding {
  readonly kind: Check;
  /** The id of the user. Null for a budget or an invoice row, which belong to several people. */
  readonly userId: number | null;
  /** The day of the finding, or the first of several days. Null for a finding without a day. */
  readonly date: string | null;
  /** The last day, if the finding has several days. */
  readonly until?: string;
  /** The minutes that the finding is about. Null if unknown. */
  readonly minutes: number | null;
  /** The resource of the records; `ids` has their ids. */
  readonly noun: 'worklogs' | 'timers' | 'budgets' | 'sales-invoice-rows';
  readonly ids: readonly number[];
  /** The ids of the duplicates that can be deleted. Empty if an invoice bills all of them. */
  readonly spare?: readonly number[];
  /** The problem in a few words, as svc prints it. */
  readonly message: string;
  /** The project of all entries, if they share one. */
  readonly projectId?: number;
}

/** A check that svc could not make, with the reason. svc reports it, so that nobody takes unchecked hours for correct. */
export interface NotJudged {
  readonly kinds: readonly [Check, ...Check[]];
  /** The user whose hours svc could not check. Null for several people. */
  readonly userId: number | null;
  /** The reason why svc could not make the check. */
  readonly message: string;
}

/** The findings of some checks, and the checks that svc could not make. */
export interface Judgement {
  readonly findings: readonly Finding[];
  readonly notJudged: readonly NotJudged[];
}

/** Joins the results of several checks into one. */
export function joined(judgements: readonly Judgement[]): Judgement {
  return {
    findings: judgements.flatMap(({ findings }) => findings),
    notJudged: judgements.flatMap(({ notJudged }) => notJudged),
  };
}
