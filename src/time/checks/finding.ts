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

export interface Finding {
  readonly kind: Check;
  /**
   * The id of the user. Null for an unknown user. Null for a budget or an invoice row too, because several people can have hours on a
   * budget or row.
   */
  readonly userId: number | null;
  readonly date: string | null;
  readonly until?: string;
  readonly minutes: number | null;
  readonly noun: 'worklogs' | 'timers' | 'budgets' | 'sales-invoice-rows';
  readonly ids: readonly number[];
  /** The ids of the duplicates that svc can delete. Empty if an invoice bills every duplicate. */
  readonly spare?: readonly number[];
  readonly message: string;
  readonly projectId?: number;
}

/** A check that svc could not make, with the reason. svc reports such a check, so that nobody takes unchecked hours for correct. */
export interface NotJudged {
  readonly kinds: readonly [Check, ...Check[]];
  readonly userId: number | null;
  readonly message: string;
}

export interface Judgement {
  readonly findings: readonly Finding[];
  readonly notJudged: readonly NotJudged[];
}

/**
 * If `isHidden`, reports the checks that svc could not make. Otherwise returns an empty list. @param userId Default: null, for several
 * people.
 */
export function notJudgedIf(isHidden: boolean, kinds: NotJudged['kinds'], message: string, userId: number | null = null): NotJudged[] {
  return isHidden ? [{ kinds, userId, message }] : [];
}

export function joined(judgements: readonly Judgement[]): Judgement {
  return {
    findings: judgements.flatMap(({ findings }) => findings),
    notJudged: judgements.flatMap(({ notJudged }) => notJudged),
  };
}
