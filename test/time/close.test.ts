// A month that is closed: the seal, and the differences that svc finds later.
import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/values/json.ts';
import { pageBody } from '../support/page-body.ts';
import { answering, type ClosedMonth, closedMonth } from './closed-month.ts';

const open: ClosedMonth[] = [];
afterEach(async () => {
  for (const here of open.splice(0)) await here.remove();
});
async function month(...how: Parameters<typeof closedMonth>): Promise<ClosedMonth> {
  const here = await closedMonth(...how);
  open.push(here);
  return here;
}

/** Returns the SHA-256 of a value as JSON with sorted keys. The records of the sandbox need no other rule of RFC 8785. */
function digestOf(value: JsonValue): string {
  const sorted = (_: string, each: JsonValue) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each as JsonObject).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each;
  return createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex');
}

const short = (rows: readonly JsonObject[]) =>
  rows.map(({ kind, id, minutes_before: before, minutes_after: after, amount }) => [kind, id, before, after, amount].join(' '));

describe('svc close', () => {
  it('seals each record of the detail view, without links, and the list of entries', async () => {
    const here = await month();
    await writeFile(join(here.home, 'october.json.sig'), 'the signature of an earlier file');
    const { code, stdout, stderr } = await here.close(['--to', 'october.json']);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`svc sealed 2026-10: ${here.sealPath()}. To find later changes: svc close 2026-10 --verify`),
    ]);
    const seal = await here.seal();
    const entries = seal['entries'] as { id: number; sha256: string }[];
    expect(entries.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    for (const { id, sha256 } of entries) {
      const { links: _, ...record } = await here.record(id);
      expect(sha256).toBe(digestOf(record));
    }
    expect(seal['sha256']).toBe(digestOf(entries));
    const { seal_sha256: whole, ...rest } = seal;
    expect(whole).toBe(digestOf(rest));
    expect(seal).toMatchObject({
      version: 1,
      host: here.host,
      month: '2026-10',
      account: 1,
      people: [1],
      team: false,
      signed: false,
      minutes: 240,
    });
    expect(JSON.parse(stdout)).toEqual(seal);
    const copy = join(here.home, 'october.json');
    expect(await readFile(copy, 'utf8')).toBe(await readFile(here.sealPath(), 'utf8'));
    expect((await readFile(copy, 'utf8')).includes('Work of')).toBe(false);
    await expect(stat(`${copy}.sig`)).rejects.toThrow();
    for (const path of [copy, here.sealPath(), `${here.sealPath()}.records`]) expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('writes the seal and its later comparison as pages, as in the golden files', async () => {
    const here = await month();
    await here.deleteEntry(2);
    const file = join(here.home, 'october.html');
    const shown = async (...words: string[]) => {
      const { code, stderr } = await here.close([...words, '--html', file]);
      expect(stderr).toContain(`Written: ${file}\n`);
      return [code, pageBody(await readFile(file, 'utf8'), here.host).replace(/\b[0-9a-f]{64}\b/g, 'SHA-256')] as const;
    };
    const [closed, seal] = await shown('--accept', 'missing-hours:1:2026-10-12=On the <train>');
    expect(closed).toBe(0);
    await expect(seal).toMatchFileSnapshot('goldens/close-page.txt');
    await here.change(1, { minutes: 90, description: 'A & B' });
    await here.deleteEntry(3);
    await here.add({ date: '2026-10-29', minutes: 20, project_id: 1, description: 'Late' });
    const [differs, comparison] = await shown('--verify');
    expect(differs).toBe(1);
    await expect(comparison).toMatchFileSnapshot('goldens/close-verify-page.txt');
  });

  it('refuses a month that is not over, and flags that exclude each other', async () => {
    const here = await month();
    here.sandbox.requests.length = 0;
    const refusals = await Promise.all([
      here.svc(['close', '2026-11']),
      here.svc(['close', 'this']),
      here.svc(['close', '2026-11'], { now: Date.parse('2026-11-30T22:00:00Z') }),
      here.svc(['close', 'soon']),
      here.close(['--verify', '--to', 'x']),
      here.close(['--allowed-signers', 'x']),
      here.close(['october.json']),
      here.close(['--max-age', '1h']),
    ]);
    expect(refusals.map(({ code, stderr }) => [code, stderr.split('\n')[0]])).toEqual([
      [2, 'svc: 2026-11 is not over.'],
      [2, 'svc: 2026-11 is not over.'],
      [2, 'svc: 2026-11 is not over.'],
      [2, 'svc: "soon" is not a month.'],
      [2, 'svc: --verify takes a file, --allowed-signers and --html; the other flags close a month.'],
      [2, 'svc: --verify takes a file, --allowed-signers and --html; the other flags close a month.'],
      [2, 'svc: --verify takes a file, --allowed-signers and --html; the other flags close a month.'],
      [2, 'svc: --max-age can mix two sources.'],
    ]);
    expect(here.sandbox.requests).toEqual([]);
    // On the first of November in Amsterdam, October is not over everywhere.
    const west = await month([1, 2], {});
    await west.svc(['api', '-X', 'PATCH', '/users/2', '-f', 'timezone=Pacific/Pago_Pago']);
    const early = await west.close(['--team'], { now: Date.parse('2026-11-01T05:00:00Z') });
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('2026-10 is not over for Person 2 at 2026-11-01T05:00:00Z')]);
  });

  it('refuses a month until each finding has a reason', async () => {
    const here = await month();
    await here.deleteEntry(2);
    await here.change(3, { minutes: 30 });
    const refused = await here.close([]);
    expect([refused.code, refused.rows.map(({ accept, kind, message }) => [accept, kind, message])]).toEqual([
      1,
      [
        ['missing-hours:1:2026-10-12', 'missing-hours', '1h missing of 1h'],
        ['missing-hours:1:2026-10-19', 'missing-hours', '30m missing of 1h'],
      ],
    ]);
    const one = ['--accept', 'missing-hours:1:2026-10-12=on = the train'];
    const half = await here.close(one, { terminal: 200, env: { NO_COLOR: '1' } });
    expect([half.code, half.stdout.split('\n').filter((line) => line.includes(' missing'))]).toEqual([
      1,
      [expect.stringMatching(/missing-hours:1:2026-10-19.*30m missing of 1h/)],
    ]);
    expect(half.stderr).toBe(
      'svc: 1 finding of svc check, so svc did not close the month.\n  Fix each finding, or accept it with a reason: svc close 2026-10 --accept "<finding>=<reason>"\n',
    );
    for (const wrong of [
      ['--accept', 'missing-hours:1:2026-10-19='],
      [...one, ...one],
      ['--accept', 'duplicate:7=why'],
    ])
      expect((await here.close(wrong)).code).toBe(2);
    const both = [...one, '--accept', 'missing-hours:1:2026-10-19=ill'];
    expect((await here.close([...both, '--dry-run'])).code).toBe(0);
    await expect(stat(here.sealPath())).rejects.toThrow();
    expect((await here.close(both)).code).toBe(0);
    expect((await here.seal())['accepted']).toMatchObject([
      { finding: 'missing-hours:1:2026-10-12', reason: 'on = the train' },
      { finding: 'missing-hours:1:2026-10-19', reason: 'ill', message: '30m missing of 1h' },
    ]);
  });

  it('refuses a closed month, and with --replace keeps the earlier seal', async () => {
    const here = await month();
    await here.close([]);
    const before = await here.seal();
    const again = await here.close([]);
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('The month is already closed')]);
    await here.change(1, { description: 'x' });
    expect((await here.close(['--replace'])).code).toBe(0);
    expect((await here.seal())['replaces']).toBe(before['seal_sha256']);
    const kept = here.sealPath(`2026-10.${String(before['seal_sha256']).slice(0, 12)}`);
    expect(await here.seal(kept)).toEqual(before);
    expect(short((await here.close(['--verify', kept])).rows)).toEqual(['changed 1 60 60 0.00']);
    expect((await here.close(['--verify'])).code).toBe(0);
    expect((await here.close(['--replace', '--to', kept])).code).toBe(6);
    // A service can show deleted records.
    const around = answering((text) => text.replace('"id":4,', '"id":4,"deleted_at":"2026-11-02T09:00:00Z",'));
    expect(short((await here.close(['--verify'], { around })).rows)).toEqual(['deleted 4 60 0 0.00']);
  });
});

