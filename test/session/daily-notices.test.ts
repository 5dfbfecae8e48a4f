import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

/** An organisation without public holidays, in which some records have no time zone. */
const TENANT = 1;

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', tenant: TENANT });
});
afterAll(() => here.remove());

it.each([
  ['missing public holidays', ['week'], 'svc continues without public holidays: '],
  ['records without a time zone', ['week', '--team'], 'name no time zone. svc assumes '],
])('svc reports %s once a day to a person, and each time to a program', async (_, argv, words) => {
  const now = Date.parse('2026-06-05T10:00:00Z');
  const stderr = async (terminal: boolean, at: number) =>
    (await here.svc(argv, { now: at, ...(terminal && { terminal: 300 }) })).stderr.includes(words);
  expect(await stderr(true, now)).toBe(true);
  expect(await stderr(true, now + 3_600_000)).toBe(false);
  expect(await stderr(true, now + 90_000_000)).toBe(true);
  expect([await stderr(false, now), await stderr(false, now)]).toEqual([true, true]);
});
