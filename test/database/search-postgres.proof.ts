// svc search finds the same records in SQLite and PostgreSQL, and as a simple search through all texts. A role finds only the rows that it can
// read. SVC_TEST_FULL=1 searches more often.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, PASSWORD, type PostgresServer, startPostgres } from '../../scripts/bench/postgres-server.ts';
import { IS_FULL } from '../support/parts.ts';
import { randomOf } from '../support/random.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const bin = await findPostgres();
const SEARCHES = IS_FULL ? 2_000 : 25;
const AT = '2026-11-01T09:00:00Z';
/** True if the server does not compile the query. Compiling takes longer than most searches. */
const IS_FAST = "current_setting('jit') = 'off'";

/** Words that each fold in another way, or not at all. */
const VOCABULARY = [
  ...['plan', 'planning', 'Plan', 'review', 'Müller', 'Mu\u0308ller', 'MULLER', 'Straße', 'STRASSE', 'İstanbul', 'ışık', 'Élan', 'naïve'],
  ...['ABC-12', 'ABC-1', 'a', 'ab', 'ada@example.com', 'l’été', "don't", 'ﬁnal', 'Σίσυφος', 'ΣΊΣΥΦΟΣ', 'Łódź', 'ёлка', 'Ёлка', '①', 'ｶﾞﾗｽ'],
  ...[
    '東京都',
    '京都',
    '東京都庁との会議',
    '会议纪要',
    'ガラス',
    'サーバー',
    'ประชุม',
    'ที่',
    'ลูกค้า',
    '서울',
    '서울에서',
    'שָׁלוֹם',
    'שלום',
    'مُحَمَّد',
    'محمد',
    'हिन्दी',
    'x_y',
    '12',
    '007',
  ],
];

let server: PostgresServer;
let here: SignedIn;
let directory: string;
let address: string;
const texts: string[] = [];

describe.skipIf(bin === undefined)('svc search', () => {
  const random = randomOf(40);
  const pick = () => VOCABULARY[Math.floor(random() * VOCABULARY.length)] ?? '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-search-'));
    for (let id = 0; id < 300; id += 1)
      texts.push(Array.from({ length: 1 + Math.floor(random() * 6) }, pick).join(random() < 0.2 ? '' : ' '));
    const rows = texts.map((title, index) => ({ id: index + 1, title, version: 1, created_at: AT, updated_at: AT }));
    await writeFile(join(directory, 'manifest.json'), '{}');
    await writeFile(join(directory, 'work-items.ndjson'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    [server, here] = await Promise.all([startPostgres(bin ?? ''), signedIn({ data: directory, limits: 'off', personalToken: true })]);
    address = await server.database('team');
    for (const to of [[], ['--to', address]]) {
      const { code, stderr } = await here.svc(['sync', 'work-items', '--no-children', ...to]);
      expect(code, stderr).toBe(0);
    }
  });
  afterAll(async () => {
    await Promise.all([server?.close(), here?.remove(), rm(directory, { recursive: true, force: true })]);
  });

  const psql = (sql: string) => server.psql(address, '-q', '-c', sql);
  const search = (typed: string, database?: string) =>
    here.svc(['search', typed, '-L', '1000', ...(database === undefined ? [] : ['--database', database])]);
  const idsIn = async (typed: string, database?: string) => {
    const { code, stdout, stderr } = await search(typed, database);
    expect(code, stderr).toBe(0);
    return idsOf(stdout);
  };
  const idsOf = (stdout: string) => (JSON.parse(stdout) as { readonly id: number }[]).map(({ id }) => id).sort((one, other) => one - other);

  it('finds the same records in SQLite and PostgreSQL as a search through all texts', async () => {
    let found = 0;
    for (let count = 0; count < SEARCHES; count += 1) {
      const word = pick();
      const part = random() < 0.3 ? [...word].slice(0, 1 + Math.floor(random() * 4)).join('') : word;
      const typed = [part, ...(random() < 0.3 ? [random() < 0.5 ? `"${pick()} ${pick()}"` : pick()] : [])].join(' ');
      const expected = texts.flatMap((text, index) => (isMatch(text, typed) ? [index + 1] : []));
      const { code, stdout } = await search(typed);
      // A part of a word can be a mark without a letter.
      if (code === 2) continue;
      expect(idsOf(stdout), typed).toEqual(expected);
      expect(await idsIn(typed, address), typed).toEqual(expected);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(SEARCHES);
  });

  it('shows a role only the rows that the role can read, and counts no other rows', async () => {
    const all = await idsIn('plan', address);
    await psql(`CREATE ROLE reader LOGIN PASSWORD '${PASSWORD}'`);
    for (const table of ['work_items', 'svc_record_work_items'])
      await psql(
        `ALTER TABLE svc.${table} ENABLE ROW LEVEL SECURITY; CREATE POLICY half ON svc.${table} FOR SELECT USING (id % 2 = 0 AND ${IS_FAST})`,
      );
    expect((await here.svc(['sync', 'work-items', '--no-children', '--to', address, '--grant', 'reader'])).code).toBe(0);
    const reader = address.replace('ada:', 'reader:');
    expect(await idsIn('plan', reader)).toEqual(all.filter((id) => id % 2 === 0));
    const { stderr } = await here.svc(['search', 'plan', '-L', '1', '--database', reader]);
    expect(stderr).toContain(`the best 1 of ${all.filter((id) => id % 2 === 0).length} records`);
    await psql('REVOKE SELECT ON svc.svc_record_work_items FROM reader');
    const hidden = await search('plan', reader);
    expect(hidden).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(hidden.stderr).toContain('Your role must not read these resources, so svc did not search them: work-items');
    expect(await here.svc(['search', 'plan', '--resource', 'work-items', '--database', reader])).toMatchObject({ code: 5 });
  });

  it('finds changes after a sync, and exits 2 while an older database has no index', async () => {
    const headers = { authorization: `Bearer ${here.sandbox.tokens[0]?.value}`, 'content-type': 'application/json' };
    const send = (method: string, path: string, body: string | null) => fetch(`${here.sandbox.baseUrl}${path}`, { method, headers, body });
    expect((await send('PATCH', '/work-items/1', '{"title":"Quokka"}')).status).toBe(200);
    expect((await send('DELETE', '/work-items/2', null)).ok).toBe(true);
    const sync = () => here.svc(['sync', 'work-items', '--no-children', '--to', address]);
    expect((await sync()).code).toBe(0);
    expect(await idsIn('quokka', address)).toEqual([1]);
    expect(await idsIn(texts[1] ?? '', address)).not.toContain(2);
    await psql('ALTER TABLE svc.svc_record_work_items DROP COLUMN words; UPDATE svc.svc_mirror SET form = 4');
    expect(await search('quokka', address)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('To build the index: svc sync --to'),
    });
    expect((await sync()).stderr).toMatch(/now builds the search index: 299 records\.\nsvc built the search index in \d+\.\d s\.\n/);
    expect(await idsIn('quokka', address)).toEqual([1]);
  });
});

