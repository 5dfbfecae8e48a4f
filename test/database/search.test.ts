// svc search over the local database: words in every language, marks, upkeep by sync, and a database of an older svc.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

const AT = '2026-11-01T09:00:00Z';
const stamps = { created_at: AT, updated_at: AT };
const ITEMS = [
  [1, 'Rechnung für Müller an der Hauptstraße', 'Bitte bis Freitag prüfen'],
  [2, 'Facture de l’été', 'Réunion avec l’équipe de Zoë'],
  [3, 'İstanbul ofisi için fatura', 'Işık hızında'],
  [4, '東京都庁との会議', '顧客へのメール送信'],
  [5, '请购系统测试', '客户会议纪要'],
  [6, 'ประชุมกับลูกค้า', 'ใบแจ้งหนี้ของเดือนนี้'],
  [7, '송장 검토', '서울에서 회의를 합니다'],
  [8, 'Annual plan', '<p>The <b>quar</b>terly report &amp; the plan <a href="https://files.example.com/hiddenlink">here</a></p>'],
  [9, 'Plan of the annual review', 'Mail to ada@example.com about ABC-12'],
  [10, 'Mu\u0308ller decomposed', 'See https://example.com/secretpath?token=hiddentoken and 0123456789abcdef0123456789abcdef'],
  [11, 'Coördinatie voor IJburg', 'Een geüpdatete offerte'],
  [20, 'Ferry', 'Harbour, harbour, harbour'],
  [21, 'Harbour', 'Ferry'],
] as const;

let here: SignedIn;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-search-'));
  await writeFile(join(directory, 'manifest.json'), '{}');
  const items = ITEMS.map(([id, title, description]) => ({ id, title, issue_key: `ABC-${id}`, description, version: 1, ...stamps }));
  const projects = [{ id: 1, name: 'Aurora', status: 'on-hold', web_url: 'https://acme.example.com/projects/1', ...stamps }];
  const write = (noun: string, rows: readonly object[]) =>
    writeFile(join(directory, `${noun}.ndjson`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await Promise.all([write('work-items', items), write('projects', projects)]);
  here = await signedIn({ data: directory, limits: 'off', personalToken: true });
  expect(await sync()).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await here.remove();
  await rm(directory, { recursive: true, force: true });
});

const sync = () => here.svc(['sync', 'work-items', 'projects', '--no-children']);
const search = (words: readonly string[], options: RunOptions = {}) => here.svc(['search', ...words], options);
interface Row {
  readonly resource: string;
  readonly id: number;
}
const idsOf = async (typed: string) => {
  const { code, stdout, stderr } = await search([typed]);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as Row[]).map(({ resource, id }) => (resource === 'work-items' ? id : `${resource} ${id}`)).sort();
};
const databaseFile = async () => {
  const state = join(here.home, '.local/state/svc/mirror');
  return join(state, (await readdir(state)).find((name) => name.endsWith('.sqlite')) ?? '');
};
const change = async (sql: string) => {
  const database = new DatabaseSync(await databaseFile());
  database.exec(sql);
  database.close();
};

it.each([
  // German: accents, ß, and both Unicode forms
  ['muller', [1, 10]],
  ['MÜLLER', [1, 10]],
  ['Mu\u0308ller hauptstrasse', [1]],
  ['prüf', [1]],
  // Dutch
  ['coordinatie geupdatete', [11]],
  ['ijburg offerte', [11]],
  // English
  ['quarterly report', [8]],
  // French
  ['ete reunion zoe', [2]],
  // Turkish
  ['istanbul isik', [3]],
  ['İSTANBUL', [3]],
  // Japanese, Chinese and Thai: two letters within a word, one letter, and the last letter
  ['京都', [4]],
  ['都庁 メール', [4]],
  ['庁', [4]],
  ['会議', [4]],
  ['会议', [5]],
  ['系统', [5]],
  ['ลูกค้า', [6]],
  ['แจ้งหนี้', [6]],
  // Korean: the beginning of a word
  ['서울 회의', [7]],
  // Beginnings of three letters, phrases, keys, addresses, rich text
  ['ann', [8, 9]],
  ['pla', [8, 9]],
  ['pl', []],
  ['"annual plan"', [8]],
  ['“annual plan”', [8]],
  ['"8 annual"', []],
  ['"annual pla"', []],
  ['quarterly', [8]],
  ['ABC-1', [1]],
  ['abc-12', [9]],
  ['ada@example.com', [9]],
  ['auro', ['projects 1']],
  // Words are data
  ['annual NOT plan', []],
  ['title:annual', []],
  ['annual* plan)', [8, 9]],
  ['annual " OR 1=1', []],
  ["'annual' -- plan", [8, 9]],
  // No links, tokens or fixed values
  ['hiddenlink', []],
  ['secretpath', []],
  ['0123456', []],
  ['hold', []],
])('svc search for %s finds the records %j', async (typed, ids) => {
  expect(await idsOf(typed)).toEqual(ids);
});

