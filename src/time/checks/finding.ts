/** All kinds of findings with their headings, in the order in which svc prints them. docs/guides/month-end.md documents each kind. */
export const HEADINGS = {
  'missing-hours': 'Missing hours',
  'hours-on-leave': 'Hours on leave, holidays and free days',
  'impossible-day': 'Days over 24 hours, entries under a minute',
  duplicate: 'Duplicates',
  'no-project': 'On no project',
  'not-billed': 'Not billed',
  'row-differs': 'Invoice rows that differ from their entries',
  'over-budget': 'Over budget',
  'timer-running': 'Timers that still run',
  'future-date': 'Dated in the future',
  'project-ended': 'On projects that ended or are on hold',
  'not-reviewed': 'Not reviewed',
};

export type Check = keyof typeof HEADINGS;

export const CHECKS = Object.keys(HEADINGS) as readonly Check[];

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

/** Returns the judgement of a check that svc could not make. */
export function onlyNotJudged(kind: Check, message: string): Judgement {
  return { findings: [], notJudged: [{ kinds: [kind], userId: null, message }] };
}

export function joined(judgements: readonly Judgement[]): Judgement {
  return {
    findings: judgements.flatMap(({ findings }) => findings),
    notJudged: judgements.flatMap(({ notJudged }) => notJudged),
  };
}
