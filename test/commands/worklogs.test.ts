import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ personalToken: true });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

describe('svc worklogs add', () => {
  it('sends one request, with today’s date in the zone of the user’s record', async () => {
    // The zone of Sanne's record is Amsterdam, where the 7th began half an hour ago.
    const result = await here.svc(['worklogs', 'add', '--minutes', '90'], {
      now: Date.parse('2026-06-06T22:30:00Z'),
      env: { TZ: 'America/New_York' },
    });
    expect(result.code, result.stderr).toBe(0);
    expect(here.sandbox.requests.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      { method: 'POST', path: '/api/v2/worklogs', body: '{"minutes":90,"date":"2026-06-07"}' },
    ]);
    expect(JSON.parse(result.stdout)).toMatchObject({ minutes: 90, date: '2026-06-07' });
  });
});