it('svc search prints the best record first, with its text and the matching words', async () => {
  const { stdout, stderr } = await search(['annual plan']);
  const [first] = JSON.parse(stdout) as unknown[];
  expect(first).toEqual({
    ...{ resource: 'work-items', id: 8, title: 'ABC-8 Annual plan', field: 'description', matches: ['Annual', 'plan'], rank: 1 },
    ...{ snippet: 'The quarterly report & the plan here', web_url: `http://${here.host}/work-items/ABC-8` },
  });
  expect(stderr).toMatch(
    /so svc searched only: projects, work-items\nFrom the local database, complete at .* ago \(.*\)\. To update: svc sync\n$/,
  );
  const table = (await search(['müller'], { terminal: 100 })).stdout;
  expect(table).toContain('«Müller»');
  expect(table).toContain('«Mu\u0308ller» decomposed');
  expect((await search(['京'], { terminal: 100 })).stdout).toContain('東«京»都庁との会議');
});

it('svc search ranks one match in a name above several matches in a text', async () => {
  expect((await search(['harbour', '--resource', 'work-items', '-o', 'ids'])).stdout).toBe('21\n20\n');
});

it('svc search can search one resource, and prints ids only for one resource', async () => {
  expect((await search(['plan', '--resource', 'work-item', '-o', 'ids'])).stdout.trim().split('\n').sort()).toEqual(['8', '9']);
  expect((await search(['plan', '--resource', 'projects', '--quiet'])).stdout).toBe('[]\n');
  expect(await search(['plan', '-o', 'ids'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--resource work-items') });
  expect(await search(['plan', '--resource', 'projcts'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean projects?'),
  });
  const { stderr } = await search(['annual', '-L', '1']);
  expect(stderr).toContain('svc printed the best 1 of 2 records. For more: svc search annual --limit 2\n');
  expect((await search(['xyzzy'])).stderr).toContain('No stored record has these words.');
});

it.each([['...'], ['https://example.com/'], ['""']])('svc search refuses %s, which has no word', async (typed) => {
  expect(await search([typed])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('There is no word to search for.') });
});

it('svc search after a sync finds created and changed records, and no deleted or excluded records', async () => {
  const token = here.sandbox.tokens[0]?.value ?? '';
  const send = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': `${method}${path}` };
    const sent = await fetch(`${here.sandbox.baseUrl}${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    expect(sent.ok, `${method} ${path} ${sent.status}`).toBe(true);
  };
  await send('PATCH', '/work-items/9', { title: 'Zebra crossing' });
  await send('DELETE', '/work-items/8');
  await send('POST', '/projects', { name: 'Zebra stripes' });
  expect((await sync()).code).toBe(0);
  expect([await idsOf('annual'), (await idsOf('zebra')).length]).toEqual([[], 2]);
  expect((await search(['annual'])).stderr).toContain('No stored record has these words.');
  expect((await here.svc(['config', 'set', 'sync-exclude', 'projects'])).code).toBe(0);
  expect((await here.svc(['sync', 'work-items', '--no-children'])).code).toBe(0);
  expect(await idsOf('zebra')).toEqual([9]);
  expect((await here.svc(['config', 'unset', 'sync-exclude'])).code).toBe(0);
  expect((await sync()).code).toBe(0);
  expect((await idsOf('zebra')).length).toBe(2);
});

it('svc search names the command that builds the index of an older database, and svc sync builds the index once', async () => {
  await change('DROP TABLE svc_search; DROP TABLE svc_searched; PRAGMA user_version = 5; PRAGMA wal_checkpoint(TRUNCATE)');
  const refused = await search(['zebra']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('so the database has no search index.\n  To build the index: svc sync\n');
  const built = await sync();
  expect(built.stderr).toMatch(/svc now builds the search index: 14 records\.\nsvc built the search index in \d+\.\d s\.\n/);
  expect(await idsOf('zebra')).toHaveLength(2);
  expect((await sync()).stderr).not.toContain('search index');
});
