// After each of many random histories the mirror is what the service has, by ids and whole records: rows made, changed, deleted, rights lost
// and regained, clocks that differ, svc killed at any step. 1,000 with SVC_TEST_FULL=1.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/start.ts';
import { writeLargeOrganisation } from '../support/large-organisation.ts';
import { mortally } from '../support/mortal.ts';
import { randomOf } from '../support/random.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const HISTORIES = process.env['SVC_TEST_FULL'] === '1' ? 200 : 6;

/** Every answer to what the documentation leaves open that decides how a mirror is kept. */
const READINGS: readonly [string, NonNullable<SandboxOptions['knobs']>][] = [
  ['as documented', {}],
  ['a record clock that is behind, deleted records that can be read', { recordClock: 'behind', deletedRecords: 'readable' }],
  ['a record clock that is ahead, deleted records gone', { recordClock: 'ahead', deletedRecords: 'gone' }],
  ['no trash, page numbers of a moment', { trashedTakes: 'nothing', pages: 'snapshot', recordClock: 'behind' }],
  ['no filters but those that are documented', { otherFilters: 'refused', hoursFilters: 'refused' }],
];

let here: SignedIn;
afterEach(() => here.remove());

const NOUNS = ['worklogs', 'absences', 'customers', 'work-items', 'sales-invoices', 'projects'] as const;
/** Somebody whose role changes; their own hours and leave, and what their role shows them. */
const USER = 4;
const ROLES = ['admin', 'manager', 'employee'];

interface Person {
  readonly token: string;
}

async function ask(person: Person, url: string): Promise<Response> {
  return fetch(url, { headers: { authorization: `Bearer ${person.token}` } });
}

/** What this person may see of a collection, asked without svc; nothing where they may not. */
async function truth(person: Person, noun: string): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  let url: string | null = `${here.sandbox.baseUrl}/${noun}?sort=id&per_page=100&view=detail`;
  while (url !== null) {
    const answer: Response = await ask(person, url);
    if (answer.status === 403) return new Map();
    expect(answer.status, url).toBe(200);
    const { data, links } = (await answer.json()) as { data: { id: number }[]; links: { next: string | null } };
    for (const row of data) found.set(row.id, JSON.stringify(row));
    url = links.next;
  }
  return found;
}

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

/** Long tables of each kind: to be asked for totals, counted with a trash, and counted without. */
const SIZES = { worklogs: 900, customers: 700, absences: 600, 'work-items': 60, 'sales-invoices': 20, projects: 10 };

it.each(READINGS)(`${HISTORIES} histories, %s`, { timeout: 3_600_000 }, async (_, knobs) => {
  const data = await mkdtemp(join(tmpdir(), 'svc-histories-'));
  await writeLargeOrganisation(data, SIZES);
  here = await signedIn({ data, limits: 'off', personalToken: true, knobs });
  const { sandbox } = here;
  const boss: Person = { token: sandbox.tokens[0]?.value ?? '' };
  const person: Person = { token: sandbox.createToken({ userId: USER, name: 'mirror', scopes: ['read'] }).value };
  sandbox.setRole(USER, 'admin');
  const file = join(here.home, 'mirror.sqlite');
  const env = { SVC_HOST: here.host, SVC_TOKEN: person.token };
  const sync = (around?: Parameters<SignedIn['svc']>[1]) =>
    here.svc(['sync', ...NOUNS, '--to', file, '--budget', '2000', '--quiet'], { ...around, env });
  const random = randomOf(20_260_101);
  const pick = (below: number) => Math.floor(random() * below);
  const write = async (method: string, path: string, body?: object) => {
    await fetch(`${sandbox.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${boss.token}`, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).then((answer) => answer.arrayBuffer());
  };
  const any = (noun: string) => sandbox.rows(noun)[pick(sandbox.rows(noun).length)]?.id ?? 1;
  const deleteNeighbours = async (noun: string) => {
    const first = any(noun);
    for (let id = first; id < first + 3; id += 1) await write('DELETE', `/${noun}/${id}`);
  };
  const deeds: readonly (() => Promise<void> | void)[] = [
    () => write('POST', '/worklogs', { date: '2026-11-02', minutes: 1 + pick(400), user_id: 1 + pick(10) }),
    () => write('PATCH', `/worklogs/${any('worklogs')}`, { minutes: 1 + pick(400) }),
    () => write('DELETE', `/worklogs/${any('worklogs')}`),
    () => write('DELETE', `/customers/${any('customers')}`),
    () => deleteNeighbours('customers'),
    () => deleteNeighbours('worklogs'),
    () => write('POST', '/absences', { user_id: 1 + pick(10), start: '2026-12-01T08:00:00Z', end: '2026-12-02T16:00:00Z' }),
    () => write('DELETE', `/absences/${any('absences')}`),
    () => write('POST', '/customers', { name: `Customer ${pick(1000)}` }),
    () => write('PATCH', `/customers/${any('customers')}`, { name: `Renamed ${pick(1000)}` }),
    () => write('DELETE', `/work-items/${any('work-items')}`),
    () => write('PATCH', `/projects/${any('projects')}`, { name: `Project ${pick(1000)}` }),
    () => sandbox.setRole(USER, ROLES[pick(ROLES.length)] ?? 'admin'),
    () => sandbox.advance(pick(3) * 240_000),
  ];
  let killed = 0;
  for (let history = 1; history <= HISTORIES; history += 1) {
    for (let count = 1 + pick(8); count > 0; count -= 1) await deeds[pick(deeds.length)]?.();
    if (random() < 0.4) {
      const result = await mortally(1 + pick(120), (around) => sync({ around }));
      if (result === undefined) killed += 1;
      for (let count = pick(3); count > 0; count -= 1) await deeds[pick(deeds.length)]?.();
    }
    const { code, stderr } = await sync();
    expect([0, 10], stderr).toContain(code);
    for (const noun of NOUNS) {
      const [there, mirrored] = [await truth(person, noun), held(file, noun)];
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
