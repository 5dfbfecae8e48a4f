// An organisation whose absences cannot be asked for by person: what everybody's say of one is what the filter would have said.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

/** Its absences have no filter by user, and its holidays are there. */
const TENANT = 3;

let plain: SignedIn;
let tenant: SignedIn;
beforeAll(async () => {
  [plain, tenant] = await Promise.all([signedIn({ limits: 'off' }), signedIn({ limits: 'off', tenant: TENANT })]);
});
afterAll(() => Promise.all([plain.remove(), tenant.remove()]));

async function answer(at: SignedIn, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await at.svc([...argv, '--jq', 'map([.user, .date, .target_minutes, .away_minutes])']);
  expect(code, stderr).toBe(0);
  return stdout;
}

it.each([
  ['your own week', ['week']],
  ['the week of a person on leave', ['week', '--user', '5']],
  ['the week of a team', ['week', '--team']],
])('at a service without a filter by user, svc reads the leave of everybody for %s', async (_, argv) => {
  tenant.sandbox.requests.length = 0;
  expect(await answer(tenant, ...argv)).toBe(await answer(plain, ...argv));
  const asked = tenant.sandbox.requests.filter(({ path }) => path.startsWith('/api/v2/absences'));
  const answered = asked.filter(({ status }) => status === 200).map(({ path }) => decodeURIComponent(path));
  expect(answered).not.toEqual([]);
  expect(answered.filter((path) => path.includes('filter[user_id]'))).toEqual([]);
  // The service refuses a filter of each form once; svc remembers that for a day.
  tenant.sandbox.requests.length = 0;
  await answer(tenant, ...argv);
  expect(tenant.sandbox.requests.filter(({ status }) => status === 400)).toEqual([]);
});
