import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { svcBinary } from '../support/binary.ts';
import { forgetLimits, type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true, worklogIdsBy: 3 });
});
afterAll(() => here.remove());
beforeEach(async () => {
  // The rate limit of earlier answers is over.
  await forgetLimits(here.home);
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

const directory = (name: string) => join(here.home, name);
const read = (...path: string[]) => readFile(directory(join(...path)), 'utf8');
/** Returns the requests for pages. A count requests one row. */
const pages = (noun: string) =>
  here.sandbox.requests.filter(({ path }) => path.startsWith(`/api/v2/${noun}?`) && path.includes('per_page=100'));

interface ManifestFile {
  readonly collections: readonly { readonly noun: string; readonly rows: number; readonly sha256: string }[];
  readonly left_out: readonly { readonly noun: string }[];
}
const manifestOf = async (name: string) => JSON.parse(await read(name, 'manifest.json')) as ManifestFile;

describe('svc export', () => {
  it('writes a file per resource of discovery, sorted by id, and a manifest with the number of rows', async () => {
    const result = await here.svc(['export', directory('all')]);
    expect(result.code, result.stderr).toBe(0);
    const { collections } = await manifestOf('all');
    expect(collections.length).toBeGreaterThan(20);
    expect((await readdir(directory('all'))).sort()).toEqual([...collections.map(({ noun }) => `${noun}.ndjson`), 'manifest.json'].sort());
    for (const { noun, rows } of collections) {
      const ids = (await read('all', `${noun}.ndjson`))
        .split('\n')
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { id: number }).id);
      expect(ids, noun).toHaveLength(rows);
      // Child records are in the order of their parents.
      if (!noun.includes('.')) expect(ids, noun).toEqual(ids.toSorted((a, b) => a - b));
    }
    const listed = await here.svc(['worklogs', 'list', '--sort', 'id', '--view', 'detail', '--output', 'ndjson']);
    expect(await read('all', 'worklogs.ndjson')).toBe(listed.stdout);
  });

  it('resumes after kill -9, and the files equal an uninterrupted export', async () => {
    const killed = directory('killed');
    const env = {
      PATH: process.env['PATH'],
      HOME: here.home,
      SVC_TOKEN_STORE: 'file',
      SVC_TOKEN: here.sandbox.tokens[0]?.value,
      SVC_HOST: here.host,
    };
    const child = spawn(process.execPath, [svcBinary().path, 'export', killed, 'worklogs', 'projects'], { env, stdio: 'ignore' });
    await vi.waitFor(() => expect(pages('worklogs').length).toBeGreaterThanOrEqual(12), { interval: 2, timeout: 30_000 });
    child.kill('SIGKILL');
    await once(child, 'close');
    // svc removes everything after the last complete page, including half a line.
    await writeFile(join(killed, 'worklogs.ndjson.part'), '{"half', { flag: 'a' });
    const before = pages('worklogs').length;
    const result = await here.svc(['export', killed, 'worklogs', 'projects']);
    expect(result.code, result.stderr).toBe(0);
    expect(result.stderr).toContain('svc resumes the export');
    const until = pages('worklogs').length;
    expect((await here.svc(['export', directory('whole'), 'worklogs', 'projects'])).code).toBe(0);
    for (const noun of ['worklogs', 'projects']) expect(await read('killed', `${noun}.ndjson`)).toBe(await read('whole', `${noun}.ndjson`));
    expect((await manifestOf('killed')).collections.map(({ sha256 }) => sha256)).toEqual(
      (await manifestOf('whole')).collections.map(({ sha256 }) => sha256),
    );
    // For each of eight lists svc can repeat the page under way and the early one, and no other.
    const whole = pages('worklogs').length - until;
    expect(until).toBeLessThanOrEqual(whole + 16);
    expect((await readdir(killed)).filter((name) => name.includes('.part'))).toEqual([]);
    expect(before).toBeGreaterThan(5);
  });

  it('exits 7 with the command to resume when the wait exceeds --max-wait, and resumes later', async () => {
    here.sandbox.setFaults([{ path: '/worklogs', skip: 5, status: 429, retryAfter: 50 }]);
    const result = await here.svc(['export', directory('patient'), 'worklogs', '--parallel', '1', '--max-wait', '10s']);
    expect(result.code).toBe(7);
    expect(result.stderr).toContain(`svc export ${directory('patient')} worklogs --parallel 1 --max-wait 10s`);
    here.sandbox.requests.length = 0;
    expect((await here.svc(['export', directory('patient'), 'worklogs', '--parallel', '1'], { hurried: true })).code).toBe(0);
    const { rows } = (await manifestOf('patient')).collections[0] ?? { rows: 0 };
    expect(pages('worklogs')).toHaveLength(Math.ceil(rows / 100) - 3);
  });

  it('does not resume or update the export of another user', async () => {
    const [admin, employee] = ['full', 'employee'].map((name) => here.sandbox.tokens.find((token) => token.name === name)?.value ?? '');
    const as = (token: string | undefined, ...flags: string[]) =>
      here.svc(['export', directory('shared'), 'worklogs', '--parallel', '1', ...flags], {
        env: { SVC_HOST: here.host, SVC_TOKEN: token ?? '' },
      });
    here.sandbox.setFaults([{ path: '/worklogs', skip: 5, status: 503, times: Number.POSITIVE_INFINITY }]);
    expect((await as(admin, '--max-wait', '1ms')).code).not.toBe(0);
    here.sandbox.setFaults([]);
    here.sandbox.requests.length = 0;
    const other = await as(employee);
    expect(other.code, other.stderr).toBe(0);
    expect(other.stderr).not.toContain('resumes');
    expect(pages('worklogs').filter(({ path }) => !path.includes('cursor='))).toHaveLength(1);
    const changed = await as(admin, '--since', 'last');
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain('another user');
    expect((await as(admin, '--since', 'last', '--restart')).code).toBe(2);
    expect((await as(employee, '--since', 'last')).code).toBe(0);
  });

  it('leaves out an unreadable resource, and exits 10', async () => {
    here.sandbox.setFaults([{ path: '/projects', times: Number.POSITIVE_INFINITY, status: 403 }]);
    const result = await here.svc(['export', directory('partly'), 'users', 'projects']);
    expect(result.code).toBe(10);
    const { collections, left_out } = await manifestOf('partly');
    expect(collections.map(({ noun }) => noun)).toEqual(['users']);
    expect(left_out).toMatchObject([{ noun: 'projects' }]);
  });

  it('exits 2 for an unknown resource, and suggests the nearest name', async () => {
    const result = await here.svc(['export', directory('none'), 'users', 'worklog', 'projetcs']);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('Did you mean projects?');
  });
});