const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}]/u;

/** Returns true if a text has all words of a search. This function folds whole texts, and compares words one after the other. */
function isMatch(text: string, typed: string): boolean {
  const wanted = [...typed.matchAll(/"([^"]*)"|[^\s"]+/g)].filter(([part]) => piecesOf(part).length > 0);
  return wanted.every(([part, phrase]) => {
    const words = piecesOf(phrase ?? part);
    const there = piecesOf(text);
    return there.some((_, from) => fits(there.slice(from), words, phrase === undefined));
  });
}

/** Returns true if a list of words begins with other words. A run of a script without spaces can start and end within another run. */
function fits(there: readonly string[], words: readonly string[], isOpen: boolean): boolean {
  return words.every((word, index) => {
    const other = there[index];
    if (other === undefined) return false;
    const isLast = index === words.length - 1;
    if (NO_SPACES.test(word))
      return isLast ? (index === 0 ? has(other, word) : begins(other, word)) : index === 0 ? other.endsWith(word) : other === word;
    const least = /^\p{Script=Hangul}/u.test(word) ? 2 : 3;
    return isLast && isOpen && word.length >= least ? other.startsWith(word) : other === word;
  });
}

/** Letters with their marks, so that no letter matches without its marks, except at the end. */
const lettersIn = (text: string) => text.match(/\P{M}\p{M}*/gu) ?? [];
const begins = (text: string, word: string) =>
  lettersIn(text).slice(0, lettersIn(word).length).join('') === word || (lettersIn(word).length === 1 && text.startsWith(word));
const has = (text: string, word: string) => lettersIn(text).some((_, from) => begins(lettersIn(text).slice(from).join(''), word));

function piecesOf(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap((word) => {
    const folded = word
      .normalize('NFKD')
      .replace(/(?![\u3099\u309a])[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]/g, '')
      .toLowerCase()
      .replace(/ß/g, 'ss')
      .replace(/ł/g, 'l')
      .replace(/ı/g, 'i')
      .replace(/ς/g, 'σ')
      .normalize('NFC')
      .replace(/[()]/g, '');
    return (
      folded.match(
        /(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}]\p{M}*)+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}]+/gu,
      ) ?? []
    );
  });
}
