// Long tables at a service that counts rows only on request: how soon each page is compared, and the memory.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { svcBinary } from '../support/binary.ts';
import { IS_FULL } from '../support/parts.ts';
import { type RowsService, startRowsService } from '../support/rows-service.ts';
import { createMachine } from '../support/svc.ts';

const DAY = 86_400_000;

/** SVC_TEST_FULL=1 uses more rows. */
const MANY = IS_FULL ? 200_000 : 60_000;

const svc = svcBinary();
let home: string;
let service: RowsService;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-home-'));
});
afterEach(async () => {
  await service.close();
  await rm(home, { recursive: true, force: true });
});

interface Table {
  readonly noun: string;
  readonly rows: number;
  readonly gone: number;
  readonly known_by: string;
  readonly verified_at: string | null;
}

async function sync(...words: string[]): Promise<readonly Table[]> {
  const env = { SVC_HOST: service.host, SVC_TOKEN: 'a-token', SVC_TOKEN_STORE: 'file' };
  const { code, stdout, stderr } = await svc.run(['sync', '--to', 'rows.sqlite', '--output', 'json', ...words], { home, env });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

function comparedPages(noun: string): number {
  const database = new DatabaseSync(join(home, 'rows.sqlite'), { readOnly: true });
  const found = database.prepare('SELECT count(*) AS pages FROM svc_pages WHERE noun = ?').get(noun);
  database.close();
  return Number(found?.['pages']);
}

it('svc sync compares every page of a long table within 30 syncs', { timeout: 600_000 }, async () => {
  service = await startRowsService({ worklogs: 60_000, customers: 9_000 });
  await sync();
  const verified = new Map<string, number>();
  for (let turn = 1; turn <= 30; turn += 1)
    for (const { noun, verified_at } of await sync()) if (verified_at !== null && !verified.has(noun)) verified.set(noun, turn);
  expect([...verified.keys()].toSorted()).toEqual(['customers', 'worklogs']);
  // The pages are not all compared at once.
  expect(Math.min(...verified.values())).toBeGreaterThan(15);
});

it('svc sync compares every page of a long table within 30 days, with a sync every ten days', { timeout: 600_000 }, async () => {
  service = await startRowsService({ worklogs: 20_000 });
  const machine = await createMachine();
  const env = { SVC_HOST: service.host, SVC_TOKEN: 'a-token' };
  const start = Date.now();
  const verified: (string | null | undefined)[] = [];
  for (const day of [0, 10, 20, 30]) {
    const { code, stdout, stderr } = await machine.svc(['sync', '--to', join(home, 'rows.sqlite')], { env, now: start + day * DAY });
    expect(code, stderr).toBe(0);
    verified.push((JSON.parse(stdout) as readonly Table[])[0]?.verified_at);
    service.advance(10);
  }
  expect(verified).toEqual([null, null, null, expect.any(String)]);
  await machine.remove();
});

it('svc sync compares a part of one table even when another table takes the rate-limit units', { timeout: 600_000 }, async () => {
  service = await startRowsService({ worklogs: 40_000, customers: 20_000 });
  await sync();
  service.remove(
    'worklogs',
    Array.from({ length: 300 }, (_, index) => 133 * index + 1),
  );
  const [, worklogs] = (await sync()).toSorted((one, other) => one.noun.localeCompare(other.noun));
  expect(worklogs?.known_by).toBe('changes');
  expect(comparedPages('customers')).toBeGreaterThanOrEqual(20_000 / 100 / 30);
});

it(`svc sync uses for ${MANY} rows less than 1.4 times the memory of 5,000 rows (first, idle and deleting sync)`, {
  timeout: 600_000,
}, async () => {
  const env = { SVC_TOKEN: 'a-token', SVC_TOKEN_STORE: 'file' };
  const preload = [join(home, 'peak.mjs')];
  await writeFile(
    join(home, 'peak.mjs'),
    "import { writeFileSync } from 'node:fs';\nprocess.on('exit', () => writeFileSync('peak', String(process.resourceUsage().maxRSS)));\n",
  );
  const everyNth = (step: number, count: number) => Array.from({ length: count }, (_, index) => step * index + 1);
  const peaks = async (rows: number) => {
    service = await startRowsService({ worklogs: rows });
    const peakOf = async (...words: string[]) => {
      const argv = ['sync', '--to', `${rows}.sqlite`, ...words];
      const { code, stderr } = await svc.run(argv, { home, env: { ...env, SVC_HOST: service.host }, preload });
      expect(code, stderr).toBe(0);
      return Number(await readFile(join(home, 'peak'), 'utf8'));
    };
    const [first, idle] = [await peakOf(), await peakOf()];
    service.remove('worklogs', everyNth(49, 100));
    const hundredDeleted = await peakOf();
    service.remove('worklogs', everyNth(2, rows / 2));
    const halfDeleted = await peakOf('--verify');
    await service.close();
    return { first, idle, hundredDeleted, halfDeleted };
  };
  const few = await peaks(5_000);
  const many = await peaks(MANY);
  const kinds = ['first', 'idle', 'hundredDeleted', 'halfDeleted'] as const;
  const ratios = kinds.map((kind) => many[kind] / few[kind]);
  console.log(`KiB: ${JSON.stringify(many)} against ${JSON.stringify(few)}, ratios ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`);
  expect(Math.max(...ratios)).toBeLessThan(1.4);
});
