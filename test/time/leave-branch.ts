import { LAST_WHOLE_DAY } from '../../src/sandbox/resources/leave.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

const OFFICE = { monday: at('09:00', '17:00'), tuesday: at('09:00', '17:00'), wednesday: at('09:00', '17:00') };
const WEEK = { ...OFFICE, thursday: at('09:00', '17:00'), friday: at('09:00', '17:00'), saturday: null, sunday: null };

/** A name with characters that could affect other output. */
export const HOSTILE = 'Bo; "B", \\ <b>山田山田山田山田山田山田山田山田</b>\u202eevil';

/** A branch of four people with leave that you can count by hand. The current day is Monday, 16 November 2026. */
export interface LeaveBranch extends PinnedSandbox {
  readonly mira: number;
  readonly tom: number;
  readonly nina: number;
  readonly bo: number;
}

/** Creates the branch. A comment beside each absence explains its length. */
export async function openLeaveBranch(): Promise<LeaveBranch> {
  const here = await signInAt('2026-11-16T10:00:00Z');
  const branch = await here.addRecord('/company-branches', { name: 'Leave House' });
  const person = (name: string, timezone: string, working_hours: JsonObject | null) =>
    here.addRecord('/users', { name, timezone, working_hours, company_branch_id: branch, manager_id: 2 });
  const mira = await person('Mira Jansen', 'Europe/Amsterdam', WEEK);
  const tom = await person('Tom Part', 'America/New_York', {
    monday: at('09:00', '17:00'),
    tuesday: at('09:00', '13:00'),
    wednesday: null,
    thursday: at('09:00', '17:00'),
    friday: [at('08:00', '12:00'), at('13:00', '17:00')],
    saturday: null,
    sunday: null,
  });
  const nina = await person('Nina Null', 'Asia/Tokyo', null);
  const bo = await person(HOSTILE, 'Europe/Amsterdam', WEEK);
  const away = async (user_id: number, type: string, start: string, end: string | null, status = 'approved', more = {}) => {
    const id = await here.addRecord('/absences', { user_id, type, start, end });
    // Approval of leave is not documented. The test changes the row as if somebody had approved the leave.
    Object.assign(here.sandbox.rows('absences').find((row) => row.id === id) ?? {}, { status, ...more });
  };
  // Whole days over New Year. 21 to 24 and 28 to 31 December are eight working days, and 25 December is a holiday. Add 4 and 5 January,
  // because the first is a holiday and a Friday.
  await away(mira, 'vacation', '2026-12-20T23:00:00Z', '2027-01-05T22:59:59Z', 'approved', { [LAST_WHOLE_DAY]: '2027-01-05' });
  // The absence lasts until Monday 13:00, the middle of the day: four hours.
  await away(mira, 'sick', '2026-11-08T23:00:00Z', '2026-11-09T12:00:00Z');
  // The absences are on Wednesday, and from Friday to Tuesday. Other leave covers all except Friday, so two days are requested.
  await away(mira, 'special', '2026-12-15T23:00:00Z', '2026-12-16T22:59:59Z', 'requested');
  await away(mira, 'special', '2026-12-17T23:00:00Z', '2026-12-22T22:59:59Z', 'requested');
  // Somebody declined this absence.
  await away(mira, 'vacation', '2026-12-06T23:00:00Z', '2026-12-11T22:59:59Z', 'declined');
  // Friday takes 8 hours, Monday 8, Tuesday 4: three days, 20 hours. The clocks go back on that Sunday in New York.
  await away(tom, 'vacation', '2026-10-30T04:00:00Z', '2026-11-04T04:59:59Z');
  // The absence runs since Thursday 13:00 in New York, 4 hours. Friday takes 8 and today 8: 2.5 days, 20 hours.
  await away(tom, 'sick', '2026-11-12T18:00:00Z', null);
  // 7 December in Tokyo starts on the 6th elsewhere.
  await away(nina, 'unpaid', '2026-12-06T15:00:00Z', '2026-12-07T14:59:59Z');
  // The absence starts on Friday at 13:00.
  await away(bo, 'parental', '2026-12-11T12:00:00Z', '2026-12-11T22:59:59Z', 'requested');
  return { ...here, mira, tom, nina, bo };
}

function at(start: string, end: string) {
  return { start, end };
}