describe('svc close', () => {
  it('leaves no seal when svc cannot write the records', async () => {
    const here = await month();
    await mkdir(`${here.sealPath()}.records`, { recursive: true, mode: 0o700 });
    expect((await here.close([])).code).not.toBe(0);
    await expect(here.seal()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('svc close --verify', () => {
  it('names each added, changed and deleted entry, with the effect on hours and amounts', async () => {
    const here = await month();
    await here.close(['--team', '--to', 'october.json']);
    const same = await here.close(['--team', '--verify'], { terminal: 100 });
    expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('Every entry matches the seal, and nobody added an entry.')]);
    await here.change(1, { minutes: 90, is_not_billable: false });
    await here.change(5, { date: '2026-11-01' });
    await here.deleteEntry(7);
    const added = await here.add({ date: '2026-10-06', minutes: 20, project_id: 1, is_not_billable: false });
    await here.add({ date: '2026-09-30', minutes: 20, project_id: 1 });
    const { code, rows, stderr } = await here.close(['--team', '--verify']);
    expect([code, short(rows)]).toEqual([
      1,
      ['changed 1 60 90 135.00', 'changed 5 60 0 0.00', 'deleted 7 60 0 0.00', `added ${added} 0 20 30.00`],
    ]);
    expect(rows[0]).toMatchObject({
      user: 'Person 1',
      at: '2026-11-02T09:00:00Z',
      by: null,
      message: 'is_not_billable: true → false; minutes: 60 → 90',
      fields: [
        { field: 'is_not_billable', before: true, after: false },
        { field: 'minutes', before: 60, after: 90 },
        { field: 'updated_at' },
      ],
    });
    expect(stderr).toContain('Hours: 8h sealed, 6h50 now (−1h10).\nChange of the billable amount, at the present rates: 165.00.\n');
    expect(stderr).toContain('svc: The month differs from its seal of 2026-11-02T09:00:00Z: 1 added, 2 changed, 1 deleted.');
    // The copy has only digests. svc knows the fields from the records beside its own seal.
    expect(short((await here.close(['--verify', 'october.json'])).rows)).toEqual(short(rows));
    await writeFile(`${here.sealPath('2026-10-team')}.records`, '{"id":1,"minutes":1}\n');
    const bare = await here.close(['--verify', 'october.json']);
    expect([bare.code, short(bare.rows)]).toEqual([1, ['changed 1  90 ', 'changed 5  0 ', 'deleted 7  0 ', `added ${added} 0 20 30.00`]]);
    expect(bare.rows[0]).toMatchObject({ fields: null, minutes_before: null, amount: null });
    expect(bare.stderr).toContain('(−1h10).\nChange of the billable amount, at the present rates: unknown.');
  });

  it('names the person of a change if the service does, and counts no new field as changed', async () => {
    const here = await month();
    await here.close([]);
    await here.change(1, { description: 'x' });
    const around = answering((text) => text.replace(/"minutes":/g, '"cost_centre":"A","updated_by":{"id":7,"name":"Grace"},"minutes":'));
    const { rows, stderr } = await here.close(['--verify'], { around });
    expect(rows.map(({ kind, id, by }) => [kind, id, by])).toEqual([['changed', 1, 'Grace']]);
    expect(stderr).toContain('The seal does not cover these fields, which are new: cost_centre, updated_by.');
  });

  it('finds a change of a number that a double cannot hold', async () => {
    const here = await month();
    const holding = (digits: string) => answering((text) => text.replace(/"minutes":/g, `"reference":${digits},"minutes":`));
    await here.close([], { around: holding('9007199254740992') });
    expect((await here.close(['--verify'], { around: holding('9007199254740992.0') })).code).toBe(0);
    const { rows } = await here.close(['--verify'], { around: holding('9007199254740993') });
    expect(rows.map(({ id, message }) => [id, message])).toEqual(
      [1, 2, 3, 4].map((id) => [id, 'reference: 9007199254740992 → 9007199254740993']),
    );
  });

  it('refuses a changed seal without a request', async () => {
    const here = await month();
    await here.close(['--team']);
    const path = here.sealPath('2026-10-team');
    const seal = await here.seal(path);
    const { seal_sha256: _, ...open } = seal;
    const [first, ...others] = seal['entries'] as JsonObject[];
    const digest = '0'.repeat(64);
    const changes: JsonObject[] = [
      { entries: others },
      { entries: [{ ...first, sha256: digest }, ...others] },
      { entries: others, seal_sha256: digestOf({ ...open, entries: others }) },
      { entries: others, sha256: digestOf(others) },
      { people: [1] },
      { minutes: 0 },
      { accepted: [{ finding: 'a', message: 'b', reason: 'c' }] },
      { read_at: '2026-12-02T09:00:00Z' },
      { team: false },
      { fields: [] },
      { extra: true },
      { sha256: digest },
      { seal_sha256: digest },
    ];
    here.sandbox.requests.length = 0;
    for (const change of changes) {
      await writeFile(path, JSON.stringify({ ...seal, ...change }));
      const { code, stdout, stderr } = await here.close(['--team', '--verify']);
      expect([code, stdout, stderr], JSON.stringify(change).slice(0, 80)).toEqual([1, '', expect.stringContaining('Somebody changed ')]);
    }
    for (const text of [
      '',
      '[]',
      '{"version":1}',
      `${'['.repeat(5000)}`,
      JSON.stringify({ ...seal, month: 10 }),
      JSON.stringify({ ...seal, version: 2 }),
    ]) {
      await writeFile(path, text);
      expect((await here.close(['--team', '--verify'])).code, text.slice(0, 40)).toBe(2);
    }
    expect((await here.close(['--verify', 'missing.json'])).code).toBe(3);
    expect(here.sandbox.requests).toEqual([]);
    await writeFile(path, JSON.stringify(seal));
    expect((await here.close(['--team', '--verify'])).code).toBe(0);
    expect((await here.svc(['close', '2026-09', '--verify', path])).stderr).toContain(`The seal is of 2026-10 at ${here.host}.`);
  });
});
