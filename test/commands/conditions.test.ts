import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nextRowsAfter } from '../../src/commands/resource/continue-list.ts';
import { type WithToken, withToken } from '../rules/with-token.ts';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

// Writes that depend on the present version of a record, and their answers.

describe.each([
  ['wrapped records', {}],
  ['unwrapped records', { wrapSingleRecords: false, staleNoop: 200 }],
] as const)('svc at a service with %s', (_, interpretations) => {
  let here: SignedIn;
  beforeAll(async () => {
    here = await signedIn({ personalToken: true, limits: 'off', interpretations });
  });
  afterAll(() => here.remove());

  /** Another person, whose reads and writes this account does not see. */
  const other = () => ({ SVC_TOKEN: here.sandbox.tokens.find(({ name }) => name === 'full')?.value ?? '', SVC_HOST: here.host });
  const create = async () => {
    const made = await here.svc(['labels', 'create', '--name', `Label ${here.sandbox.requests.length}`], { env: other() });
    return String(JSON.parse(made.stdout).id);
  };
  const paint = (id: string, color: string, ...more: string[]) => here.svc(['labels', 'update', id, '--color', color, ...more]);
  const paintElsewhere = (id: string) => here.svc(['labels', 'update', id, '--color', '#999999'], { env: other() });
  const colorOf = async (id: string) => JSON.parse((await here.svc(['labels', 'get', id, '--no-cache'], { env: other() })).stdout).color;

  test.each([
    ['svc labels get', ['labels', 'get', 'ID'], {}],
    ['svc labels get with two ids', ['labels', 'get', '1', 'ID', '-o', 'ndjson'], {}],
    ['svc labels get at a terminal', ['labels', 'get', 'ID'], { terminal: 80 }],
    ['svc labels list --view detail', ['labels', 'list', '--view', 'detail', '--sort', 'id'], {}],
  ])('compares --if-unchanged with the version that %s showed (rules 6.8, 6.9)', async (_, argv, options) => {
    const id = await create();
    const read = () => here.svc([...argv.map((word) => (word === 'ID' ? id : word)), '--no-cache'], options);
    expect((await read()).code).toBe(0);
    expect((await paintElsewhere(id)).code).toBe(0);
    const refused = await paint(id, '#000001', '--if-unchanged', '--error-format', 'json');
    expect([refused.code, await colorOf(id)], refused.stderr).toEqual([6, '#999999']);
    expect((await read()).code).toBe(0);
    const { code, stderr } = await paint(id, '#000002', '--if-unchanged');
    expect([code, await colorOf(id)], stderr).toEqual([0, '#000002']);
    // The error has the ETag that the record had then.
    const { etag } = JSON.parse(refused.stderr);
    expect((await paint(id, '#000003', '--if-match', etag)).code).toBe(6);
    await paintElsewhere(id);
    const again = await paint(id, '#000004', '--if-unchanged', '--error-format', 'json');
    expect((await paint(id, '#000005', '--if-match', JSON.parse(again.stderr).etag)).code).toBe(0);
  });

  test('exits 2 for --if-unchanged unless you read the detail view in the last day', async () => {
    const id = await create();
    here.sandbox.requests.length = 0;
    const unread = await paint(id, '#000001', '--if-unchanged');
    expect([unread.code, here.sandbox.requests.length]).toEqual([2, 0]);
    expect(unread.stderr).toContain(`after you read it: svc labels get ${id}\n`);
    await here.svc(['labels', 'list', '--no-cache']);
    expect((await paint(id, '#000001', '--if-unchanged')).code).toBe(2);
    await here.svc(['labels', 'get', id, '--view', 'summary', '--no-cache']);
    expect((await paint(id, '#000001', '--if-unchanged')).code).toBe(2);
    await here.svc(['labels', 'get', id]);
    const late = { now: Date.now() + 25 * 60 * 60_000 };
    expect((await here.svc(['labels', 'update', id, '--color', '#000001', '--if-unchanged'], late)).code).toBe(2);
    expect((await paint(id, '#000001', '--if-unchanged')).code).toBe(0);
  });

  test('accepts with --if-unchanged the version that your own last write returned', async () => {
    const id = String(JSON.parse((await here.svc(['labels', 'create', '--name', 'Mine'])).stdout).id);
    expect((await paint(id, '#000001', '--if-unchanged')).code).toBe(0);
    expect((await paint(id, '#000002')).code).toBe(0);
    expect((await paint(id, '#000003', '--if-unchanged')).code).toBe(0);
    await here.svc(['labels', 'update', id, '--color', '#000004'], { env: { SVC_KEEP_BEFORE: '1' } });
    expect((await here.svc(['undo'])).code).toBe(0);
    expect((await paint(id, '#000005', '--if-unchanged')).code).toBe(0);
    await paintElsewhere(id);
    expect((await paint(id, '#000006', '--if-unchanged')).code).toBe(6);
  });

  test('finds the version of a work item for --if-unchanged by id or key', async () => {
    const item = JSON.parse((await here.svc(['work-items', 'get', 'ABC-12'])).stdout) as { id: number };
    expect((await here.svc(['work-items', 'update', String(item.id), '--estimation', '1h', '--if-unchanged'])).code).toBe(0);
    const moved = await here.svc(['work-items', 'transition', 'ABC-12', '--to', 'In review', '--if-unchanged']);
    expect(moved.code, moved.stderr).toBe(0);
    await here.svc(['work-items', 'update', 'ABC-12', '--estimation', '3h'], { env: other() });
    for (const argv of [
      ['work-items', 'transition', 'ABC-12', '--to', 'In progress', '--if-unchanged'],
      ['work-items', 'move', 'ABC-12', '--after', 'ABC-7', '--if-unchanged'],
    ]) {
      const refused = await here.svc([...argv, '--error-format', 'json']);
      expect([refused.code, JSON.parse(refused.stderr).etag], argv.join(' ')).toEqual([6, expect.stringMatching(/^".+"$/)]);
    }
  });

  test('prints with --with-etag the ETag that --if-match accepts', async () => {
    const id = await create();
    const { stdout } = await here.svc(['labels', 'get', id, '--with-etag']);
    const { etag, name } = JSON.parse(stdout);
    expect(name).toMatch(/^Label/);
    expect((await paint(id, '#000001', '--if-match', etag)).code).toBe(0);
    expect((await paint(id, '#000002', '--if-match', etag)).code).toBe(6);
    const both = JSON.parse((await here.svc(['labels', 'get', id, '1', '--with-etag', '--no-cache'])).stdout) as { etag: string }[];
    expect(both.every((one) => /^".+"$/.test(one.etag))).toBe(true);
    const table = await here.svc(['labels', 'get', id, '--with-etag', '-o', 'table'], { terminal: 80, env: { NO_COLOR: '1' } });
    expect(table.stdout).toMatch(/^etag +"/m);
  });

  test('exits 6 for a delete with --if-unchanged when the record changed during the question (rule 6.9)', async () => {
    const id = await create();
    const changes = async () => {
      await paintElsewhere(id);
      return true;
    };
    const { code } = await here.svc(['labels', 'delete', id, '--if-unchanged'], {
      answers: [(async () => changes()) as unknown as (shown: string) => Promise<string>],
    });
    expect(code).toBe(6);
    expect((await here.svc(['labels', 'delete', id, '--if-unchanged', '--yes'])).code).toBe(2);
    await here.svc(['labels', 'get', id, '--no-cache']);
    expect((await here.svc(['labels', 'delete', id, '--if-unchanged', '--yes'])).code).toBe(0);
    expect((await here.svc(['labels', 'get', id])).code).toBe(3);
  });
});

describe('a write command', () => {
  let here: Recording;
  beforeAll(async () => {
    here = await startRecording();
    // From here on svc knows the zone of the user.
    await here.svc(['worklogs', 'list', '--from', 'today']);
    here.sent();
  });
  afterAll(() => here.remove());
  beforeEach(() => void here.sent());

  test.each([
    ['weak', 'W/"abc"', 'a weak ETag', 'or use --if-unchanged'],
    ['not in quotes', 'abc', 'double quotes', `--if-match '"abc"'`],
    ['empty', '', 'double quotes', 'single quotes'],
  ])('refuses, without a request, an ETag that is %s (rules 6.8, 7.4, 7.5)', async (_, etag, why, how) => {
    for (const argv of [
      ['projects', 'update', '12', '--name', 'X'],
      ['work-items', 'transition', 'ABC-12', '--to', '3'],
      ['sprints', 'complete', '4'],
      ['projects', 'delete', '12', '--yes'],
    ]) {
      const { code, stderr } = await here.svc([...argv, `--if-match=${etag}`]);
      expect([code, here.sent(), stderr.includes(`--if-match: `), stderr.includes(why)], stderr).toEqual([2, [], true, true]);
      expect(stderr.toLowerCase()).toContain(how.toLowerCase());
    }
  });

  test('exits 8 for --if-unchanged when the service gives only a weak ETag', async () => {
    here.server.script(json(200, { id: 12 }, { etag: 'W/"e1"' }), json(200, { id: 12 }, { etag: 'W/"e1"' }));
    await here.svc(['projects', 'get', '12']);
    here.sent();
    const { code, stderr } = await here.svc(['projects', 'update', '12', '--name', 'X', '--if-unchanged']);
    expect([code, here.sent()]).toEqual([8, ['GET /projects/12']]);
    expect(stderr).toContain('only a weak ETag');
  });

  test('sends the given ETag, or the version that you read, with a delete (rule 6.8)', async () => {
    await here.svc(['projects', 'delete', '12', '--yes', '--if-match', '"mine"']);
    expect(here.server.requests.at(-1)?.headers['if-match']).toBe('"mine"');
    here.sent();
    await here.svc(['projects', 'get', '12', '13']);
    here.sent();
    await here.svc(['projects', 'delete', '12', '13', '--yes', '--if-unchanged']);
    expect(here.sent()).toEqual(['DELETE /projects/12', 'DELETE /projects/13']);
    expect(here.server.requests.at(-1)?.headers['if-match']).toBe('"e1"');
    await here.svc(['projects', 'delete', '12', '--yes']);
    expect(here.server.requests.at(-1)?.headers['if-match']).toBeUndefined();
    const shown = await here.svc(['projects', 'delete', '12', '--dry-run', '--if-match', '"mine"']);
    expect(JSON.parse(shown.stdout).headers).toEqual({ 'If-Match': '"mine"' });
    here.sent();
    for (const argv of [
      ['12', '13', '--if-match', '"mine"'],
      ['-', '--if-unchanged'],
      ['12', '--if-unchanged', '--if-match', '"mine"'],
    ]) {
      expect([(await here.svc(['projects', 'delete', '--yes', ...argv], { stdin: '1\n' })).code, here.sent()]).toEqual([2, []]);
    }
  });

  test.each([
    [['projects', 'create', '--name', 'X'], 'POST /projects?view=summary'],
    [['projects', 'update', '12', '--name', 'X'], 'PATCH /projects/12?view=summary'],
    [['projects', 'update', '-', '--name', 'X'], 'PATCH /projects/7?view=summary'],
    [['work-items', 'transition', 'ABC-12', '--to', '3'], 'POST /work-items/ABC-12/actions/transition?view=summary'],
    [['work-items', 'move', 'ABC-12', '--after', 'ABC-7'], 'POST /work-items/ABC-12/actions/move?view=summary'],
    [['worklogs', 'add', '--minutes', '30', '--date', '2026-03-02'], 'POST /worklogs?view=summary'],
    [['worklogs', 'add', '30m', 'Review', '--date', '2026-03-02', '--no-check', '--no-context'], 'POST /worklogs?view=summary'],
  ])('requests the answer in the chosen view for %j (rules 3.2, 3.4, 9.47)', async (argv, request) => {
    const { code, stderr } = await here.svc([...argv, '--view', 'summary'], { stdin: '7\n' });
    expect([code, here.sent().filter((line) => !line.startsWith('GET '))], stderr).toEqual([0, [request]]);
    const { stdout: shown } = await here.svc([...argv, '--view', 'summary', '--dry-run', '--jq', '.. | .url? // empty'], { stdin: '7\n' });
    expect(shown).toMatch(/\?view=summary"?\n$/);
    expect((await here.svc([...argv, '--view', 'full'])).code).toBe(2);
    expect(here.sent()).toEqual([]);
  });
});

describe('svc get of several records', () => {
  let here: WithToken;
  afterEach(() => here.remove());

  test.each(['resource-not-found', 'endpoint-not-found'])(
    'prints the found records and names the missing records when the service answers %s (rules 14.17, 18.15, 18.28)',
    async (missingRecordType) => {
      here = await withToken({ interpretations: { missingRecordType } });
      const { code, stdout, stderr } = await here.svc(['projects', 'get', '2', '99998', '1', '99999', '--jq', 'map(.id)']);
      expect([code, JSON.parse(stdout)]).toEqual([3, [2, 1]]);
      expect(stderr).toContain('2 of 4 projects were not found: 99998, 99999.');
      const none = await here.svc(['projects', 'get', '99998', '99999']);
      expect([none.code, none.stdout.trim()]).toEqual([3, '[]']);
      expect(none.stderr).toMatch(/99998.*\n[\s\S]*Not found: 99998, 99999/);
    },
  );

  test('prints the number of records read before a failure', async () => {
    here = await withToken();
    here.sandbox.setFaults([{ method: 'GET', path: '/projects/3', status: 403, times: 9 }]);
    const { code, stdout, stderr } = await here.svc(['projects', 'get', '2', '1', '3', '-o', 'ids']);
    expect([code, stdout], stderr).toEqual([5, '2\n1\n']);
    expect(stderr).toContain('2 records were read before the failure.');
  });

  test('exits 3 and names the feature when the feature is switched off', async () => {
    here = await withToken({ switches: { sprints: false } });
    const { code, stderr } = await here.svc(['sprints', 'get', '1', '2']);
    expect([code, stderr.includes('sprints is not enabled')], stderr).toEqual([3, true]);
  });
});

describe('a list that stops at its limit', () => {
  let here: WithToken;
  beforeAll(async () => {
    here = await withToken();
  });
  afterAll(() => here.remove());

  const ids = async (...argv: string[]) => {
    const { stdout, stderr } = await here.svc([...argv, '-o', 'ids']);
    const onward = /To continue: svc (.*)\n/.exec(stderr)?.[1];
    return { ids: stdout.trim().split('\n').filter(Boolean).map(Number), onward: onward?.split(' '), stderr };
  };

  test.each([
    [['--page', '1', '--per-page', '3', '-L', '4']],
    [['--page', '2', '--per-page', '3', '-L', '4']],
    [['--page', '1', '-L', '3']],
    [['--page', '2', '--per-page', '3', '-L', '3']],
    [['--per-page', '3', '-L4']],
    [['-L', '5']],
  ])('prints commands that continue to the end without repeating a row, after %j (rules 8.11, 8.15)', async (paging) => {
    const all = (await ids('projects', 'list')).ids;
    const [, page = '1'] = /--page,(\d)/.exec(paging.join(',')) ?? [];
    const [, size = '25'] = /--per-page,(\d)/.exec(paging.join(',')) ?? [];
    const seen: number[] = [];
    let argv: string[] | undefined = ['projects', 'list', ...paging];
    for (let rounds = 0; argv !== undefined && rounds < 30; rounds += 1) {
      const { ids: some, onward } = await ids(...argv);
      seen.push(...some);
      argv = onward?.filter((word, index, words) => word !== '-o' && words[index - 1] !== '-o');
    }
    expect(seen).toEqual(all.slice((Number(page) - 1) * Number(size)));
  });

  test('has no next page number when no page can continue the list', () => {
    const position = { rows: 2, total: 200, more: true, cursor: undefined, page: '5', skip: 2 };
    // 103 rows are read, and no page of two or more rows starts after them.
    expect(nextRowsAfter({ ...position, rows: 3 }, { page: 5, limit: 2, largest: 100 })).toEqual({});
    expect(nextRowsAfter({ ...position, rows: 5 }, { page: 5, limit: 2, largest: 100 })).toEqual({ page: 4, perPage: 35 });
    expect(nextRowsAfter({ ...position, rows: 5 }, { page: 5, limit: 2, largest: 25 })).toEqual({ page: 6, perPage: 21 });
    // The service accepts no page number above 1000.
    expect(nextRowsAfter({ ...position, page: '1001', skip: 0 }, { page: 1000, largest: 100 })).toEqual({});
    // A page from which svc removed rows has no cursor inside.
    expect(nextRowsAfter({ ...position, cursor: 'c' }, { largest: 100 })).toEqual({});
  });
});
