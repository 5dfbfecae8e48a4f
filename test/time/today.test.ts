import { afterEach, describe, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

// After an entry of today: how the day stands, where all of it is known.

let here: PinnedSandbox;
afterEach(() => here.remove());

const TERMINAL = { terminal: 100, env: { NO_COLOR: '1' } };
/** A Wednesday, on which six hours are logged already. */
const NOON = '2026-06-03T10:00:00Z';

async function logged(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await here.svc(['worklogs', 'add', ...words], TERMINAL);
  expect(code, stderr).toBe(0);
  return stdout.trimEnd().replace(/#\d+$/, '#');
}

describe('svc worklogs add', () => {
  it('prints the hours of today, and the target after a natural-language entry', async () => {
    here = await signInAt(NOON);
    expect(await logged('1h30', 'ABC-12', 'Review')).toBe('Logged 1h30 on ABC-12 Show the deleted rows, "Review" · today 7h30 of 8h · #');
    here.sandbox.requests.length = 0;
    expect(await logged('--minutes', '90')).toBe('Logged 1h30 on no project · today 9h · #');
    expect(here.sandbox.requests.map(({ method }) => method).sort()).toEqual(['GET', 'POST']);
  });

  it('prints the record in a pipe, with one request', async () => {
    here = await signInAt(NOON);
    here.sandbox.requests.length = 0;
    const { stdout } = await here.svc(['worklogs', 'add', '--minutes', '90']);
    expect(JSON.parse(stdout)).toMatchObject({ minutes: 90 });
    expect(here.sandbox.requests).toHaveLength(1);
  });

  it('prints the date for another day or person, with the hours after a natural-language entry', async () => {
    here = await signInAt(NOON);
    expect(await logged('--minutes', '30', '--date', '2026-06-02')).toBe('Logged 30m on no project · 2026-06-02 · #');
    expect(await logged('30m', 'ABC-12', '--date', '2026-06-02')).toBe(
      'Logged 30m on ABC-12 Show the deleted rows · 2026-06-02: 6h45 of 8h · #',
    );
    expect(await logged('--minutes', '30', '--user', '2')).toBe('Logged 30m on no project · 2026-06-03 · #');
    expect(await logged('30m', 'ABC-12', '--user', '2')).toBe('Logged 30m on ABC-12 Show the deleted rows · 2026-06-03: 2h · #');
    const rows = here.sandbox.rows('worklogs');
    const minutes = (date: string, user: number) =>
      rows.filter((row) => row['date'] === date && row['user_id'] === user).reduce((sum, row) => sum + Number(row['minutes']), 0);
    expect([minutes('2026-06-02', 1), minutes('2026-06-03', 2)]).toEqual([6 * 60 + 45, 2 * 60]);
  });

  it('prints a lower target on a day with an absence', async () => {
    here = await signInAt(NOON);
    await here.addRecord('/absences', { user_id: 1, start: '2026-06-03T11:00:00Z', end: '2026-06-03T21:59:59Z' });
    expect(await logged('1h', 'ABC-12')).toMatch(/ · today 7h of 4h · #$/);
  });

  it.each([
    ['taken', /today 7h30 · #$/],
    // Whose entries they are is looked at from the second time on, and then not all of them are seen in one page.
    ['by-date', /(2026-06-03|today 7h30) · #$/],
    ['refused', /2026-06-03 · #$/],
  ] as const)('prints 7h30 for today, or only the date, when filters are %s', async (hoursFilters, last) => {
    here = await signInAt(NOON, { interpretations: { hoursFilters } });
    await logged('--minutes', '30');
    await logged('--minutes', '30');
    expect(await logged('--minutes', '30')).toMatch(last);
  });

  it.each(['start-end', 'from-to', 'per-day', 'one-time', 'list', 'minutes', 'null', 'text'] as const)(
    'shows a target if svc can read working hours of the form %s',
    async (workingHours) => {
      here = await signInAt(NOON, { interpretations: { workingHours } });
      expect(await logged('1h', 'ABC-12')).toMatch(['null', 'text'].includes(workingHours) ? /today 7h · #$/ : /today 7h of \d+h\d* · #$/);
    },
  );

  it('prints no hours of today after a failed read', async () => {
    here = await signInAt(NOON);
    const around = (deps: Deps): Deps => ({
      ...deps,
      network: {
        ...deps.network,
        request: async (request) =>
          request.method === 'GET' && request.url.includes('/worklogs')
            ? deps.network.request({ ...request, url: request.url.replace('/worklogs', '/nonsuch') })
            : deps.network.request(request),
      },
    });
    const { code, stdout, stderr } = await here.svc(['worklogs', 'add', '--minutes', '90'], { ...TERMINAL, around });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Logged 1h30 on no project · 2026-06-03 · #\d+\n$/)]);
    expect(stderr).toMatch(/^Undoing it means a delete, [^\n]*\n[^\n]*\n?$/);
  });

  it('prints no hours when the service does not answer the read', async () => {
    here = await signInAt(NOON);
    const around = (deps: Deps): Deps => ({
      ...deps,
      network: {
        ...deps.network,
        async request(request) {
          if (request.method !== 'GET') return deps.network.request(request);
          return new Promise((_, reject) => request.signal?.addEventListener('abort', () => reject(request.signal?.reason)));
        },
      },
    });
    const { code, stdout } = await here.svc(['worklogs', 'add', '--minutes', '90'], { ...TERMINAL, hurried: true, around });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Logged 1h30 on no project · \d{4}-\d\d-\d\d · #\d+\n$/)]);
  });

  it('prints no hours of today for planned and waiting entries', async () => {
    here = await signInAt(NOON);
    for (const flags of [['--later'], ['--plan', `${here.home}/plan.json`]]) {
      const { stdout } = await here.svc(['worklogs', 'add', '--minutes', '15', ...flags], TERMINAL);
      expect(stdout).not.toContain('today');
    }
  });
});
