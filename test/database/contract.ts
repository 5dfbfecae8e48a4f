import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { BEFORE_ALL, LAST_OF_ALL } from '../../src/database/compared-pages.ts';
import { DatabaseError } from '../../src/database/database-error.ts';
import type { Change, DatabaseOwner, LocalDatabase } from '../../src/database/local-database.ts';
import { type JsonObject, parseJson } from '../../src/values/json.ts';
import { CHECK, OWNER, SHAPE } from './shapes.ts';

/** A kind of database for the tests. */
export interface DatabaseKind {
  /** Creates an empty database in a separate place. */
  begin(): Promise<DatabasePlace>;
}

export interface DatabasePlace {
  /** The arguments for fixtures/half-written.ts. */
  readonly words: readonly [kind: string, place: string];
  open(owner: DatabaseOwner): Promise<LocalDatabase>;
  /** Runs a query without svc, even while svc writes. Returns rows as texts, with null as an empty text. */
  runQuery(sql: string): Promise<readonly (readonly string[])[]>;
  /** Runs a statement as the owner of the database, without svc. */
  change(sql: string): Promise<void>;
  /** Gives the database a form that this svc does not know. */
  makeNewer(): Promise<void>;
  remove(): Promise<void>;
}

const DAY = 86_400_000;
const at = (days: number) => new Date(Date.parse(CHECK.as_of) + days * DAY).toISOString().replace('.000', '');

