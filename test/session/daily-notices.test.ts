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
  ['public holidays that the organisation does not have', ['week'], 'svc continues without public holidays: '],
  ['records without a time zone', ['week', '--team'], 'name no time zone. svc assumes '],
  ['an API spec that was never imported', ['users', 'list'], 'To import its API spec: svc schema import --help'],
])('svc names %s once a day to a person, and each time to a program', async (_, argv, words) => {
  const now = Date.parse('2026-06-05T10:00:00Z');
  const stderr = async (terminal: boolean, at: number) =>
    (await here.svc(argv, { now: at, ...(terminal && { terminal: 300 }) })).stderr.includes(words);
  expect(await stderr(true, now)).toBe(true);
  expect(await stderr(true, now + 3_600_000)).toBe(false);
  expect(await stderr(true, now + 90_000_000)).toBe(true);
  const isForPeople = words.includes('schema import');
  expect([await stderr(false, now), await stderr(false, now)]).toEqual([!isForPeople, !isForPeople]);
});

it('svc prints no notice of an API spec after svc schema import', async () => {
  const { stdout: stdin } = await here.svc(['api', '/openapi.json']);
  expect((await here.svc(['schema', 'import', '-'], { stdin })).code).toBe(0);
  const { stderr } = await here.svc(['labels', 'list'], { terminal: 300, now: Date.parse('2026-07-05T10:00:00Z') });
  expect(stderr).not.toContain('schema import');
});
