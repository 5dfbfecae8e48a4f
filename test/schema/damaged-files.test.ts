// svc checks each part of a stored API spec, because somebody may have edited a file. It ignores a damaged file, and reports the damage once.
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DescribedResource } from '../../src/schema/described.ts';
import { createMachine, type Machine } from '../support/svc.ts';
import { ROOMS } from './described-resources.ts';
import { storeResources } from './store-description.ts';

const HOST = 'acme.example.com';

/** Rooms with every part that a stored resource can have. */
const FULL: DescribedResource = {
  ...ROOMS,
  fields: {
    ...ROOMS.fields,
    owner_id: { kind: 'user', ref: 'users', nullable: true, write: 'update', minimum: 1, maximum: 9 },
    tags: { kind: 'json', items: 'string', writeOnly: true, deprecated: true },
  },
  list: {
    ...ROOMS.list,
    filters: { owner: { kind: 'user', operators: ['eq'], values: ['me'], ref: 'users' } },
    defaultSort: '-id',
    paged: true,
    search: false,
  },
  includes: { owner: { many: true, ref: 'users' } },
  operations: [
    ...ROOMS.operations,
    { name: 'find', method: 'GET', path: '/rooms/find', query: { at: { kind: 'date' } }, wrapped: true, deprecated: true },
  ],
};

let machine: Machine;
let directory: string;
beforeAll(async () => {
  machine = await createMachine();
  await storeResources(machine.home, HOST, [FULL]);
  const state = join(machine.home, '.local/state/svc/schema');
  directory = join(state, (await readdir(state))[0] ?? '');
});
afterAll(() => machine.remove());

type Json = Record<string, unknown>;

/** Returns a copy of a JSON value in which a part has another value. The path has the names of the part, with dots. */
function changed(value: unknown, path: string, part: unknown): Json {
  const copy = structuredClone(value) as Json;
  const names = path.split('.');
  const last = names.pop() ?? '';
  let within = copy;
  for (const name of names) within = within[name] as Json;
  within[last] = part;
  return copy;
}

/** Writes a file with another value, and runs a command that reads the file. Restores the file. Returns true if svc reported damage. */
async function isDamaged(name: string, damage: (value: Json) => Json): Promise<boolean> {
  const path = join(directory, name);
  const text = await readFile(path, 'utf8');
  await writeFile(path, JSON.stringify(damage(JSON.parse(text))));
  const { code, stderr } = await machine.svc(['schema', 'show', 'rooms', '--host', HOST]);
  const aside = path.replace('.json', '.damaged.json');
  await rename(aside, path).catch(() => undefined);
  await writeFile(path, text);
  expect([code, /^The imported API spec .* is damaged\. svc ignores the spec\./m.test(stderr)], stderr).toEqual(
    stderr.includes('is damaged') ? [3, true] : [0, false],
  );
  return code === 3;
}

