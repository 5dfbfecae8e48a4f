import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Json, parseObject, type Row, type Values } from '../json.ts';
import { relationName, type ServedResource } from '../resources/define.ts';
import type { SandboxState } from '../sandbox-state.ts';
import { seedTokens } from '../seed/index.ts';
import { seedPeople } from '../seed/people.ts';
import { createSeeding, defaultsOf } from '../seed/seeding.ts';
import { ROLE_NAMES } from '../tokens/permissions.ts';

/**
 * Fills an empty sandbox from an export: a directory with `manifest.json` and one `<resource>.ndjson` per resource. Other resources stay
 * empty. If the export has no users, the sandbox gets the users and branches of the sample data.
 * @throws RangeError that names the file and line of an invalid record.
 * @throws RangeError if the directory has no manifest, or if no user is active.
 * @throws Node’s error if a file can’t be read.
 */
export async function loadExport(sandboxState: SandboxState, directory: string): Promise<void> {
  const names = await readdir(directory);
  if (!names.includes('manifest.json')) throw new RangeError('it contains no manifest.json');
  for (const resource of sandboxState.service.resources) {
    const file = `${resource.name}.ndjson`;
    if (!names.includes(file)) continue;
    const records = parseRecords(file, await readFile(join(directory, file), 'utf8'));
    load(sandboxState, resource, records);
  }
  const users = sandboxState.db.table('users');
  if (users.rows.size === 0) seedPeople(createSeeding(sandboxState));
  // The service’s exports contain no roles. A user without a known role becomes an administrator.
  for (const user of [...users.rows.values()]) {
    if (!ROLE_NAMES.includes(String(user['role']))) users.update(user.id, { role: 'admin' });
  }
  const active = [...users.rows.values()].filter((user) => user['is_active'] !== false && (user['deleted_at'] ?? null) === null);
  const person = active.find((user) => user['role'] === 'admin') ?? active[0];
  if (person === undefined) throw new RangeError('users.ndjson has no active user, so nobody could sign in');
  users.update(person.id, { role: 'admin' });
  sandboxState.defaultUserId = person.id;
  seedTokens(sandboxState);
}

function parseRecords(file: string, text: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = parseObject(line);
    if (!Number.isSafeInteger(value?.['id'])) throw new RangeError(`${file}, line ${index + 1}, is not a record with an id`);
    return [value as Values as Row];
  });
}

function load(sandboxState: SandboxState, resource: ServedResource, records: readonly Row[]): void {
  const derived = derivedNames(resource);
  const extra = new Set<string>();
  const rows = records.map((record) => {
    const values: Values = {};
    for (const [name, value] of Object.entries(record)) {
      if (derived.has(name)) continue;
      values[name] = stored(resource, name, value);
      if (!Object.hasOwn(resource.fields, name)) extra.add(name);
    }
    return { row: { ...defaultsOf(resource), ...values, id: record.id }, revision: 1 };
  });
  sandboxState.extraFields.set(resource.name, [...extra]);
  sandboxState.db.table(resource.name).load({ lastId: Math.max(0, ...records.map(({ id }) => id)), rows });
}

function derivedNames(resource: ServedResource): ReadonlySet<string> {
  const computed = Object.entries(resource.fields).flatMap(([name, field]) => (field.compute === undefined ? [] : [name]));
  const relations = Object.entries(resource.fields).flatMap(([name, field]) => relationName(name, field) ?? []);
  return new Set(['links', ...computed, ...relations, ...Object.keys(resource.many)].filter((name) => name !== 'id'));
}

function stored(resource: ServedResource, name: string, value: Json): Json {
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return isDay && resource.fields[name]?.type === 'datetime' ? `${value}T00:00:00Z` : value;
}
