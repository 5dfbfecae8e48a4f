import { expect, describe as group, it } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { flagOf } from '../../src/catalog/rules.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/globals.ts';
import { spellingsOf } from '../../src/cli/resolve.ts';
import { CONDITION_OPTIONS, CREATE_OPTIONS } from '../../src/commands/resource/write-flags.ts';
import { BODY_OPTIONS } from '../../src/records/body-flags.ts';
import { describe } from '../../src/schema/describe.ts';
import type { DescribedResource } from '../../src/schema/described.ts';
import { takenFlags } from '../../src/schema/described-catalog.ts';
import { RENAMED_WORKLOGS, ROOMS } from './described-resources.ts';

const DESCRIBING = { host: 'acme.example.com', taken: takenFlags(), has: () => false };
const rooms = describe(undefined, ROOMS, DESCRIBING);
const known = await builtInCatalog().of('worklogs');
const worklogs = describe(known, RENAMED_WORKLOGS, DESCRIBING);

group('a resource that svc does not know', () => {
  it('has list, get, create and update, and a command for each other operation', () => {
    expect(rooms.verbs).toEqual(['list', 'get', 'create', 'update']);
    expect(rooms.described?.commands.map(({ name, path }) => [name, path])).toEqual([
      ['lock', '/rooms/{room}/actions/lock'],
      ['post-list', '/rooms/{room}/lists'],
    ]);
  });

  it('has a note with the svc api command for an operation without JSON', () => {
    expect(rooms.notes).toContain('PUT /rooms/{room}/photo takes image/png: svc api -X PUT /rooms/{room}/photo --input <file>');
  });

  it('has the flag --set-output for the field output, because svc has a flag --output', () => {
    expect(Object.entries(rooms.fields).map(([name, field]) => [name, flagOf(name, field)])).toContainEqual(['output', 'set-output']);
  });

  it('has no column for a field that the summary lacks', () => {
    expect(rooms.columns).toEqual(['id', 'name', 'seats']);
  });

  it('takes its token scopes from its operations', () => {
    expect(rooms.ability).toEqual(['rooms']);
  });

  it('has lists of child records', () => {
    expect(rooms.nested?.map(({ noun, path, parent, verbs }) => ({ noun, path, parent, verbs }))).toEqual([
      {
        noun: 'bookings',
        path: '/rooms/{room}/bookings',
        parent: { noun: 'rooms', singular: 'room', parameter: 'room' },
        verbs: ['list', 'create'],
      },
    ]);
  });

  it('has the first sentence of a description as the summary of a field', () => {
    expect(rooms.fields['name']?.summary).toBe('What it is called');
  });
});

group('a resource that svc knows', () => {
  it('has the fields and filters of the API spec, and no assumption of svc', () => {
    expect(Object.keys(worklogs.fields)).toEqual(Object.keys(RENAMED_WORKLOGS.fields));
    expect(Object.keys(worklogs.filters)).toEqual(['date']);
    expect(JSON.stringify(worklogs)).not.toContain('"assumed":true');
  });

  it('keeps a filter flag only if the API spec has the filter', () => {
    const flags = worklogs.shortcuts?.map(({ flag }) => flag);
    expect(flags).toEqual(expect.arrayContaining(['from', 'to', 'date']));
    for (const gone of ['user', 'project', 'mine', 'work-item']) expect(flags).not.toContain(gone);
  });

  it('keeps the more exact type of svc for an integer, such as a duration', () => {
    const field = (described: DescribedResource['fields'][string]) =>
      describe(known, { ...RENAMED_WORKLOGS, fields: { minutes: described } }, DESCRIBING).fields['minutes']?.kind;
    expect(field({ kind: 'integer' })).toBe('duration');
    expect(field({ kind: 'string' })).toBe('string');
    expect(worklogs.fields['user_id']).toMatchObject({ kind: 'user', ref: 'users' });
  });

  it('requires no field for which svc has a default', () => {
    expect(worklogs.fields['date']).toMatchObject({ kind: 'date', default: 'today' });
    expect(worklogs.fields['date']).not.toHaveProperty('required');
    expect(worklogs.fields['spent']).toMatchObject({ required: true });
  });

  it('drops examples with fields that the API spec lacks', () => {
    expect(worklogs.examples?.map(([, args]) => args).join('\n')).not.toMatch(/--user|--minutes|1h30/);
  });

  it('lists the missing fields that a command of svc needs', () => {
    expect(worklogs.described?.lacks).toEqual(['minutes']);
  });

  it('drops an action without its operation, and keeps the other actions', async () => {
    const items = await builtInCatalog().of('work-items');
    const noun: DescribedResource = {
      ...ROOMS,
      noun: 'work-items',
      path: '/work-items',
      itemPath: '/work-items/{work_item}',
      operations: [{ name: 'move', method: 'POST', path: '/work-items/{work_item}/actions/move' }],
    };
    const described = describe(items, noun, DESCRIBING);
    expect(described.actions?.map(({ name }) => name)).toEqual(['move']);
    expect(described.described?.commands).toEqual([]);
  });
});

it('the flags that no field can have include the flags of every write', () => {
  const options = { ...GLOBAL_OPTIONS, ...BODY_OPTIONS, ...CREATE_OPTIONS, ...CONDITION_OPTIONS };
  const flags = Object.values(options).flatMap(({ flags: text }) => spellingsOf(text).map((flag) => flag.replace(/^--?/, '')));
  expect(flags.filter((flag) => flag.length > 1 && !takenFlags().has(flag))).toEqual([]);
});

it('svc gives two fields with the same short name different flags', () => {
  const fields = {
    room: { kind: 'string', write: 'both' },
    room_id: { kind: 'id', write: 'both' },
    TaskSetup: { kind: 'string', write: 'both' },
  } as const;
  const twice = describe(undefined, { ...ROOMS, fields }, DESCRIBING);
  const flags = Object.entries(twice.fields).map(([name, field]) => flagOf(name, field));
  expect(new Set(flags).size).toBe(3);
});
