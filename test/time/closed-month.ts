import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxOptions } from '../../src/sandbox/start.ts';
import type { JsonObject } from '../../src/values/json.ts';
import type { Result, RunOptions } from '../support/svc.ts';
import { organisation } from './organisation.ts';
import type { PinnedSandbox } from './support.ts';

/** The time of the tests: 2 November 2026 in Amsterdam. */
const NOW = '2026-11-02T09:00:00Z';

/** An hour on each Monday of October 2026. */
const HOURS: JsonObject = {
  monday: { start: '09:00', end: '10:00' },
  tuesday: null,
  wednesday: null,
  thursday: null,
  friday: null,
  saturday: null,
  sunday: null,
};
const MONDAYS = ['2026-10-05', '2026-10-12', '2026-10-19', '2026-10-26'];

/** An organisation in which October 2026 is complete, and svc in it. */
export interface ClosedMonth extends PinnedSandbox {
  close(words: readonly string[], options?: RunOptions): Promise<Result & { readonly rows: readonly JsonObject[] }>;
  /** Returns the path of a seal in the state directory. */
  sealPath(name?: string): string;
  seal(path?: string): Promise<JsonObject>;
  change(id: number, body: JsonObject): Promise<void>;
  deleteEntry(id: number): Promise<void>;
  add(body: JsonObject): Promise<number>;
  record(id: number): Promise<JsonObject>;
}

/** Starts the organisation. @param people The ids of the people, each with an entry on each Monday. Default: two people. */
export async function closedMonth(people: readonly number[] = [1, 2], options: SandboxOptions = {}): Promise<ClosedMonth> {
  const worklog = (user: number, date: string): JsonObject => ({
    ...{
      user_id: user,
      date,
      minutes: 60,
      description: `Work of ${user}`,
      project_id: 1,
      work_item_id: null,
      budget_id: null,
      is_overtime: false,
    },
    ...{ is_not_billable: true, exceeded_budget: false, reviewed_by: null, invoice_id: null, sales_invoice_row_id: null },
  });
  const here = await organisation(
    NOW,
    {
      users: people.map((id) => ({
        id,
        name: `Person ${id}`,
        role: id === 1 ? 'admin' : 'employee',
        timezone: 'Europe/Amsterdam',
        working_hours: HOURS,
        is_active: true,
      })),
      projects: [{ id: 1, name: 'Web shop', status: 'active', end_date: null, hourly_rate: '90.00' }],
      worklogs: people.flatMap((user) => MONDAYS.map((date) => worklog(user, date))).map((row, at) => ({ id: at + 1, ...row })),
    },
    options,
  );
  const request = async (method: string, path: string, body?: JsonObject): Promise<JsonObject> => {
    const input = body === undefined ? [] : ['--input', '-'];
    const { code, stdout, stderr } = await here.svc(['api', '-X', method, path, '--yes', ...input], {
      ...(body && { stdin: JSON.stringify(body) }),
    });
    if (code !== 0) throw new Error(stderr);
    const answer = JSON.parse(stdout.trim() || '{}') as JsonObject & { readonly data?: JsonObject };
    return answer.data ?? answer;
  };
  const sealPath = (name = '2026-10') => join(here.home, '.local/state/svc/seals', here.host.replace(':', '_'), 'user-1', `${name}.json`);
  return {
    ...here,
    async close(words, runOptions = {}) {
      const result = await here.svc(['close', '2026-10', ...words], runOptions);
      return { ...result, rows: result.stdout.startsWith('[') ? (JSON.parse(result.stdout) as JsonObject[]) : [] };
    },
    sealPath,
    seal: async (path = sealPath()) => JSON.parse(await readFile(path, 'utf8')) as JsonObject,
    change: async (id, body) => void (await request('PATCH', `/worklogs/${id}`, body)),
    deleteEntry: async (id) => void (await request('DELETE', `/worklogs/${id}`)),
    add: async (body) => Number((await request('POST', '/worklogs', body))['id']),
    record: async (id) => request('GET', `/worklogs/${id}`),
  };
}

/** Changes each JSON answer of the service before svc reads it. */
export function answering(change: (text: string, url: string) => string): NonNullable<RunOptions['around']> {
  return (deps) => ({
    ...deps,
    network: {
      ...deps.network,
      async request(request) {
        const response = await deps.network.request(request);
        return {
          ...response,
          bytes: async (most) => new TextEncoder().encode(change(new TextDecoder().decode(await response.bytes(most)), request.url)),
        };
      },
    },
  });
}