/** Tests the behaviour that every local database has, in any kind of database. */
export function databaseContract(subject: string, databaseKind: () => DatabaseKind): void {
  describe(subject, () => {
    const opened: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const close of opened.splice(0).reverse()) await close();
    });
    const begin = async () => {
      const place = await databaseKind().begin();
      opened.push(() => place.remove());
      return place;
    };
    const open = async (place: DatabasePlace, owner: DatabaseOwner = OWNER) => {
      const localDatabase = await place.open(owner);
      let closing: Promise<void> | undefined;
      const close = () => {
        closing ??= localDatabase.close();
        return closing;
      };
      opened.push(close);
      return { ...localDatabase, close };
    };
    const fresh = async () => {
      const place = await begin();
      return { place, localDatabase: await open(place) };
    };

    it('stores the given rows, and reports the differences from the earlier rows', async () => {
      const { localDatabase } = await fresh();
      expect([(await localDatabase.states()).size, await idsIn(localDatabase), await localDatabase.made('things', [1])]).toEqual([
        0,
        [],
        [],
      ]);
      expect(await localDatabase.replace(SHAPE, [record(3), record(1), record(2)], CHECK)).toEqual({ put: 3, gone: 0 });
      expect((await localDatabase.states()).get('things')).toEqual({
        ...CHECK,
        noun: 'things',
        table: 'things',
        rows: 3,
        verified_at: null,
      });
      expect(await idsIn(localDatabase)).toEqual([1, 2, 3]);
      expect(await recordsOf(localDatabase)).toEqual([record(1), record(2), record(3)].map(text));
      const look = { ...CHECK, as_of: at(1), known_by: 'changes' as const };
      const changed = { ...record(2), name: 'changed' };
      // If a record comes twice, the last record counts.
      const twice = [{ ...record(4), name: 'first' }, record(4)];
      const { gone } = await localDatabase.update(SHAPE, stream([record(1), changed, ...twice]), [3, 77], look);
      expect(gone).toBe(1);
      const logged = await Array.fromAsync(localDatabase.changes(0));
      const kindOf = ({ before, after }: Change) => (before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated');
      expect(new Map(logged.map((change) => [change.id, kindOf(change)]))).toEqual(
        new Map([
          [2, 'updated'],
          [4, expect.stringMatching(/created|updated/)],
          [3, 'deleted'],
        ]),
      );
      expect((await localDatabase.states()).get('things')).toMatchObject({ as_of: at(1), whole_at: at(0), known_by: 'changes', rows: 3 });
      expect(await recordsOf(localDatabase)).toEqual([record(1), changed, record(4)].map(text));
      expect(await recordsOf(localDatabase, [4, 9, 1])).toEqual([record(4), record(1)].map(text));
      expect(await localDatabase.replace(SHAPE, [changed], look)).toEqual({ put: 0, gone: 2 });
      expect(await idsIn(localDatabase)).toEqual([2]);
    });

    it('takes a table’s complete time from its oldest page, and removes the ETags of changed pages', async () => {
      const { place, localDatabase } = await fresh();
      const page = (after: number, upto: number, days: number) => ({
        ...{
          after,
          upto,
          first_id: after === BEFORE_ALL ? 1 : after + 1,
          url: `/things?cursor=${after}`,
          next: upto === LAST_OF_ALL ? null : `/things?cursor=${upto}`,
        },
        ...{ etag: `"${after}"`, checked_at: at(days) },
      });
      const state = async () => (await localDatabase.states()).get('things');
      await localDatabase.replace(SHAPE, [record(1), record(2), record(3), record(4)], CHECK);
      expect(await localDatabase.compared('things')).toEqual({ upto: BEFORE_ALL, oldest: undefined });
      await localDatabase.update(SHAPE, [], [], { ...CHECK, pages: [page(BEFORE_ALL, 2, 1)] });
      expect(await localDatabase.compared('things')).toEqual({ upto: 2, oldest: page(BEFORE_ALL, 2, 1) });
      expect(await state()).toMatchObject({ verified_at: null, whole_at: at(0) });
      await localDatabase.update(SHAPE, [], [], { ...CHECK, pages: [page(2, LAST_OF_ALL, 2)] });
      expect(await state()).toMatchObject({ verified_at: at(1), whole_at: at(1) });
      expect(await localDatabase.comparedSince('things', at(1))).toEqual({ upto: LAST_OF_ALL, at: at(1), pages: 2 });
      expect(await localDatabase.comparedSince('things', at(2))).toEqual({ upto: BEFORE_ALL, at: undefined, pages: 0 });
      await localDatabase.update(SHAPE, [{ ...record(4), name: 'changed' }], [1], CHECK);
      expect(await localDatabase.comparedAfter('things', 1)).toMatchObject({ after: BEFORE_ALL, etag: null });
      expect(await localDatabase.comparedAfter('things', 2)).toMatchObject({ after: 2, etag: null });
      // A longer page covers the page after it up to its own end.
      await localDatabase.update(SHAPE, [], [], { ...CHECK, pages: [page(BEFORE_ALL, 3, 3)] });
      expect(await localDatabase.comparedAfter('things', 3)).toEqual({ ...page(2, LAST_OF_ALL, 2), after: 3, etag: null });
      expect(await state()).toMatchObject({ verified_at: at(2), whole_at: at(2) });
      expect(await localDatabase.idsBetween('things', 2, 4, 9)).toEqual([3, 4]);
      await localDatabase.update(SHAPE, [], [], { ...CHECK, verified_at: at(9) });
      await localDatabase.forgetCompared('things');
      await localDatabase.update(SHAPE, [], [], CHECK);
      expect(await state()).toMatchObject({ verified_at: at(9), whole_at: at(9) });
      expect(await place.runQuery('SELECT verified_at FROM svc_tables')).toEqual([[at(9)]]);
    });

    it('finds rows by created_at, including changes that are not written yet', async () => {
      const { localDatabase } = await fresh();
      await localDatabase.replace(SHAPE, [1, 2, 3, 4, 5, 6].map(record), CHECK);
      const made = new Map([
        [2, at(9)],
        [5, at(0)],
        [7, at(3)],
        [8, undefined],
      ]);
      const rows = await localDatabase.madeRows('things', { before: at(6), gone: [1, 77], made });
      const all = { from: undefined, before: at(6) };
      const late = { from: at(3), before: at(6) };
      expect([await rows.count(all), await rows.count(late), await rows.count(late, 3)]).toEqual([4, 3, 2]);
      expect([await rows.madeAt(all, 0), await rows.madeAt(all, 3), await rows.madeAt(all, 4)]).toEqual([at(0), at(4), undefined]);
      expect([await rows.madeAfter(all, at(0)), await rows.madeAfter(all, at(4))]).toEqual([at(3), undefined]);
      expect([await rows.firstMade(all, 3), await rows.lastMade(all, 4), await rows.lastMade(all, 2)]).toEqual([at(0), at(4), undefined]);
      expect(new Set(await rows.held(late, [1, 3, 5, 7]))).toEqual(new Set([3, 7]));
      expect(new Set(await rows.others(all, 3, LAST_OF_ALL, [4], 9))).toEqual(new Set([5, 7]));
      await rows.remove([3, 4]);
      expect(await rows.count(all)).toBe(2);
      await rows.close();
      await (await localDatabase.madeRows('nothing', { before: at(6), gone: [], made: new Map() })).close();
      expect(await idsIn(localDatabase)).toEqual([1, 2, 3, 4, 5, 6]);
    });

    it('finds rows by a column and by updated_at, and reports creation times and the last change', async () => {
      const { localDatabase } = await fresh();
      await localDatabase.replace(
        SHAPE,
        [record(1), record(2), { ...record(3), project_id: 8 }, { id: 4 }, { id: 5, created_at: null }],
        CHECK,
      );
      expect(await localDatabase.idsWhere('things', 'project_id', 6, 7)).toEqual([1, 2]);
      expect(await localDatabase.idsSince('things', at(2))).toEqual([2, 3]);
      const made = (id: number, timestamp: string) => ({ id, made: timestamp });
      expect(await localDatabase.made('things', await idsIn(localDatabase))).toEqual([
        made(1, at(1)),
        made(2, at(2)),
        made(3, at(3)),
        made(4, ''),
        made(5, ''),
      ]);
      expect(await localDatabase.made('things', [3, 4, 9])).toEqual([made(3, at(3)), made(4, '')]);
      expect(await localDatabase.countMade('things', at(3))).toEqual({ before: 2, undated: 2 });
      expect(await localDatabase.countSince('things', at(2))).toBe(2);
      expect(await localDatabase.held('things', [9, 3, 1])).toEqual([1, 3]);
      expect(await localDatabase.lastChange('things')).toEqual({ at: at(3), unknown: 2 });
      expect(await localDatabase.lastChange('nothing')).toEqual({ at: undefined, unknown: 0 });
      expect([await localDatabase.idsSince('nothing', at(2)), await localDatabase.idsWhere('nothing', 'project_id', 6, 7)]).toEqual([
        [],
        [],
      ]);
    });

    it('stores the ids of changed records until svc deletes the ids', async () => {
      const { localDatabase } = await fresh();
      await localDatabase.replace(SHAPE, [record(1), record(2), record(3)], CHECK);
      await localDatabase.touch('things', [3, 7, 3]);
      await localDatabase.touch('things', [7]);
      await localDatabase.touch('others', [1]);
      expect(await localDatabase.touched('things', BEFORE_ALL, 9)).toEqual([3, 7]);
      await localDatabase.touchAll('things');
      await localDatabase.touchAll('nothing');
      expect([await localDatabase.touched('things', 1, 2), await localDatabase.touched('nothing', 0, 2)]).toEqual([[2, 3], []]);
      await localDatabase.forgetTouched('things');
      expect([await localDatabase.touched('things', BEFORE_ALL, 9), await localDatabase.touched('others', BEFORE_ALL, 9)]).toEqual([
        [],
        [1],
      ]);
    });

    it('removes a table with its changes, as if svc had never read the table', async () => {
      const { localDatabase } = await fresh();
      await localDatabase.replace(SHAPE, [record(1)], CHECK);
      await localDatabase.update(SHAPE, [record(2)], [], CHECK);
      await localDatabase.drop('things');
      await localDatabase.drop('nothing');
      expect([(await localDatabase.states()).size, await idsIn(localDatabase)]).toEqual([0, []]);
      expect(await Array.fromAsync(localDatabase.changes(0))).toEqual([]);
      expect(await localDatabase.replace(SHAPE, [record(2)], CHECK)).toEqual({ put: 1, gone: 0 });
      expect(await Array.fromAsync(localDatabase.changes(0))).toEqual([]);
    });

    it('keeps a named text of svc when svc opens the database again', async () => {
      const { place, localDatabase } = await fresh();
      expect(await localDatabase.stored('pages')).toBeUndefined();
      await localDatabase.keep('pages', 'one');
      await localDatabase.keep('pages', '["two \\u0000 ë"]');
      await localDatabase.close();
      const again = await open(place);
      expect(await again.stored('pages')).toBe('["two \\u0000 ë"]');
      await again.keep('pages', undefined);
      expect(await again.stored('pages')).toBeUndefined();
    });

    it('keeps unusual values that a service can send', async () => {
      const { place, localDatabase } = await fresh();
      const deep = `${'['.repeat(3_000)}${']'.repeat(3_000)}`;
      const lines = [
        '{"id":1,"project_id":12345678901234567890,"price":1.10,"tags":[1e400,-0,1.0]}',
        '{"id":2,"name":"a\\u0000b","tags":{"a\\u0000":"\\ud800"},"more":"\\u0000"}',
        '{"id":3,"name":"\\ud800 half","date":"2026-02-30","created_at":"yesterday","updated_at":1}',
        '{"id":4,"name":{"not":"a text"},"project_id":"seven","is_open":"perhaps","tags":"a text","price":"cheap","date":null}',
        '{"id":5,"name":"tab\\t, back\\\\slash \\\\N \\\\. \\"quote\\" \\r\\n new line \\u2028 end","svc_other_fields":1,"__proto__":{"a":1}}',
        `{"id":6,"tags":${deep},"more":${deep}}`,
        `{"id":9007199254740991,"name":"${'ë'.repeat(100_000)}","project_id":-9223372036854775808,"price":"${'9'.repeat(90)}.5"}`,
        '{"id":-8,"created_at":"2026-06-01T12:00:00.123456+14:00","updated_at":"0000-01-01T00:00:00Z","date":"9999-12-31","is_open":false}',
      ];
      const records = lines.map((line) => parseJson(line) as JsonObject);
      await localDatabase.replace(SHAPE, records, CHECK);
      expect(new Set(await recordsOf(localDatabase))).toEqual(new Set(records.map(text)));
      expect(await recordsOf(localDatabase, [1, 2])).toEqual(lines.slice(0, 2));
      expect(await localDatabase.update(SHAPE, records, [], CHECK)).toEqual({ put: 0, gone: 0 });
      expect(await place.runQuery('SELECT count(*) FROM things')).toEqual([['8']]);
      expect(await othersOf(place, 5)).toEqual(JSON.parse('{"svc_other_fields":1,"__proto__":{"a":1}}'));
      expect(await place.runQuery('SELECT name, svc_other_fields FROM things WHERE id = -8')).toEqual([['', expect.any(String)]]);
    });

    it('refuses a record whose id is not an integer, and stays unchanged', async () => {
      const { localDatabase } = await fresh();
      await localDatabase.replace(SHAPE, [{ id: 7, name: 'seven' }], CHECK);
      for (const id of ['"12"', '"0x10"', '1.0', '1e2', '12345678901234567890', 'true', 'null', '[3]']) {
        const records = [{ id: 8, name: 'eight' }, parseJson(`{"id":${id}}`) as JsonObject];
        await expect(localDatabase.update(SHAPE, records, [7], CHECK), id).rejects.toMatchObject({ fault: 'no-ids' });
        await expect(localDatabase.replace(SHAPE, records, CHECK), id).rejects.toMatchObject({ fault: 'no-ids' });
      }
      expect(await idsIn(localDatabase)).toEqual([7]);
    });

    it('creates a column for each field of a record, and changes its type for other values', async () => {
      const { place, localDatabase } = await fresh();
      const expected = new Map([
        ['price_each', { name: 'price_each', type: 'TEXT', holds: 'decimal' } as const],
        ['never', { name: 'never', type: 'INTEGER' } as const],
      ]);
      const shape = { noun: 'things', columns: [{ name: 'id', type: 'INTEGER' as const }], expected };
      const first = [1, 2, 3].map((id) => ({
        ...{ id, color: `red ${id}`, size: id, weight: id, is_new: id === 1, list: [id], empty: null, day: '2026-03-01' },
        ...{ price_each: '1.50', code: '007' },
      }));
      await localDatabase.replace(shape, first, CHECK);
      const select = 'SELECT color, size, weight, empty, code FROM things ORDER BY id';
      expect(await place.runQuery(select)).toEqual([1, 2, 3].map((id) => [`red ${id}`, String(id), String(id), '', '007']));
      expect(await place.runQuery('SELECT svc_other_fields FROM things')).toEqual([[''], [''], ['']]);
      await expect(place.runQuery('SELECT never FROM things')).rejects.toThrow();
      // Later values differ, and one record has one more field.
      const later = { ...first[1], id: 2, size: 'large', weight: 2.5, empty: 9, day: 'Sunday', more: 'seen' };
      expect(await localDatabase.update(shape, [later], [], CHECK)).toEqual({ put: 1, gone: 0 });
      expect(await place.runQuery('SELECT size, weight, empty, day, more FROM things ORDER BY id')).toEqual([
        ['1', '1', '', '2026-03-01', ''],
        ['large', '2.5', '9', 'Sunday', 'seen'],
        ['3', '3', '', '2026-03-01', ''],
      ]);
      expect(await place.runQuery('SELECT sum(weight) > 6 FROM things')).toEqual([[expect.stringMatching(/^(?:1|t)$/)]]);
      expect(await place.runQuery('SELECT svc_other_fields FROM things')).toEqual([[''], [''], ['']]);
      // A spec names one more field, which no record has.
      const named = { ...shape, columns: [...shape.columns, { name: 'named', type: 'INTEGER' as const }] };
      await localDatabase.update(
        named,
        [1, 2, 3].map((id) => ({ id, size: id })),
        [],
        CHECK,
      );
      expect(await place.runQuery('SELECT id, size, named FROM things WHERE id = 2')).toEqual([['2', '2', '']]);
      for (const name of ['color', 'empty', 'more']) await expect(place.runQuery(`SELECT ${name} FROM things`), name).rejects.toThrow();
      // A table that lost its rows keeps its columns.
      await localDatabase.replace(named, [], CHECK);
      expect(await place.runQuery('SELECT count(size), count(named) FROM things')).toEqual([['0', '0']]);
    });

    it('keeps a column that your view uses, and names the column', async () => {
      const { place, localDatabase } = await fresh();
      const shape = { noun: 'things', columns: [{ name: 'id', type: 'INTEGER' as const }] };
      await localDatabase.replace(shape, [{ id: 1, old: 'a', other: 1 }], CHECK);
      await place.change('CREATE VIEW report AS SELECT id, old FROM things');
      await localDatabase.replace(shape, [{ id: 1, fresh: 'b' }], CHECK);
      expect(await place.runQuery('SELECT * FROM report')).toEqual([['1', '']]);
      expect(await place.runQuery('SELECT fresh FROM things')).toEqual([['b']]);
      await expect(place.runQuery('SELECT other FROM things')).rejects.toThrow();
      const { columns } = await localDatabase.heldBack();
      expect(columns).toEqual([{ table: 'things', column: 'old', views: [expect.stringMatching(/report$/)] }]);
      await place.change('DROP VIEW report');
      await localDatabase.update(shape, [], [], CHECK);
      await expect(place.runQuery('SELECT old FROM things')).rejects.toThrow();
      expect((await localDatabase.heldBack()).columns).toEqual([]);
    });

    it('limits the number and the names of columns, and keeps other fields in svc_other_fields', async () => {
      const { place, localDatabase } = await fresh();
      const shape = { noun: 'things', columns: [{ name: 'id', type: 'INTEGER' as const }] };
      const odd = [
        'Name',
        'ID',
        '"; DROP TABLE svc_tables; --',
        'é'.repeat(32),
        'é'.repeat(31),
        'xmin',
        'svc_tables',
        '__proto__',
        '',
        'a\0',
        '\ud800',
      ];
      const fill = Array.from({ length: 380 }, (_, index) => `"filled_${index}":1,`).join('');
      const record = parseJson(`{"id":1,"name":"first",${fill}${odd.map((name) => `${JSON.stringify(name)}:1`).join(',')}}`) as JsonObject;
      await localDatabase.replace(shape, [record], CHECK);
      const own = ['"""; DROP TABLE svc_tables; --"', `"${'é'.repeat(31)}"`];
      expect(await place.runQuery(`SELECT name, ${own.join(', ')} FROM things`)).toEqual([['first', '1', '1']]);
      expect(await othersOf(place, 1)).toMatchObject({ Name: 1, ID: 1, ['é'.repeat(32)]: 1, xmin: 1, svc_tables: 1, '': 1 });
      const many = Array.from({ length: 60 }, (_, id) => ({ id: id + 2, [`field_${id}`]: id, updated_at: at(1) }));
      await localDatabase.update(shape, many, [], CHECK);
      expect(await othersOf(place, 61)).toEqual({ field_59: 59 });
      expect(await place.runQuery('SELECT field_0 FROM things WHERE id = 2')).toEqual([['0']]);
      expect(await localDatabase.idsSince('things', at(1))).toHaveLength(60);
    });

    it('accepts unusual names of resources and fields', async () => {
      const { place, localDatabase } = await fresh();
      const nouns = [
        'a-b',
        'a.b',
        'a_b',
        'things"; DROP TABLE svc_tables; --',
        'svc_mirror',
        'select',
        'things-pkey',
        `${'long-'.repeat(30)}one`,
        `${'long-'.repeat(30)}two`,
        'ünïcödé-€'.repeat(9),
      ];
      const fields = [
        'select',
        'a"b',
        "a'b",
        'xmin',
        'ctid',
        'name',
        'Name',
        'svc_record',
        'x'.repeat(80),
        'x'.repeat(81),
        'é'.repeat(40),
        '',
        'a\0b',
        '$1',
        'a\\b',
        '\ud800',
      ];
      const columns = [
        { name: 'id', type: 'INTEGER' as const },
        ...fields
          .filter((name) => name !== 'Name' && !(name.includes('\0') || name === '\ud800'))
          .map((name) => ({ name, type: 'TEXT' as const })),
      ];
      const stamps = ['created_at', 'updated_at'].map((name) => ({ name, type: 'TEXT' as const, holds: 'moment' as const }));
      const held = { ...Object.fromEntries(fields.map((name) => [name, `of ${name}`])), id: 1 };
      for (const noun of nouns) await localDatabase.replace({ noun, columns: [...columns, ...stamps] }, [held], CHECK);
      const states = await localDatabase.states();
      expect([...states.keys()].toSorted()).toEqual(nouns.toSorted());
      expect(new Set([...states.values()].map(({ table }) => table.toLowerCase())).size).toBe(nouns.length);
      for (const noun of nouns) {
        expect(await localDatabase.update({ noun, columns: [...columns, ...stamps] }, [held], [], CHECK), noun).toEqual({
          put: 0,
          gone: 0,
        });
        expect(await recordsOf(localDatabase, undefined, noun)).toEqual([text(held)]);
        const table = `"${states.get(noun)?.table.replaceAll('"', '""')}"`;
        expect(await place.runQuery(`SELECT "select", "a""b", "$1", "name" FROM ${table}`), noun).toEqual([
          ['of select', 'of a"b', 'of $1', 'of name'],
        ]);
      }
    });

    it('accepts more fields than a table can have columns', async () => {
      const { place, localDatabase } = await fresh();
      const names = Array.from({ length: 1_900 }, (_, index) => `field_${index}`);
      const columns = [...SHAPE.columns, ...names.map((name) => ({ name, type: 'TEXT' as const }))];
      // Each value is too short for storage elsewhere, but all values together are too long for one page.
      const wide = { id: 1, ...Object.fromEntries(names.map((name) => [name, 'x'.repeat(30)])) };
      await localDatabase.replace({ ...SHAPE, columns }, [wide], CHECK);
      expect(await recordsOf(localDatabase)).toEqual([text(wide)]);
      expect(await place.runQuery('SELECT field_0 FROM things')).toEqual([['x'.repeat(30)]]);
    });

    it('shows the old table to readers until the new table is complete, also after a failure', async () => {
      const { place, localDatabase } = await fresh();
      await localDatabase.replace(SHAPE, [record(1), record(2)], CHECK);
      const seen: unknown[] = [];
      async function* failing() {
        for (let id = 1; id <= 3_000; id += 1) yield { ...record(id), name: 'new', text: 'x'.repeat(500) };
        seen.push(await place.runQuery('SELECT name FROM things ORDER BY id'));
        throw new Error('the service went away');
      }
      const before = [await recordsOf(localDatabase), await localDatabase.states(), await localDatabase.log()];
      await expect(localDatabase.replace(SHAPE, failing(), { ...CHECK, as_of: at(1) })).rejects.toThrow('the service went away');
      await expect(localDatabase.update(SHAPE, failing(), [1], { ...CHECK, as_of: at(1) })).rejects.toThrow('the service went away');
      expect(seen).toEqual([
        [['thing 1'], ['thing 2']],
        [['thing 1'], ['thing 2']],
      ]);
      await expect(localDatabase.replace(SHAPE, [record(1), { name: 'no id' }], CHECK)).rejects.toThrow(DatabaseError);
      expect([await recordsOf(localDatabase), await localDatabase.states(), await localDatabase.log()]).toEqual(before);
      await localDatabase.update(SHAPE, [record(3)], [], CHECK);
      expect(await idsIn(localDatabase)).toEqual([1, 2, 3]);
    });

    it('is unchanged after svc was killed during a change', async () => {
      const { place, localDatabase } = await fresh();
      await localDatabase.replace(SHAPE, [record(1), record(2)], CHECK);
      await localDatabase.close();
      const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/half-written.ts'), ...place.words], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      expect(await place.runQuery('SELECT name FROM things ORDER BY id')).toEqual([['thing 1'], ['thing 2']]);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const again = await openSoon(place);
      opened.push(() => again.close());
      expect(await recordsOf(again)).toEqual([record(1), record(2)].map(text));
      expect((await again.states()).get('things')?.as_of).toBe(CHECK.as_of);
    });

    it('refuses another person, another organisation, and an svc that is older than the database', async () => {
      const { place, localDatabase } = await fresh();
      await localDatabase.replace(SHAPE, [record(1)], CHECK);
      await localDatabase.close();
      for (const owner of [
        { ...OWNER, user: 2 },
        { ...OWNER, host: 'beta.example.com' },
      ])
        await expect(place.open(owner)).rejects.toMatchObject({ fault: 'of-another' });
      const again = await open(place, { ...OWNER, user: undefined });
      expect(await idsIn(again)).toEqual([1]);
      await again.close();
      await place.makeNewer();
      await expect(place.open(OWNER)).rejects.toMatchObject({ fault: 'newer', hint: expect.stringContaining('Use the newer svc') });
      expect(await place.runQuery('SELECT id FROM things')).toEqual([['1']]);
    });

    it('logs changes after the first read, and removes changes after 30 days', async () => {
      const { place, localDatabase } = await fresh();
      await localDatabase.replace(SHAPE, [record(1), record(2), record(3)], CHECK);
      const { mirror: word, ...started } = await localDatabase.log();
      expect([word.length > 5, started]).toEqual([true, { last: 0, pruned: 0 }]);
      const changed = { ...record(1), name: 'changed' };
      await localDatabase.update(SHAPE, [changed, record(2), record(4)], [3], { ...CHECK, seen_at: at(1) });
      const changes = await changesOf(localDatabase, 0);
      expect(changes.map(({ position }) => position)).toEqual([1, 2, 3]);
      expect(new Map(changes.map(({ position: _, ...change }) => [change.id, change]))).toEqual(
        new Map([
          [1, { noun: 'things', id: 1, before: text(record(1)), after: text(changed), seen_at: at(1) }],
          [3, { noun: 'things', id: 3, before: text(record(3)), after: undefined, seen_at: at(1) }],
          [4, { noun: 'things', id: 4, before: undefined, after: text(record(4)), seen_at: at(1) }],
        ]),
      );
      expect(await changesOf(localDatabase, 2)).toEqual(changes.slice(2));
      expect([await localDatabase.positionBefore(at(1)), await localDatabase.positionBefore(at(2))]).toEqual([0, 3]);
      // The first replacement has many columns, and the next one frees the first columns.
      await localDatabase.replace(
        SHAPE,
        Array.from({ length: 1_200 }, (_, index) => record(index + 10)),
        { ...CHECK, seen_at: at(2) },
      );
      expect((await changesOf(localDatabase, 3)).map(({ position }) => position)).toEqual(
        Array.from({ length: 1_203 }, (_, index) => index + 4),
      );
      await localDatabase.close();
      const again = await open(place);
      await again.update(SHAPE, [record(9)], [], { ...CHECK, seen_at: at(31.5) });
      expect(await again.log()).toEqual({ mirror: word, last: 1_207, pruned: 3 });
      await expect(changesOf(again, 2)).rejects.toMatchObject({ fault: 'pruned' });
      expect(await changesOf(again, 3)).toHaveLength(1_204);
    });
  });
}

