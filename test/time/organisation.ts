import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/start.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

/** The rows by resource, as the sandbox stores them, including ids and read-only fields. */
export type Tables = Readonly<Record<string, readonly JsonObject[]>>;

interface State {
  readonly tables: { name: string; lastId: number; rows: { readonly row: JsonObject; readonly revision: number }[] }[];
}

/** Signs in as the first of `tables.users` to an organisation with only these rows. */
export async function organisation(timestamp: string, tables: Tables, options: SandboxOptions = {}): Promise<PinnedSandbox> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-organisation-'));
  const data = join(directory, 'state.json');
  const state = await foundation(timestamp);
  for (const table of state.tables) {
    const rows = tables[table.name] ?? [];
    table.rows = rows.map((row) => ({ row: { created_at: STAMP, updated_at: STAMP, ...row }, revision: 1 }));
    table.lastId = Math.max(0, ...rows.map(({ id }) => Number(id)));
  }
  await writeFile(data, JSON.stringify(state));
  const here = await signInAt(timestamp, { data, personalToken: true, ...options });
  return {
    ...here,
    async remove() {
      await here.remove();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const founded = new Map<string, Promise<string>>();

/** Returns the state of a sandbox without rows, at a time. Creates it once per test file, because sample rows take long to create. */
async function foundation(timestamp: string): Promise<State> {
  const found = async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-foundation-'));
    const data = join(directory, 'state.json');
    await (await startSandbox({ data, clock: { now: () => Date.parse(timestamp) } })).close();
    const state = JSON.parse(await readFile(data, 'utf8')) as State;
    await rm(directory, { recursive: true, force: true });
    return JSON.stringify({ ...state, tables: state.tables.map((table) => ({ ...table, rows: [] })) });
  };
  const known = founded.get(timestamp) ?? found();
  founded.set(timestamp, known);
  return JSON.parse(await known) as State;
}

const STAMP = '2025-01-01T09:00:00Z';

/** Returns working hours from Monday to Friday, except for the given free days. */
export function week(start: string, end: string, free: readonly string[] = []): JsonObject {
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => [day, free.includes(day) ? null : { start, end }]);
  return Object.fromEntries([...days, ['saturday', null], ['sunday', null]]);
}