describe('a stored API spec', () => {
  it('is not damaged as svc stores it, with or without its optional parts', async () => {
    expect(await isDamaged('index.json', (index) => index)).toBe(false);
    expect(await isDamaged('index.json', (index) => ({ ...index, previous: index }))).toBe(false);
    const [resource = ''] = (await readdir(directory)).filter((name) => name !== 'index.json');
    expect(await isDamaged(resource, (rooms) => rooms)).toBe(false);
    const least = ({ noun, singular, summary, path, itemPath }: Json): Json => ({
      noun,
      singular,
      summary,
      path,
      itemPath,
      fields: {},
      operations: [],
    });
    expect(await isDamaged(resource, least)).toBe(false);
    expect(await isDamaged(resource, (rooms) => ({ ...least(rooms), path: null, itemPath: null, includes: {}, views: {} }))).toBe(false);
  });

  it.each<[string, unknown]>([
    ['form', 0],
    ['title', 5],
    ['version', null],
    ['openapi', 3],
    ['importedAt', undefined],
    ['source', {}],
    ['source', 'x'.repeat(10_001)],
    ['digest', '0'.repeat(63)],
    ['digest', 'g'.repeat(64)],
    ['generation', '0'.repeat(17)],
    ['nouns', {}],
    ['nouns', ['rooms']],
    ['nouns.0.noun', '../rooms'],
    ['nouns.0.singular', undefined],
    ['nouns.0.summary', 5],
    ['previous', {}],
  ])('is damaged if %s of its index is %j', async (path, part) => {
    expect(await isDamaged('index.json', (index) => changed(index, path, part))).toBe(true);
  });

  it.each<[string, unknown]>([
    ['noun', 'Rooms'],
    ['singular', 5],
    ['summary', null],
    ['path', 'rooms'],
    ['path', 5],
    ['itemPath', '/rooms/../users'],
    ['description', 5],
    ['schema', 5],
    ['fields', []],
    ['fields', { 'a\u0000b': { kind: 'id' } }],
    ['fields.name', null],
    ['fields.name.kind', 'words'],
    ['fields.name.summary', 5],
    ['fields.name.write', 'never'],
    ['fields.floor.values', 'ground'],
    ['fields.floor.values', [5]],
    ['fields.owner_id.ref', '../users'],
    ['fields.tags.items', 'words'],
    ['fields.owner_id.minimum', '1'],
    ['fields.owner_id.maximum', null],
    ['fields.name.required', false],
    ['fields.output.nullable', false],
    ['fields.mood.extensible', 1],
    ['fields.tags.writeOnly', 'yes'],
    ['fields.tags.deprecated', false],
    ['list', []],
    ['list.filters', []],
    ['list.filters.owner', 5],
    ['list.filters.owner.kind', 'words'],
    ['list.filters.owner.operators', 'eq'],
    ['list.filters.owner.values', 'me'],
    ['list.filters.owner.ref', ''],
    ['list.sorts', 'id'],
    ['list.defaultSort', 5],
    ['list.paged', 1],
    ['list.search', 'no'],
    ['list.trashed', 'with'],
    ['list.maxPerPage', 0],
    ['list.maxPerPage', 1.5],
    ['includes', []],
    ['includes.owner', 5],
    ['includes.owner.many', false],
    ['includes.owner.ref', 5],
    ['views', 5],
    ['views.summary', 'id'],
    ['views.detail', [5]],
    ['operations', {}],
    ['operations.0', null],
    ['operations.0.name', 'make list'],
    ['operations.0.method', 'get'],
    ['operations.0.method', 'GO'],
    ['operations.0.method', 'GETSOMETHIN'],
    ['operations.0.path', 'rooms'],
    ['operations.0.path', 5],
    ['operations.4.summary', 5],
    ['operations.4.abilities', 'api:write:rooms'],
    ['operations.4.permission', 5],
    ['operations.4.body', []],
    ['operations.4.body.reason.kind', 'words'],
    ['operations.6.contentType', 5],
    ['operations.7.query', []],
    ['operations.7.query.at.kind', 'words'],
    ['operations.7.wrapped', false],
    ['operations.7.deprecated', 'yes'],
    ['nested', {}],
    ['nested.0.noun', 5],
    ['nested.0.fields.day.kind', 'words'],
  ])('has a damaged resource if %s is %j', async (path, part) => {
    const [resource = ''] = (await readdir(directory)).filter((name) => name !== 'index.json');
    expect(await isDamaged(resource, (rooms) => changed(rooms, path, part))).toBe(true);
  });

  it('has a damaged resource with nine levels of child resources', async () => {
    const [resource = ''] = (await readdir(directory)).filter((name) => name !== 'index.json');
    const nest = (levels: number): Json => ({
      ...{ noun: 'rooms', singular: 'room', summary: 'Rooms', path: '/rooms', itemPath: null, fields: {}, operations: [] },
      ...(levels > 1 && { nested: [nest(levels - 1)] }),
    });
    expect(await isDamaged(resource, () => nest(8))).toBe(false);
    expect(await isDamaged(resource, () => nest(9))).toBe(true);
  });
});
