import type { TeamLeave } from '../../records/leave.ts';
import type { Member } from '../../records/team.ts';
import type { Needs } from '../../session/context.ts';
import { checkInvoiceRows } from '../../time/checks/check-billing.ts';
import type { CheckedPerson } from '../../time/checks/check-days.ts';
import type { CheckedEntry } from '../../time/checks/checked-entry.ts';
import { type Check, type Judgement, joined, type NotJudged } from '../../time/checks/finding.ts';
import { describeHours } from '../../time/working-hours.ts';
import { counted } from '../../values/counted.ts';
import type { JsonObject } from '../../values/json.ts';

/** Says what was taken for so, in a line for all of them. */
export async function tellAssumed(context: Needs<'notice'>, members: readonly Member[]): Promise<void> {
  const [first, ...others] = members.filter(({ timeZoneAssumed }) => timeZoneAssumed);
  const more = (count: number) => (count === 0 ? '' : ` and ${counted(count, 'other')}`);
  if (first !== undefined)
    await context.notice(
      `The record of ${first.name}${more(others.length)} names no time zone: days are those of ${first.timeZone}, assumed.`,
    );
  const [chosen, ...rest] = members.flatMap(({ name, hours }) => (hours.kind === 'read' && hours.chosen ? [{ name, hours }] : []));
  if (chosen !== undefined)
    await context.notice(
      `The working hours of ${chosen.name}${more(rest.length)} could be meant otherwise. They are read as ${describeHours(chosen.hours.hours)}.`,
    );
}

/** What is judged, unless what it takes may not be seen; then that, in the words of the 403. */
export function unless(withheld: string | undefined, kind: Check, judge: () => Judgement): Judgement {
  return withheld === undefined ? judge() : { findings: [], notJudged: [{ kinds: [kind], userId: null, message: withheld }] };
}

/** Rows of invoices against their entries, as far as both are shown. `sums`: see readNamed; undefined where the service does not tell. */
export function checkRowsOf(
  entries: readonly CheckedEntry[],
  rows: readonly JsonObject[],
  sums: ReadonlyMap<number, number> | undefined,
): Judgement {
  const kinds = ['row-differs'] as const;
  const hidden = (message: string): Judgement => ({ findings: [], notJudged: [{ kinds, userId: null, message }] });
  const shown = joined([
    checkInvoiceRows(rows, sums ?? new Map()),
    entries.some(({ rowId }) => rowId === undefined)
      ? hidden('The service does not show which entries are on a row of an invoice')
      : { findings: [], notJudged: [] },
  ]);
  if (sums !== undefined || rows.length === 0) return shown;
  return hidden('The service does not list the worklogs of a row, so the minutes of rows cannot be compared');
}

/** Leave that may not be seen or read, so that nobody knows what is missing. */
export function withheldLeave(leaves: ReadonlyMap<number, TeamLeave>, members: readonly Member[]): NotJudged[] {
  const kinds = ['missing-hours', 'hours-on-leave'] as const;
  const all = [...leaves];
  const hidden = all.filter(([, { shown }]) => !shown);
  const whose = hidden.length === 1 ? (hidden[0]?.[0] ?? null) : null;
  const names = members.filter(({ id }) => hidden.some(([other]) => other === id)).map(({ name }) => name);
  return [
    ...(hidden.length === 0
      ? []
      : [
          {
            kinds,
            userId: whose,
            message: `Absences of ${names.length > 3 ? counted(names.length, 'person', 'people') : names.join(', ')} may not be seen; for those of others it takes absences::manage`,
          },
        ]),
    ...(all.some(([, { daysOffShown }]) => !daysOffShown)
      ? [{ kinds, userId: null, message: 'Public holidays or free days may not be seen' }]
      : []),
    ...all.flatMap(([userId, { unreadable }]) =>
      unreadable === 0
        ? []
        : [
            {
              kinds,
              userId,
              message: `svc cannot read from when to when ${counted(unreadable, 'absence')} ${unreadable === 1 ? 'is' : 'are'}`,
            },
          ],
    ),
  ];
}

/** Whoever logged hours and is not among the people who may be seen. */
export function strangers(entries: readonly CheckedEntry[], people: ReadonlyMap<number, CheckedPerson>): NotJudged[] {
  const ofDays = ['missing-hours', 'hours-on-leave'] as const;
  const ids = [...new Set(entries.map(({ userId }) => userId ?? null))].filter((id) => id === null || !people.has(id));
  return ids.map((userId) => ({
    // Beside which others an entry of nobody knows whom stands is not known either.
    kinds: userId === null ? ([...ofDays, 'impossible-day', 'duplicate', 'no-project'] as const) : ofDays,
    userId,
    message:
      userId === null
        ? 'The service does not show whose each entry is'
        : `User ${userId} logged hours, and is not among the people who may be seen`,
  }));
}