/** Opens a database after a kill. The server may still see the killed process for a moment. */
async function openSoon(place: DatabasePlace): Promise<LocalDatabase> {
  for (;;) {
    const found = await place.open(OWNER).catch((error: Error) => {
      if (!/^Another svc/.test(error.message)) throw error;
      return undefined;
    });
    if (found !== undefined) return found;
  }
}

/** Returns the other fields of a row. */
async function othersOf(place: DatabasePlace, id: number): Promise<unknown> {
  const [[json = ''] = []] = await place.runQuery(`SELECT svc_other_fields FROM things WHERE id = ${id}`);
  return JSON.parse(json);
}

function record(id: number): JsonObject {
  return {
    id,
    name: `thing ${id}`,
    project_id: 7,
    is_open: true,
    tags: ['a', { b: 1 }],
    date: '2026-06-01',
    price: '12.50',
    created_at: at(id),
    updated_at: at(id),
  };
}

function text(record: JsonObject): string {
  return JSON.stringify(record);
}

async function* stream(records: readonly JsonObject[]): AsyncGenerator<JsonObject> {
  yield* records;
}

/** Returns all ids in the table of the tests. */
export function idsIn(localDatabase: Pick<LocalDatabase, 'idsBetween'>): Promise<readonly number[]> {
  return localDatabase.idsBetween('things', BEFORE_ALL, LAST_OF_ALL, 1_000_000);
}

async function recordsOf(localDatabase: LocalDatabase, ids?: readonly number[], noun = 'things'): Promise<string[]> {
  const found: string[] = [];
  for await (const { record } of localDatabase.records(noun, ids)) found.push(record);
  return found;
}

async function changesOf(localDatabase: LocalDatabase, after: number): Promise<Change[]> {
  const found: Change[] = [];
  for await (const change of localDatabase.changes(after)) found.push(change);
  return found;
}
