import { expect } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/start.ts';
import { randomOf } from './random.ts';
import type { SignedIn } from './svc.ts';

/** All answers to open questions of the documentation that affect the local database. */
export const INTERPRETATION_SETS: readonly [string, NonNullable<SandboxOptions['interpretations']>][] = [
  ['documented behaviour', {}],
  ['a late record clock and readable deleted records', { recordClock: 'behind', deletedRecords: 'readable' }],
  ['an early record clock and no deleted records', { recordClock: 'ahead', deletedRecords: 'gone' }],
  ['no trash and page numbers of a snapshot', { trashedTakes: 'nothing', pages: 'snapshot', recordClock: 'behind' }],
  ['only documented filters', { otherFilters: 'refused', hoursFilters: 'refused' }],
];

/** Random events of an organisation, as seen by a user whose permissions change. */
export interface Histories {
  /** The resources with random events. */
  readonly nouns: readonly string[];
  /** The token of the user. */
  readonly token: string;
  /** Returns a repeatable random number from 0 to below 1. */
  readonly random: () => number;
  /** Returns a random integer from 0 to below a limit. */
  pick(below: number): number;
  /** Causes a number of random events. */
  happen(count: number): Promise<void>;
  /** Creates a customer, and makes it visible to the user. */
  reveal(): Promise<void>;
  /** Returns the records of a resource that the user can see now, without svc. Empty without permission. */
  truth(noun: string): Promise<Map<number, string>>;
}

/** The id of a user whose role changes. The user sees their own hours and leave, and the records that the role shows. */
const USER = 4;
const ROLES = ['admin', 'manager', 'employee'];

export function historiesOf({ sandbox }: SignedIn, seed: number): Histories {
  const boss = sandbox.tokens[0]?.value ?? '';
  const token = sandbox.createToken({ userId: USER, name: 'mirror', scopes: ['read'] }).value;
  sandbox.setRole(USER, 'admin');
  const random = randomOf(seed);
  const pick = (below: number) => Math.floor(random() * below);
  const write = async (method: string, path: string, body?: object) => {
    await fetch(`${sandbox.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${boss}`, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
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
  return {
    nouns: ['worklogs', 'absences', 'customers', 'work-items', 'sales-invoices', 'projects'],
    token,
    random,
    pick,
    async happen(count) {
      for (let left = count; left > 0; left -= 1) await deeds[pick(deeds.length)]?.();
    },
    async reveal() {
      sandbox.setRole(USER, 'admin');
      await write('POST', '/customers', { name: `Customer ${pick(1000)}` });
    },
    async truth(noun) {
      const found = new Map<number, string>();
      let url: string | null = `${sandbox.baseUrl}/${noun}?sort=id&per_page=100&view=detail`;
      while (url !== null) {
        const answer: Response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
        if (answer.status === 403) return new Map();
        expect(answer.status, url).toBe(200);
        const { data, links } = (await answer.json()) as { data: { id: number }[]; links: { next: string | null } };
        for (const row of data) found.set(row.id, JSON.stringify(row));
        url = links.next;
      }
      return found;
    },
  };
}
