import { INTERPRETATIONS } from '../../src/sandbox/interpretations.ts';
import type { JsonObject } from '../../src/values/json.ts';
import type { Result, RunOptions } from '../support/svc.ts';
import { organisation, week } from './organisation.ts';
import type { PinnedSandbox } from './support.ts';

/** The time of the tests: Wednesday 31 March 2027 in Amsterdam and Tokyo, but still Tuesday in St. John’s. */
const NOW = '2027-03-30T22:30:00Z';

/** The last id of a worklog. Ids start at 1 in each organisation. */
let last = 0;
const worklog = (user: number, date: string, minutes: number, more: JsonObject = {}): JsonObject => {
  last += 1;
  return {
    id: last,
    user_id: user,
    date,
    minutes,
    description: `Work ${last}`,
    project_id: 1,
    work_item_id: null,
    budget_id: null,
    is_overtime: false,
    is_not_billable: true,
    exceeded_budget: false,
    reviewed_by: 1,
    invoice_id: null,
    sales_invoice_row_id: null,
    ...more,
  };
};
const person = (id: number, name: string, timezone: string, hours: JsonObject | null, more: JsonObject = {}): JsonObject => ({
  id,
  name,
  role: id === 1 ? 'admin' : 'employee',
  timezone,
  working_hours: hours,
  is_active: true,
  ...more,
});
const PART_TIME: JsonObject = {
  monday: { start: '09:00', end: '17:00' },
  tuesday: { start: '09:00', end: '13:00' },
  wednesday: null,
  thursday: null,
  friday: [
    { start: '08:00', end: '12:00' },
    { start: '13:00', end: '17:00' },
  ],
  saturday: null,
  sunday: null,
};
const NIGHT: JsonObject = { saturday: { start: '22:00', end: '06:00' } };

/** The output of a check. */
export interface Printed extends Result {
  readonly rows: readonly JsonObject[];
  /** The findings: `kind user_id date minutes`. */
  readonly short: readonly string[];
}

/** Seven people whose hours the tests check. */
export interface CheckedHours extends PinnedSandbox {
  check(words: readonly string[], options?: RunOptions): Promise<Printed>;
  /** Returns an environment with the person’s own token, which works without Manage API tokens. */
  ownToken(): Readonly<Record<string, string>>;
  /** Restores the default service, with its first person as an administrator. */
  restore(): void;
}

