// After each of many random histories the mirror is what the service has, by ids and whole records: rows made, changed, deleted, rights lost
// and regained, clocks that differ, svc killed at any step. 1,000 with SVC_TEST_FULL=1.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/start.ts';
import { historiesOf } from '../support/histories.ts';
import { mortally } from '../support/mortal.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const HISTORIES = process.env['SVC_TEST_FULL'] === '1' ? 250 : 8;

/** Every answer to what the documentation leaves open that decides how a mirror is kept. */
const READINGS: readonly [string, SandboxOptions['knobs']][] = [
  ['as documented', {}],
  ['a record clock that is behind, deleted records that can be read', { recordClock: 'behind', deletedRecords: 'readable' }],
  ['a record clock that is ahead, deleted records gone', { recordClock: 'ahead', deletedRecords: 'gone' }],
  ['no filters but those that are documented', { otherFilters: 'refused', hoursFilters: 'refused' }],
];

let here: SignedIn;
afterEach(() => here.remove());

function held(file: string, noun: string): Map<number, string> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const table = noun.replace('-', '_');
    const known = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(`svc_record_${table}`);
    if (known === undefined) return new Map();
    const rows = database.prepare(`SELECT id, record FROM svc_record_${table} ORDER BY id`).all() as { id: number; record: string }[];
    // The table that SQL asks has the same rows.
    expect(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']).toBe(rows.length);
    return new Map(rows.map(({ id, record }) => [id, record]));
  } finally {
    database.close();
  }
}

it.each(READINGS)(`${HISTORIES} histories, %s`, { timeout: 3_600_000 }, async (_, knobs) => {
  here = await signedIn({ limits: 'off', personalToken: true, ...(knobs && { knobs }) });
  const { nouns, token, random, pick, happen, truth } = historiesOf(here, 20_260_101);
  const file = join(here.home, 'mirror.sqlite');
  const env = { SVC_HOST: here.host, SVC_TOKEN: token };
  const sync = (around?: Parameters<SignedIn['svc']>[1]) =>
    here.svc(['sync', ...nouns, '--to', file, '--budget', '2000', '--quiet'], { ...around, env });
  let killed = 0;
  for (let history = 1; history <= HISTORIES; history += 1) {
    await happen(1 + pick(8));
    if (random() < 0.4) {
      const result = await mortally(1 + pick(120), (around) => sync({ around }));
      if (result === undefined) killed += 1;
      await happen(pick(3));
    }
    const { code, stderr } = await sync();
    expect([0, 10], stderr).toContain(code);
    for (const noun of nouns) {
      const [there, mirrored] = [await truth(noun), held(file, noun)];
      const differ = [...new Set([...there.keys(), ...mirrored.keys()])].filter((id) => there.get(id) !== mirrored.get(id));
      expect(
        differ,
        `history ${history}: ${noun}\n${differ
          .slice(0, 2)
          .map((id) => `${there.get(id)}\n${mirrored.get(id)}`)
          .join('\n')}\n${stderr}`,
      ).toEqual([]);
    }
  }
  expect(killed).toBeGreaterThan(0);
});
