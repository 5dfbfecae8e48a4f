import { readFile } from 'node:fs/promises';
import { isObject } from '../json.ts';
import type { SandboxState } from '../sandbox-state.ts';
import { switchesByName, turnSwitch } from '../settings.ts';

const VERSION = 2;

type State = ReturnType<typeof stateOf>;

/**
 * Returns the state that survives a restart, as JSON. Leaves out other state, such as rate-limit budgets, codes, faults and the request
 * log.
 */
function stateOf({ apps, clock, contents, db, defaultUserId, extraFields, idempotency, switches, tokens, uploads }: SandboxState) {
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

export function stateAsText(sandboxState: SandboxState): string {
  const { tables, ...rest } = stateOf(sandboxState);
  const parts = Object.entries(rest).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const shown = tables.map(({ rows, ...table }) => {
    const lines = rows.map((row) => `\n${JSON.stringify(row)}`);
    return `${JSON.stringify(table).slice(0, -1)},"rows":[${lines.join(',')}]}`;
  });
  return `{\n${parts.join(',\n')},\n"tables": [${shown.join(',\n')}]\n}\n`;
}

/**
 * Reads a state file into the sandbox.
 * @throws RangeError if the file is not a state file of this version.
 * @throws Node’s error if the file can’t be read.
 */
export async function readStateFile(sandboxState: SandboxState, path: string): Promise<void> {
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
    apply(sandboxState, state as unknown as State);
  } catch (error) {
    throw new RangeError(`a part of it is missing or damaged (${String(error)})`);
  }
}

function apply(sandboxState: SandboxState, state: State): void {
  sandboxState.clock.advance(state.ahead);
  sandboxState.defaultUserId = state.person;
  for (const [name, on] of Object.entries(state.switches)) turnSwitch(sandboxState.switches, name, on);
  sandboxState.tokens.load(state.tokens);
  sandboxState.apps.load(state.apps);
  for (const [key, value] of state.idempotency) sandboxState.idempotency.set(key, value);
  for (const [key, value] of state.uploads) sandboxState.uploads.set(key, value);
  for (const [key, value] of state.contents ?? []) sandboxState.contents.set(key, Buffer.from(value, 'base64'));
  for (const [key, value] of state.extraFields) sandboxState.extraFields.set(key, value);
  for (const { name, ...dump } of state.tables) sandboxState.db.table(name).load(dump);
}