/** Starts the organisation. Cases with arithmetic show it beside their rows. */
export async function checkedHours(): Promise<CheckedHours> {
  last = 0;
  const here = await organisation(NOW, {
    users: [
      person(1, 'Ada', 'Europe/Amsterdam', week('09:00', '17:00')),
      person(2, 'Part Timer', 'Europe/Amsterdam', PART_TIME, { manager_id: 1, company_branch_id: 1 }),
      person(3, 'Yoko', 'Asia/Tokyo', week('10:00', '18:00'), { manager_id: 1 }),
      person(4, 'Mia', 'America/St_Johns', week('09:00', '17:00')),
      person(5, 'Night', 'Europe/Amsterdam', NIGHT),
      person(6, 'Silent', 'Europe/Amsterdam', null),
      person(7, 'Gone', 'Europe/Amsterdam', week('09:00', '17:00'), { is_active: false }),
    ],
    'company-branches': [{ id: 1, name: 'Amsterdam' }],
    projects: [{ id: 1, name: 'Web "shop"', status: 'active', end_date: null }],
    holidays: [{ id: 1, name: 'New Year', date: '2027-01-01' }],
    'free-days': [{ id: 1, name: 'Bridge', date: '2026-12-31', user_id: 1 }],
    absences: [
      // The absences: Friday from 12:30, in the middle of the break; Monday until 13:00; and a whole Tuesday in Tokyo.
      { id: 1, user_id: 2, type: 'special', status: 'approved', start: '2027-03-12T11:30:00Z', end: '2027-03-12T22:59:59Z' },
      { id: 2, user_id: 2, type: 'sick', status: 'approved', start: '2027-03-07T23:00:00Z', end: '2027-03-08T12:00:00Z' },
      {
        id: 3,
        user_id: 3,
        type: 'vacation',
        status: 'approved',
        start: '2027-03-08T15:00:00Z',
        end: '2027-03-09T14:59:59Z',
        last_whole_day: '2027-03-09',
      },
    ],
    'sales-invoices': [{ id: 1, status: 'sent' }],
    'sales-invoice-rows': [
      { id: 1, sales_invoice_id: 1, name: 'Work', billable_minutes: 500 },
      { id: 2, sales_invoice_id: 1, name: 'Licence', billable_minutes: null },
    ],
    worklogs: [
      // A part-time person: 40 of 240 minutes are missing on Tuesday, 240 of 480 on Friday. Wednesday is free, without leave.
      worklog(2, '2027-03-01', 480),
      worklog(2, '2027-03-02', 200),
      worklog(2, '2027-03-03', 60),
      worklog(2, '2027-03-05', 240),
      // Leave until 13:00 on a day from 9 to 17 leaves 240 minutes, and 200 are logged. Leave from 12:30 on a day from 8 to 12 and 13 to 17
      // leaves 240, and 300 are logged.
      worklog(2, '2027-03-08', 200),
      worklog(2, '2027-03-09', 240),
      worklog(2, '2027-03-12', 300),
      // The entries in Tokyo, on the day of leave and the day before.
      worklog(3, '2027-03-08', 480),
      worklog(3, '2027-03-09', 480),
      // The days of 23 and 25 hours in Amsterdam.
      worklog(1, '2027-03-28', 23 * 60 + 30),
      worklog(4, '2027-03-28', 23 * 60 + 30),
      worklog(1, '2026-10-25', 24 * 60 + 30),
      worklog(5, '2026-10-25', 25 * 60 + 30),
      // A shift from 22 to 6 o’clock takes 8 hours, but 7 in the night of the 28th.
      worklog(5, '2027-03-20', 420),
      worklog(5, '2027-03-27', 420),
      // The week over New Year. Monday to Wednesday are full, one free day has hours, and Friday is a holiday.
      ...['2026-12-28', '2026-12-29', '2026-12-30'].map((date) => worklog(1, date, 480)),
      worklog(1, '2026-12-31', 120),
      worklog(2, '2026-12-28', 480),
      worklog(2, '2026-12-29', 240),
      // The 31st is today, or tomorrow in another zone.
      worklog(1, '2027-03-31', 480),
      worklog(3, '2027-03-31', 480),
      worklog(4, '2027-03-31', 480),
      worklog(4, '2027-03-30', 480),
      worklog(6, '2027-03-29', 60),
      // The row has 500 minutes. 250 of them are in this month.
      worklog(1, '2027-02-01', 250, { is_not_billable: false, sales_invoice_row_id: 1 }),
      worklog(1, '2027-02-02', 240, { is_not_billable: false, sales_invoice_row_id: 1 }),
      worklog(1, '2027-02-03', 60, { is_not_billable: false, sales_invoice_row_id: 2 }),
      worklog(1, '2027-02-04', 60, { is_not_billable: false }),
    ],
  });
  return {
    ...here,
    ownToken: () => ({ SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' }),
    async check(words, options = {}) {
      const result = await here.svc(['check', ...words], options);
      const rows = result.stdout.startsWith('[') ? (JSON.parse(result.stdout) as JsonObject[]) : [];
      return { ...result, rows, short: rows.map(({ kind, user_id, date, minutes }) => [kind, user_id, date, minutes].join(' ')) };
    },
    restore() {
      Object.assign(
        here.sandbox.interpretations,
        Object.fromEntries(Object.entries(INTERPRETATIONS).map(([name, [usual]]) => [name, usual])),
      );
      here.sandbox.setRole(1, 'admin');
      here.sandbox.setFaults([]);
    },
  };
}