describe('svc export --since last', () => {
  it('reads only the changes, and the files equal a new export', async () => {
    expect((await here.svc(['export', directory('kept'), 'worklogs'])).code).toBe(0);
    const [first = ''] = (await read('kept', 'worklogs.ndjson')).split('\n');
    const { id } = JSON.parse(first) as { id: number };
    here.sandbox.advance(5_000);
    expect((await here.svc(['worklogs', 'update', String(id), '--minutes', '7'])).code).toBe(0);
    expect((await here.svc(['worklogs', 'add', '--minutes', '8'])).code).toBe(0);
    here.sandbox.requests.length = 0;
    const result = await here.svc(['export', directory('kept'), 'worklogs', '--since', 'last']);
    expect(result.code, result.stderr).toBe(0);
    expect(pages('worklogs')).toHaveLength(1);
    expect((await here.svc(['export', directory('new'), 'worklogs'])).code).toBe(0);
    expect(await read('kept', 'worklogs.ndjson')).toBe(await read('new', 'worklogs.ndjson'));
  });

  it('exits 2 without an earlier export', async () => {
    expect((await here.svc(['export', directory('never'), '--since', 'last'])).code).toBe(2);
  });
});

describe('svc export --format', () => {
  it('sqlite creates a typed table per resource, with indexes for references', async () => {
    expect((await here.svc(['export', directory('sql'), 'worklogs', 'work-items', '--format', 'sqlite'])).code).toBe(0);
    const database = new DatabaseSync(join(directory('sql'), 'export.sqlite'), { readOnly: true });
    try {
      const rows = (await manifestOf('sql')).collections.find(({ noun }) => noun === 'worklogs')?.rows;
      expect(
        database
          .prepare(
            'SELECT count(*) AS rows, typeof(minutes) AS minutes, typeof(is_overtime) AS overtime, typeof(date) AS date FROM worklogs',
          )
          .get(),
      ).toEqual({
        rows,
        minutes: 'integer',
        overtime: 'integer',
        date: 'text',
      });
      const plan = database.prepare('EXPLAIN QUERY PLAN SELECT * FROM worklogs WHERE work_item_id = 12').get();
      expect(plan?.['detail']).toContain('USING INDEX worklogs_work_item_id');
      const joined = database
        .prepare("SELECT sum(minutes) AS m FROM worklogs JOIN work_items ON work_items.id = work_item_id WHERE issue_key = 'ABC-12'")
        .get();
      expect(joined?.['m']).toBeGreaterThan(0);
    } finally {
      database.close();
    }
  });

  it('csv writes a header with field names, and a row per record', async () => {
    expect((await here.svc(['export', directory('csv'), 'users', '--format', 'csv'])).code).toBe(0);
    const [header = '', ...rows] = (await read('csv', 'users.csv')).split('\n');
    expect(header.split(',').slice(0, 2)).toContain('id');
    const { rows: count } = (await manifestOf('csv')).collections[0] ?? { rows: 0 };
    expect(rows.filter(Boolean)).toHaveLength(count);
  });
});

// Last, because aborted requests can still arrive and would be counted in a later test.
describe('an interrupted export', () => {
  it('prints the command to resume after Ctrl-C', async () => {
    here.sandbox.setFaults([{ path: '/worklogs', skip: 5, delayMs: 60_000, times: Number.POSITIVE_INFINITY }]);
    const interrupt = new AbortController();
    const running = here.svc(['export', directory('stopped'), 'worklogs'], { signal: interrupt.signal });
    await vi.waitFor(() => expect(pages('worklogs').length).toBeGreaterThanOrEqual(4));
    interrupt.abort(new InterruptedError('Interrupted (SIGINT).'));
    const result = await running;
    expect(result.code).toBe(130);
    expect(result.stderr).toContain(`svc export ${directory('stopped')} worklogs`);
  });
});
