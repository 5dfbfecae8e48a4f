// The local database has the records of the service after the first sync and after changes, at the printed cost.
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
let token: string;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true, worklogIdsBy: 4 });
  token = here.sandbox.tokens[0]?.value ?? '';
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

interface Row {
  readonly id: number;
}

/** Reads a resource from the service without svc. */
async function truth(path: string): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  let url: string | null = `${here.sandbox.baseUrl}${path}?sort=id&per_page=100&view=detail`;
  while (url !== null) {
    const answer: Response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const { data, links } = (await answer.json()) as { data: Row[]; links: { next: string | null } };
    for (const row of data) found.set(row.id, JSON.stringify(row));
    url = links.next;
  }
  return found;
}

async function change(method: string, path: string, body?: object): Promise<number> {
  const answer = await fetch(`${here.sandbox.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
  return ((await answer.json().catch(() => ({}))) as { data?: Row; id?: number }).data?.id ?? 0;
}

const file = (name: string) => join(here.home, `${name}.sqlite`);
function held(name: string, table: string): Map<number, string> {
  const database = new DatabaseSync(file(name), { readOnly: true });
  try {
    const rows = database.prepare(`SELECT id, record FROM svc_record_${table} ORDER BY id`).all() as { id: number; record: string }[];
    return new Map(rows.map(({ id, record }) => [id, record]));
  } finally {
    database.close();
  }
}
function statesOf(name: string): ReadonlyMap<string, { readonly verified_at: string | null; readonly whole_at: string }> {
  const database = new DatabaseSync(file(name), { readOnly: true });
  try {
    const states = database.prepare('SELECT noun, verified_at, whole_at FROM svc_tables').all();
    return new Map((states as { noun: string; verified_at: string | null; whole_at: string }[]).map((state) => [state.noun, state]));
  } finally {
    database.close();
  }
}
interface Synced {
  readonly noun: string;
  readonly rows: number;
  readonly put: number;
  readonly gone: number;
  readonly known_by: string;
}
async function sync(
  name: string,
  ...words: string[]
): Promise<{ readonly stderr: string; readonly of: (noun: string) => Synced | undefined }> {
  const { code, stdout, stderr } = await here.svc(['sync', '--to', file(name), ...words]);
  expect(code, stderr).toBe(0);
  const tables = JSON.parse(stdout) as Synced[];
  return { stderr, of: (noun) => tables.find((table) => table.noun === noun) };
}
async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

it('a first svc sync that the service ends prints what is complete, and the next sync resumes', async () => {
  const sync = () => here.svc(['sync', 'labels', 'worklogs', '--to', file('broken')], { hurried: true });
  here.sandbox.setFaults([{ path: '/worklogs', skip: 3, status: 503, times: Number.POSITIVE_INFINITY }]);
  const broken = await sync();
  here.sandbox.setFaults([]);
  expect(broken.code, broken.stderr).toBe(8);
  expect(broken.stderr).toContain('1 resource complete. The next run resumes the other resources at the last page.\n');
  expect(broken.stderr).toContain(`svc sync labels worklogs --to ${file('broken')}\n`);
  expect((await sync()).code).toBe(0);
  expect(held('broken', 'worklogs')).toEqual(await truth('/worklogs'));
});

describe('svc sync', () => {
  it('stores records exactly as sent, in a file of mode 0600', async () => {
    await sync('all');
    for (const noun of ['worklogs', 'work-items', 'projects', 'users', 'absences'])
      expect(held('all', noun.replace('-', '_')), noun).toEqual(await truth(`/${noun}`));
    expect((await stat(file('all'))).mode & 0o777).toBe(0o600);
    const database = new DatabaseSync(file('all'), { readOnly: true });
    const [sum] = database.prepare('SELECT sum(minutes) AS m FROM worklogs JOIN projects ON projects.id = project_id').all();
    const minutes = [...(await truth('/worklogs')).values()].map(
      (text) => JSON.parse(text) as { minutes: number; project_id: number | null },
    );
    expect(sum?.['m']).toBe(minutes.reduce((total, entry) => total + (entry.project_id === null ? 0 : entry.minutes), 0));
    database.close();
  });

  it('reads no record from the cache, and neither does an export (rule 7.2)', async () => {
    // The service allows caching these answers, and a second first sync requests the same.
    await sync('earlier', 'labels');
    const [deleted] = held('earlier', 'labels').keys();
    await change('DELETE', `/labels/${deleted}`);
    const made: number[] = [];
    for (const name of ['one', 'two', 'three']) made.push(await change('POST', '/labels', { name: `label ${name}` }));
    await sync('uncached', 'labels');
    expect([...held('uncached', 'labels').keys()]).toEqual([...(await truth('/labels')).keys()]);
    expect([...held('uncached', 'labels').keys()]).toEqual(expect.arrayContaining(made));
    expect((await here.svc(['export', join(here.home, 'uncached'), 'labels'])).code).toBe(0);
    expect(await readFile(join(here.home, 'uncached', 'labels.ndjson'), 'utf8')).toBe(
      [...(await truth('/labels')).values()].map((record) => `${record}\n`).join(''),
    );
  });

  it('prints its own headings at a terminal, and field names for programs', async () => {
    const at = file('headings');
    const { stdout } = await here.svc(['sync', '--to', at, 'labels', '--no-color'], { terminal: 120 });
    expect(stdout.split('\n')[0]?.trim().split(/ {2,}/)).toEqual([
      'TABLE',
      'ROWS',
      'COMPLETE AT',
      'CHECKED AT',
      'WRITTEN',
      'DELETED',
      'METHOD',
      'VERIFIED AT',
    ]);
    const typed = await here.svc(['sync', '--to', at, 'labels', '--fields', 'table,DELETED,verified at'], { terminal: 120 });
    expect(typed.stderr).toContain('Did you mean gone, verified_at?');
    const csv = await here.svc(['sync', '--to', at, 'labels', '--output', 'csv']);
    expect(csv.stdout).toMatch(/^(?:noun,)?table,rows,put,gone,as_of,whole_at,known_by,verified_at\n/);
    const schema = await here.svc(['sql', '--db', at, '--schema', 'labels', '--no-color'], { terminal: 120 });
    expect(schema.stdout.split('\n')[0]?.trim().split(/ {2,}/)).toEqual(['TABLE', 'COLUMN', 'TYPE', 'ROWS', 'CHECKED AT']);
  });

  it('compares every page of a small database, for one rate-limit unit per unchanged page', async () => {
    const words = ['worklogs', 'projects', 'users', 'customers'];
    await sync('idle', ...words);
    expect(statesOf('idle').get('worklogs')?.verified_at).toBeNull();
    for (let turn = 1; turn <= 4; turn += 1) await sync('idle', ...words);
    here.sandbox.requests.length = 0;
    const { of, stderr } = await sync('idle', ...words);
    for (const noun of words) expect([noun, of(noun)?.known_by, of(noun)?.put, of(noun)?.gone]).toEqual([noun, 'pages', 0, 0]);
    const answers = here.sandbox.requests.map(({ path, status }) => `${status} ${path.replace(/^\/api\/v2|\?.*$/g, '')}`);
    const pages = Math.ceil(held('idle', 'worklogs').size / 100);
    // A page of each short table, every page of the worklogs, the page before these, and the latest changes.
    const asked = answers.filter((line) => line === '304 /worklogs').length;
    expect([pages + 1, pages + 2]).toContain(asked);
    expect(answers.filter((line) => line.startsWith('304'))).toHaveLength(asked + 3);
    const charged = here.sandbox.requests.reduce((sum, { units }) => sum + units, 0);
    expect(charged).toBeLessThanOrEqual(pages + 7);
    expect(stderr).toContain(`for ${charged} rate-limit units.`);
  });

  it('finds a deleted row, a row that became visible, and a change without a new updated_at', async () => {
    await sync('cancelled', 'worklogs');
    const before = statesOf('cancelled').get('worklogs');
    const rows = here.sandbox.rows('worklogs') as { id: number; minutes: number }[];
    const [deleted, hidden, changed] = [rows[10], rows[20], rows[800]];
    if (deleted === undefined || hidden === undefined || changed === undefined) throw new Error('There are too few worklogs.');
    // The service deletes the first row, and shows the second one again with its old timestamps. The second row was hidden in the
    // first sync.
    const database = new DatabaseSync(file('cancelled'));
    database.exec(`DELETE FROM worklogs WHERE id = ${hidden.id}; DELETE FROM svc_record_worklogs WHERE id = ${hidden.id}`);
    database.close();
    await change('DELETE', `/worklogs/${deleted.id}`);
    changed.minutes = 7_777;
    const claimed: string[] = [];
    for (let turn = 1; ; turn += 1) {
      const { of } = await sync('cancelled', 'worklogs', ...(turn === 1 ? ['--max-units', '8'] : []));
      const isEqual = JSON.stringify([...held('cancelled', 'worklogs')]) === JSON.stringify([...(await truth('/worklogs'))]);
      const { verified_at, whole_at } = statesOf('cancelled').get('worklogs') ?? {};
      if (turn === 1) expect([isEqual, verified_at, whole_at, of('worklogs')?.known_by]).toEqual([false, null, before?.whole_at, 'counts']);
      claimed.push(String(verified_at));
      if (verified_at !== null) {
        expect(isEqual).toBe(true);
        break;
      }
      expect(turn).toBeLessThan(30);
    }
    changed.minutes = 8_888;
    const { of } = await sync('cancelled', 'worklogs', '--verify');
    expect(of('worklogs')).toMatchObject({ known_by: 'pages', put: 1, gone: 0 });
    expect(held('cancelled', 'worklogs')).toEqual(await truth('/worklogs'));
  });

  it('finds created, changed and deleted rows in short and long tables', async () => {
    await sync('changes', 'worklogs', 'customers', 'work-items');
    const made = await change('POST', '/worklogs', { date: '2026-11-02', minutes: 45 });
    await change('PATCH', '/worklogs/100', { minutes: 77 });
    for (const id of [200, 204, 3000]) await change('DELETE', `/worklogs/${id}`);
    await change('PATCH', '/customers/2', { name: 'Another name' });
    await change('DELETE', '/work-items/7');
    const { of } = await sync('changes', 'worklogs', 'customers', 'work-items');
    expect(of('worklogs')).toMatchObject({ put: 2, gone: 3 });
    expect(of('work-items')?.gone).toBe(1);
    expect(held('changes', 'worklogs').has(made)).toBe(true);
    for (const noun of ['worklogs', 'customers', 'work-items'])
      expect(held('changes', noun.replace('-', '_')), noun).toEqual(await truth(`/${noun}`));
  });

  it('reports a --max-units that is too low to find a deleted row; the next sync finds the row', async () => {
    await sync('budget', 'worklogs');
    await change('DELETE', '/worklogs/500');
    const poor = await sync('budget', 'worklogs', '--max-units', '4');
    expect(poor.of('worklogs')?.known_by).toBe('changes');
    expect(poor.stderr).toContain(
      `svc does not know whether records were deleted since whole_at in: worklogs. Use a larger --max-units, or run again: svc sync --to ${file('budget')}\n`,
    );
    expect(held('budget', 'worklogs').has(500)).toBe(true);
    expect((await sync('budget', 'worklogs', '--max-units', '10')).of('worklogs')).toMatchObject({ gone: 1, known_by: 'counts' });
    expect(held('budget', 'worklogs').has(500)).toBe(false);
  });

  it('empties no table when the API is switched off or the trash is refused', async () => {
    await sync('hidden', 'worklogs', 'projects');
    const before = held('hidden', 'worklogs').size;
    here.sandbox.switchApi(false);
    const off = await here.svc(['sync', '--to', file('hidden'), 'worklogs', 'projects']);
    here.sandbox.switchApi(true);
    expect([3, 10], off.stderr).toContain(off.code);
    expect(held('hidden', 'worklogs').size).toBe(before);
    await change('DELETE', '/worklogs/700');
    const body = JSON.stringify({ type: 'https://example.com/problems/insufficient-permission', title: 'Forbidden', status: 403 });
    const answer = {
      status: 403,
      headers: { 'content-type': 'application/problem+json' },
      bytes: async () => new TextEncoder().encode(body),
    };
    const refusing = (deps: Deps): Deps => {
      const request: Deps['network']['request'] = async (wanted) => {
        if (wanted.url.includes('trashed='))
          return { ...answer, text: async () => body, discard: async () => undefined, body: bytesOf(body) };
        return deps.network.request(wanted);
      };
      return { ...deps, network: { request, warm: () => undefined, close: () => deps.network.close() } };
    };
    const { code, stderr } = await here.svc(['sync', '--to', file('hidden'), 'worklogs'], { around: refusing });
    expect(code, stderr).toBe(0);
    expect(held('hidden', 'worklogs')).toEqual(await truth('/worklogs'));
  });

  it('keeps a table that the token cannot read, and exits 10', async () => {
    await sync('narrow', 'worklogs', 'projects');
    const before = held('narrow', 'worklogs');
    expect(before.size).toBeGreaterThan(1_000);
    const narrow = here.sandbox.createToken({ name: 'narrow', userId: 1, scopes: ['read'], resources: ['projects'] }).value;
    const env = { SVC_HOST: here.host, SVC_TOKEN: narrow };
    const { code, stderr } = await here.svc(['sync', '--to', file('narrow'), 'worklogs', 'projects'], { env });
    expect(code, stderr).toBe(10);
    expect(stderr).toContain('worklogs');
    expect(held('narrow', 'worklogs')).toEqual(before);
  });

  it('--forget exits 1 while another svc writes to the database', async () => {
    await sync('busy', 'projects');
    let refused: Awaited<ReturnType<SignedIn['svc']>> | undefined;
    const meanwhile = (deps: Deps): Deps => {
      const request: Deps['network']['request'] = async (wanted) => {
        if (wanted.url.includes('/projects')) refused ??= await here.svc(['sync', '--to', file('busy'), '--forget']);
        return deps.network.request(wanted);
      };
      return { ...deps, network: { request, warm: () => undefined, close: () => deps.network.close() } };
    };
    expect((await here.svc(['sync', '--to', file('busy'), 'projects'], { around: meanwhile })).code).toBe(0);
    expect([refused?.code, refused?.stderr]).toEqual([1, expect.stringMatching(/^svc: Another svc \(process \d+\) writes into \S+\./)]);
    expect(held('busy', 'projects').size).toBeGreaterThan(0);
  });

  it('reads child records that an earlier sync did not read', async () => {
    const other = await signedIn({ limits: 'off', personalToken: true, interpretations: { topLevelChildren: false } });
    try {
      const path = join(other.home, 'below.sqlite');
      const read = async () => JSON.parse((await other.svc(['sync', '--to', path, 'sales-invoices'])).stdout) as { noun: string }[];
      await read();
      const database = new DatabaseSync(path);
      // As if the child records were hidden in the first sync.
      expect(database.prepare("DELETE FROM svc_tables WHERE noun LIKE 'sales-invoices.%'").run().changes).toBeGreaterThan(0);
      database.close();
      const rows = other.sandbox.rows('sales-invoice-rows').filter((row) => (row['deleted_at'] ?? null) === null).length;
      expect((await read()).find(({ noun }) => noun === 'sales-invoices.rows')).toMatchObject({ known_by: 'read', rows });
    } finally {
      await other.remove();
    }
  });

  it('refuses the database of another person, which --forget can remove', async () => {
    await sync('mine', 'projects');
    const other = here.sandbox.tokens.find(({ name }) => name === 'employee')?.value ?? '';
    const refused = await here.svc(['sync', '--to', file('mine'), 'projects'], { env: { SVC_TOKEN: other, SVC_HOST: here.host } });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('belongs to another user or organisation')]);
    expect((await here.svc(['sync', '--to', file('mine'), '--forget'])).code).toBe(0);
    await expect(stat(file('mine'))).rejects.toThrow('ENOENT');
    const nothing = await here.svc(['sync', '--to', file('mine'), '--forget']);
    expect([nothing.code, nothing.stderr]).toEqual([0, expect.stringContaining('There is no database')]);
    const own = await here.svc(['sync', '--forget']);
    expect([own.code, own.stderr]).toEqual([0, expect.stringContaining('There is no database')]);
  });

  it('takes its lock while another process only tests the lock', async () => {
    const directory = `${file('locked')}.sync`;
    await mkdir(directory, { mode: 0o700 });
    const other = new DatabaseSync(join(directory, '.svc-export.lock'));
    other.exec('PRAGMA user_version = 1; BEGIN');
    other.prepare('SELECT count(*) FROM sqlite_schema').get();
    await sync('locked', 'projects');
    other.close();
    expect(held('locked', 'projects')).toEqual(await truth('/projects'));
  });

  it('exits 2 for an unsupported address, and sends no request', async () => {
    for (const line of [
      ['sync', 'labels', '--to', 'mysql://svc:secret@db.example.com/reports'],
      ['sync', '--to', 'postgres:/reports', '--forget'],
      ['changes', '--to', 'file:///tmp/copy.sqlite'],
    ]) {
      const { code, stderr } = await here.svc(line);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/this address is neither\.\n {2}Use the path of a file/)]);
      expect(stderr).not.toContain('secret');
    }
    expect(here.sandbox.requests).toEqual([]);
  });

  it('exits 2 for --output ids before reading, because tables have no ids', async () => {
    const refused = await here.svc(['sync', 'labels', '--to', file('ids'), '-o', 'ids']);
    expect([refused.code, refused.stderr, existsSync(file('ids'))]).toEqual([
      2,
      expect.stringContaining('--output ids --fields table'),
      false,
    ]);
    expect((await here.svc(['sync', 'labels', '--to', file('ids'), '-o', 'ids', '--fields', 'table'])).stdout).toBe('labels\n');
  });

  it('refuses a directory, another database and a text file, and leaves each of the three unchanged', async () => {
    const [directory, database, text] = [join(here.home, 'dir'), join(here.home, 'other.sqlite'), join(here.home, 'notes.txt')];
    await mkdir(directory, { mode: 0o755 });
    await writeFile(join(directory, 'kept'), 'kept');
    await writeFile(text, 'kept', { mode: 0o644 });
    const other = new DatabaseSync(database);
    other.exec('CREATE TABLE projects (id INTEGER); INSERT INTO projects VALUES (7); PRAGMA user_version = 1');
    other.close();
    const before = await Promise.all([directory, database, text].map(async (path) => (await stat(path)).mode));
    for (const path of [directory, database, text])
      for (const words of [['--forget'], ['projects']]) {
        const refused = await here.svc(['sync', '--to', path, ...words]);
        expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is not a local database of svc')]);
      }
    expect(await Promise.all([directory, database, text].map(async (path) => (await stat(path)).mode))).toEqual(before);
    expect(await readFile(join(directory, 'kept'), 'utf8')).toBe('kept');
    expect(await readFile(text, 'utf8')).toBe('kept');
    const after = new DatabaseSync(database, { readOnly: true });
    expect(after.prepare('SELECT name FROM sqlite_master').all()).toEqual([expect.objectContaining({ name: 'projects' })]);
    expect(after.prepare('SELECT id FROM projects').all()).toEqual([expect.objectContaining({ id: 7 })]);
    after.close();
  });
});
