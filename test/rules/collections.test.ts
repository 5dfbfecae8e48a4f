import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type WithToken, withToken } from './with-token.ts';

// Chapter 8 of docs/service-rules.md and the absences of chapter 9: how svc asks for a collection, and goes through it.

let here: WithToken;
beforeAll(async () => {
  here = await withToken();
});
afterAll(() => here.remove());
beforeEach(() => void here.sent());

/** The query of each request since the test began. */
function queries(): Readonly<Record<string, string>>[] {
  return here.sent().map((line) => Object.fromEntries(new URLSearchParams(line.replace(/^[^?]*\??/, ''))));
}

describe('a list of several pages', () => {
  test('is read by cursor, with the same query on every page (rules 8.7, 8.9)', async () => {
    const asked = { sort: 'id', 'filter[user_id]': '1', q: 'e', view: 'detail', per_page: '50' };
    await here.read(
      'worklogs',
      'list',
      '--sort',
      'id',
      '--user',
      '1',
      '--search',
      'e',
      '--view',
      'detail',
      '--per-page',
      '50',
      '-L',
      '150',
    );
    const [first, ...others] = queries();
    expect(first).toEqual(asked);
    expect(others.length).toBe(2);
    for (const query of others) expect(query).toEqual({ ...asked, cursor: expect.any(String) });
  });

  test('ends with the remaining rows of --limit, and the printed cursor continues after these rows (rule 8.11)', async () => {
    const ids = await here.read('worklogs', 'list', '--per-page', '10', '-L', '13', '--jq', 'map(.id)');
    expect(queries().map(({ per_page }) => per_page)).toEqual(['10', '3']);
    expect(ids).toEqual(await here.read('worklogs', 'list', '-L', '13', '--jq', 'map(.id)'));
    const { stderr } = await here.svc(['worklogs', 'list', '--per-page', '10', '-L', '13']);
    const cursor = /--cursor (\S+)/.exec(stderr)?.[1] ?? '';
    const rest = await here.read('worklogs', 'list', '-L', '2', '--cursor', cursor, '--jq', 'map(.id)');
    expect(rest).toEqual((await here.read('worklogs', 'list', '-L', '15', '--jq', 'map(.id)')).slice(13));
  });

  test('resumes after the last printed row, with the typed query (rules 8.8, 8.9)', async () => {
    const { stderr } = await here.svc(['projects', 'list', '--sort', 'name', '-L', '3']);
    const argv = /To continue: svc (.*)\n/.exec(stderr)?.[1]?.split(' ') ?? [];
    const all = await here.read('projects', 'list', '--sort', 'name', '--jq', 'map(.id)');
    expect(await here.read(...argv, '--jq', 'map(.id)')).toEqual(all.slice(3, 6));
  });

  test('is read by page number, without a cursor, when you type --page (rules 8.14, 8.15)', async () => {
    const ids = await here.read('projects', 'list', '--page', '2', '--per-page', '3', '--jq', 'map(.id)');
    expect(queries()).toEqual([
      { page: '2', per_page: '3' },
      { page: '3', per_page: '3' },
    ]);
    expect(ids).toEqual((await here.read('projects', 'list', '--jq', 'map(.id)')).slice(3));
    const { stderr } = await here.svc(['projects', 'list', '--page', '1', '--per-page', '3', '-L', '3']);
    expect(stderr).toMatch(/ --page 2\n$/);
  });

  test('has no rows on a page after the last page, and svc prints no notice (rules 8.16, 8.17)', async () => {
    expect(await here.svc(['projects', 'list', '--page', '900'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    expect(queries()).toEqual([{ page: '900' }]);
  });
});

test('svc export requests the labels in the order of ids (rule 8.25)', async () => {
  const { code, stderr } = await here.svc(['export', join(here.home, 'saved'), 'labels']);
  expect(code, stderr).toBe(0);
  expect(here.sent().find((line) => line.startsWith('GET /labels') && line.includes('per_page=100'))).toContain('sort=id');
});

describe('the number of rows', () => {
  test('is unknown for a resource that does not count rows, unless you type --with-total (rule 8.22)', async () => {
    expect((await here.svc(['worklogs', 'list', '-L', '2'])).stderr).toMatch(/^There are more rows than these 2\. /);
    expect((await here.svc(['worklogs', 'list', '-L', '2', '--with-total'])).stderr).toMatch(/^\d{4} rows in all\.\n/);
    expect(queries()).toEqual([{ per_page: '2' }, { per_page: '2', with_total: '1' }]);
  });

  test('is known for a resource that counts rows, and svc requests no count, even with --with-total (rule 8.23)', async () => {
    for (const more of [[], ['--with-total']])
      expect((await here.svc(['labels', 'list', '-L', '2', '--no-cache', ...more])).stderr).toContain(
        'There are more rows than these 2, 6 in all.',
      );
    expect(queries()).toEqual([{ per_page: '2' }, { per_page: '2' }]);
  });
});

describe('absences', () => {
  test('are printed in the order of the service, newest first (rules 9.13, 9.14)', async () => {
    const starts = await here.read('absences', 'list', '-L', '50', '--jq', 'map(.start)');
    expect(starts).toHaveLength(50);
    expect(starts).toEqual([...starts].sort().reverse());
    expect(queries()).toEqual([{ per_page: '50' }]);
  });

  test('are requested with the typed view, sort, include and page parameters (rule 9.16)', async () => {
    const chosen = ['--view', 'detail', '--sort', 'start', '--include', 'user', '-L', '3'];
    await here.read('absences', 'list', ...chosen, '--per-page', '2');
    await here.read('absences', 'list', ...chosen, '--page', '2');
    const same = { view: 'detail', sort: 'start', include: 'user' };
    expect(queries()).toEqual([
      { ...same, per_page: '2' },
      { ...same, per_page: '1', cursor: expect.any(String) },
      { ...same, page: '2' },
    ]);
  });

  test('are requested by svc api with a typed request id and ETag (rule 9.17)', async () => {
    const { stdout } = await here.svc(['api', '/absences?per_page=1', '-i']);
    const etag = /^etag: (.*)$/m.exec(stdout)?.[1] ?? '';
    const again = await here.svc(['api', '/absences?per_page=1', '-i', '-H', `If-None-Match: ${etag}`, '-H', 'X-Request-Id: mine']);
    expect([again.code, again.stdout.split('\n')[0]]).toEqual([0, 'HTTP 304']);
    const [first, second] = here.sandbox.requests;
    expect([first?.headers['if-none-match'], second?.headers['if-none-match'], second?.headers['x-request-id']]).toEqual([
      undefined,
      etag,
      'mine',
    ]);
  });

  const VALUES: Readonly<Record<string, string>> = { user_id: '1', manager_id: '1' };

  test.each([
    ['created_at (rule 9.18)', 'eq gte lt'],
    ['updated_at (rule 9.19)', 'eq gte lt'],
    ['start (rule 9.20)', 'eq gte lte'],
    ['end (rule 9.21)', 'eq gte lte null'],
    ['manager_id (rule 9.23)', 'eq in null'],
    ['user_id (rule 9.25)', 'eq in'],
  ])('can be filtered by %s only with %s, and svc sends no other operator', async (title, expected) => {
    const field = title.replace(/ .*/, '');
    const sent: string[] = [];
    for (const operator of ['eq', 'gte', 'lt', 'lte', 'in', 'null']) {
      const value = operator === 'null' ? 'true' : (VALUES[field] ?? '2026-01-01T00:00:00Z');
      const name = operator === 'eq' ? field : `${field}.${operator}`;
      const { code } = await here.svc(['absences', 'list', '--filter', `${name}=${value}`, '-L', '1']);
      const [query] = queries();
      if (query === undefined) expect([name, code]).toEqual([name, 2]);
      else {
        const key = operator === 'eq' ? `filter[${field}]` : `filter[${field}][${operator}]`;
        expect([code, query]).toEqual([0, { [key]: value, per_page: '1' }]);
        sent.push(operator);
      }
    }
    expect(sent.join(' ')).toBe(expected);
  });

  test.each(['user_id', 'manager_id'])('can be filtered by at most a hundred values of %s (rules 9.23, 9.25)', async (field) => {
    const list = (size: number) => Array.from({ length: size }, (_, index) => index + 1).join(',');
    expect((await here.svc(['absences', 'list', '-L', '1', '--filter', `${field}.in=${list(100)}`])).code).toBe(0);
    expect(queries()).toEqual([{ [`filter[${field}][in]`]: list(100), per_page: '1' }]);
    expect((await here.svc(['absences', 'list', '-L', '1', '--filter', `${field}.in=${list(101)}`])).code).toBe(2);
    expect(queries()).toEqual([]);
  });

  test('of other people need a permission, which svc names (rule 9.27)', async () => {
    const own = await here.as('employee', ['absences', 'list', '--user', 'me', '-L', '1']);
    const others = await here.as('employee', ['absences', 'list', '--user', '4', '-L', '1']);
    expect([own.code, others.code, others.stderr.includes('for the permission absences::manage')]).toEqual([0, 5, true]);
  });
});
