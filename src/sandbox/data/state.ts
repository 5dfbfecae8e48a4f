import { readFile } from 'node:fs/promises';
import { isObject } from '../json.ts';
import { switchesByName, turnSwitch } from '../settings.ts';
import type { World } from '../world.ts';

const VERSION = 2;

type State = ReturnType<typeof stateOf>;

/** Returns everything that survives a restart, as JSON. Rate-limit budgets, codes, consents and the request log do not survive. */
function stateOf({ apps, clock, contents, db, defaultUserId, extraFields, idempotency, switches, tokens, uploads }: World) {
  return {
    sandbox: VERSION,
    ahead: clock.ahead,
    person: defaultUserId,
    switches: switchesByName(switches),
    tokens: tokens.dump(),
    apps: apps.dump(),
    idempotency: [...idempotency],
    uploads: [...uploads],
    contents: [...contents].map(([key, bytes]) => [key, Buffer.from(bytes).toString('base64')] as const),
    extraFields: [...extraFields],
    tables: [...db.tables].map(([name, table]) => ({ name, ...table.dump() })),
  };
}

export function worldAsText(world: World): string {
  const { tables, ...rest } = stateOf(world);
  const parts = Object.entries(rest).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const shown = tables.map(({ rows, ...table }) => {
    const lines = rows.map((row) => `\n${JSON.stringify(row)}`);
    return `${JSON.stringify(table).slice(0, -1)},"rows":[${lines.join(',')}]}`;
  });
  return `{\n${parts.join(',\n')},\n"tables": [${shown.join(',\n')}]\n}\n`;
}

/** @throws RangeError if the file is not a state file of this version. */
export async function readStateFile(world: World, path: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch {
    throw new RangeError('it is not JSON');
  }
  if (!isObject(state) || typeof state['sandbox'] !== 'number') throw new RangeError('it was not written by a sandbox');
  if (state['sandbox'] !== VERSION) throw new RangeError(`it has version ${state['sandbox']}, and this sandbox reads version ${VERSION}`);
  try {
    apply(world, state as unknown as State);
  } catch (error) {
    throw new RangeError(`a part of it is missing or damaged (${String(error)})`);
  }
}

function apply(world: World, state: State): void {
  world.clock.advance(state.ahead);
  world.defaultUserId = state.person;
  for (const [name, on] of Object.entries(state.switches)) turnSwitch(world.switches, name, on);
  world.tokens.load(state.tokens);
  world.apps.load(state.apps);
  for (const [key, value] of state.idempotency) world.idempotency.set(key, value);
  for (const [key, value] of state.uploads) world.uploads.set(key, value);
  for (const [key, value] of state.contents ?? []) world.contents.set(key, Buffer.from(value, 'base64'));
  for (const [key, value] of state.extraFields) world.extraFields.set(key, value);
  for (const { name, ...dump } of state.tables) world.db.table(name).load(dump);
}
