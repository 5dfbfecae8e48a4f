import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Change, Mirror, Whose } from '../../src/mirror/mirror.ts';
import { MirrorError } from '../../src/mirror/mirror-error.ts';
import { type JsonObject, parseJson } from '../../src/values/json.ts';
import { LOOK, SHAPE, WHOSE } from './shapes.ts';

/** A place for mirrors: a kind of database. */
export interface MirrorHouse {
  /** A mirror in a place of its own, which is empty. */
  begin(): Promise<MirrorPlace>;
}

export interface MirrorPlace {
  /** Words for fixtures/half-written.ts. */
  readonly words: readonly [kind: string, place: string];
  open(whose: Whose): Promise<Mirror>;
  /** Asks it by another way than svc's own, beside whoever writes: rows as texts, null as an empty one. */
  ask(sql: string): Promise<readonly (readonly string[])[]>;
  /** Makes it one of a form that this svc does not know. */
  makeNewer(): Promise<void>;
  remove(): Promise<void>;
}

const DAY = 86_400_000;
const at = (days: number) => new Date(Date.parse(LOOK.as_of) + days * DAY).toISOString().replace('.000', '');

/** What every mirror does, whatever database it is in. */
export function mirrorContract(name: string, house: () => MirrorHouse): void {
  describe(`a mirror in ${name}`, () => {
    const opened: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const close of opened.splice(0).reverse()) await close();
    });
    const begin = async () => {
      const place = await house().begin();
      opened.push(() => place.remove());
      return place;
    };
    const open = async (place: MirrorPlace, whose: Whose = WHOSE) => {
      const mirror = await place.open(whose);
      let closing: Promise<void> | undefined;
      const close = () => {
        closing ??= mirror.close();
        return closing;
      };
      opened.push(close);
      return { ...mirror, close };
    };
    const fresh = async () => {
      const place = await begin();
      return { place, mirror: await open(place) };
    };

    it('holds what it was given, and tells what was other than before', async () => {
      const { mirror } = await fresh();
      expect([(await mirror.states()).size, await mirror.ids('things'), await mirror.made('things')]).toEqual([0, [], []]);
      expect(await mirror.replace(SHAPE, [record(3), record(1), record(2)], LOOK)).toEqual({
        put: expect.arrayContaining([1, 2, 3]),
        gone: [],
      });
      expect((await mirror.states()).get('things')).toEqual({ ...LOOK, noun: 'things', table: 'things', rows: 3 });
      expect(await mirror.ids('things')).toEqual([1, 2, 3]);
      expect(await recordsOf(mirror)).toEqual([record(1), record(2), record(3)].map(text));
      const look = { ...LOOK, as_of: at(1), known_by: 'changes' as const };
      const changed = { ...record(2), name: 'changed' };
      // Of one that comes twice, the last counts.
      const twice = [{ ...record(4), name: 'first' }, record(4)];
      const applied = await mirror.update(SHAPE, stream([record(1), changed, ...twice]), [3, 77], look);
      expect({ put: [...new Set(applied.put)].toSorted(), gone: applied.gone }).toEqual({ put: [2, 4], gone: [3] });
      expect((await mirror.states()).get('things')).toMatchObject({ as_of: at(1), whole_at: at(0), known_by: 'changes', rows: 3 });
      expect(await recordsOf(mirror)).toEqual([record(1), changed, record(4)].map(text));
      expect(await recordsOf(mirror, [4, 9, 1])).toEqual([record(4), record(1)].map(text));
      expect(await mirror.replace(SHAPE, [changed], look)).toEqual({ put: [], gone: expect.arrayContaining([1, 4]) });
      expect(await mirror.ids('things')).toEqual([2]);
    });

    it('finds rows by a column and by when they changed, and tells when each was made', async () => {
      const { mirror } = await fresh();
      await mirror.replace(SHAPE, [record(1), record(2), { ...record(3), project_id: 8 }, { id: 4 }, { id: 5, created_at: null }], LOOK);
      expect(await mirror.idsWhere('things', 'project_id', 7)).toEqual([1, 2]);
      expect(await mirror.idsSince('things', at(2))).toEqual([2, 3]);
      const made = (id: number, moment: string) => ({ id, made: moment });
      expect(await mirror.made('things')).toEqual([made(1, at(1)), made(2, at(2)), made(3, at(3)), made(4, ''), made(5, '')]);
      expect(await mirror.lastChange('things')).toEqual({ at: at(3), unknown: 2 });
      expect(await mirror.lastChange('nothing')).toEqual({ at: undefined, unknown: 0 });
      expect([await mirror.idsSince('nothing', at(2)), await mirror.idsWhere('nothing', 'project_id', 7)]).toEqual([[], []]);
    });

    it('takes a table out as if it had never been read', async () => {
      const { mirror } = await fresh();
      await mirror.replace(SHAPE, [record(1)], LOOK);
      await mirror.update(SHAPE, [record(2)], [], LOOK);
      await mirror.drop('things');
      await mirror.drop('nothing');
      expect([(await mirror.states()).size, await mirror.ids('things')]).toEqual([0, []]);
      expect(await Array.fromAsync(mirror.changes(0))).toEqual([]);
      expect(await mirror.replace(SHAPE, [record(2)], LOOK)).toEqual({ put: [2], gone: [] });
      expect(await Array.fromAsync(mirror.changes(0))).toEqual([]);
    });

    it('keeps texts of svc’s own', async () => {
      const { place, mirror } = await fresh();
      expect(await mirror.kept('pages')).toBeUndefined();
      await mirror.keep('pages', 'one');
      await mirror.keep('pages', '["two \\u0000 ë"]');
      await mirror.close();
      const again = await open(place);
      expect(await again.kept('pages')).toBe('["two \\u0000 ë"]');
      await again.keep('pages', undefined);
      expect(await again.kept('pages')).toBeUndefined();
    });

    it('loses nothing of what a service may send', async () => {
      const { place, mirror } = await fresh();
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
      await mirror.replace(SHAPE, records, LOOK);
      expect(new Set(await recordsOf(mirror))).toEqual(new Set(records.map(text)));
      expect(await recordsOf(mirror, [1, 2])).toEqual(lines.slice(0, 2));
      expect(await mirror.update(SHAPE, records, [], LOOK)).toEqual({ put: [], gone: [] });
      expect(await place.ask('SELECT count(*) FROM things')).toEqual([['8']]);
      expect(await othersOf(place, 5)).toEqual(JSON.parse('{"svc_other_fields":1,"__proto__":{"a":1}}'));
      expect(await place.ask('SELECT name, svc_other_fields FROM things WHERE id = -8')).toEqual([['', expect.any(String)]]);
    });

    it('takes no record whose id is no integer, and stays as it was', async () => {
      const { mirror } = await fresh();
      await mirror.replace(SHAPE, [{ id: 7, name: 'seven' }], LOOK);
      for (const id of ['"12"', '"0x10"', '1.0', '1e2', '12345678901234567890', 'true', 'null', '[3]']) {
        const records = [{ id: 8, name: 'eight' }, parseJson(`{"id":${id}}`) as JsonObject];
        await expect(mirror.update(SHAPE, records, [7], LOOK), id).rejects.toMatchObject({ fault: 'no-ids' });
        await expect(mirror.replace(SHAPE, records, LOOK), id).rejects.toMatchObject({ fault: 'no-ids' });
      }
      expect(await mirror.ids('things')).toEqual([7]);
    });

    it('gives rows the columns that appear, and takes back those that go', async () => {
      const { place, mirror } = await fresh();
      const records = [1, 2, 3].map((id) => ({ ...record(id), color: `red ${id}`, size: id }));
      await mirror.replace(SHAPE, records, LOOK);
      expect(await othersOf(place, 2)).toEqual({ color: 'red 2', size: 2 });
      const more = { ...SHAPE, columns: [...SHAPE.columns, { name: 'color', type: 'TEXT' as const }] };
      expect(await mirror.update(more, [], [], LOOK)).toEqual({ put: [], gone: [] });
      expect(await place.ask('SELECT color FROM things ORDER BY id')).toEqual([['red 1'], ['red 2'], ['red 3']]);
      expect(await othersOf(place, 3)).toEqual({ size: 3 });
      // Another type for one, and none for others.
      const other = more.columns.flatMap((column) =>
        column.name === 'name' ? [] : [column.name === 'color' ? { ...column, type: 'INTEGER' as const } : column],
      );
      await mirror.update(
        { ...SHAPE, columns: [...other, { name: 'size', type: 'INTEGER' }] },
        [{ ...record(2), color: 5, size: 6 }],
        [],
        LOOK,
      );
      expect(await place.ask('SELECT color, size, project_id FROM things WHERE id = 2')).toEqual([['5', '6', '7']]);
      expect(await othersOf(place, 1)).toMatchObject({ name: 'thing 1' });
      expect(await recordsOf(mirror, [1, 3])).toEqual([records[0], records[2]].map((each) => text(each ?? {})));
    });

    it('takes any name for a collection and its fields', async () => {
      const { place, mirror } = await fresh();
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
      for (const noun of nouns) await mirror.replace({ noun, columns: [...columns, ...stamps] }, [held], LOOK);
      const states = await mirror.states();
      expect([...states.keys()].toSorted()).toEqual(nouns.toSorted());
      expect(new Set([...states.values()].map(({ table }) => table.toLowerCase())).size).toBe(nouns.length);
      for (const noun of nouns) {
        expect(await mirror.update({ noun, columns: [...columns, ...stamps] }, [held], [], LOOK), noun).toEqual({ put: [], gone: [] });
        expect(await recordsOf(mirror, undefined, noun)).toEqual([text(held)]);
        const table = `"${states.get(noun)?.table.replaceAll('"', '""')}"`;
        expect(await place.ask(`SELECT "select", "a""b", "$1", "name" FROM ${table}`), noun).toEqual([
          ['of select', 'of a"b', 'of $1', 'of name'],
        ]);
      }
    });

    it('takes more fields than a table has columns', async () => {
      const { place, mirror } = await fresh();
      const names = Array.from({ length: 1_900 }, (_, index) => `field_${index}`);
      const columns = [...SHAPE.columns, ...names.map((name) => ({ name, type: 'TEXT' as const }))];
      // Each too short to be kept elsewhere, and all of them too long for one page.
      const wide = { id: 1, ...Object.fromEntries(names.map((name) => [name, 'x'.repeat(30)])) };
      await mirror.replace({ ...SHAPE, columns }, [wide], LOOK);
      expect(await recordsOf(mirror)).toEqual([text(wide)]);
      expect(await place.ask('SELECT field_0 FROM things')).toEqual([['x'.repeat(30)]]);
    });

    it('shows others the old table until the new one is whole, and keeps it where something fails', async () => {
      const { place, mirror } = await fresh();
      await mirror.replace(SHAPE, [record(1), record(2)], LOOK);
      const seen: unknown[] = [];
      async function* failing() {
        for (let id = 1; id <= 3_000; id += 1) yield { ...record(id), name: 'new', text: 'x'.repeat(500) };
        seen.push(await place.ask('SELECT name FROM things ORDER BY id'));
        throw new Error('the service went away');
      }
      const before = [await recordsOf(mirror), await mirror.states(), await mirror.log()];
      await expect(mirror.replace(SHAPE, failing(), { ...LOOK, as_of: at(1) })).rejects.toThrow('the service went away');
      await expect(mirror.update(SHAPE, failing(), [1], { ...LOOK, as_of: at(1) })).rejects.toThrow('the service went away');
      expect(seen).toEqual([
        [['thing 1'], ['thing 2']],
        [['thing 1'], ['thing 2']],
      ]);
      await expect(mirror.replace(SHAPE, [record(1), { name: 'no id' }], LOOK)).rejects.toThrow(MirrorError);
      expect([await recordsOf(mirror), await mirror.states(), await mirror.log()]).toEqual(before);
      await mirror.update(SHAPE, [record(3)], [], LOOK);
      expect(await mirror.ids('things')).toEqual([1, 2, 3]);
    });

    it('is as it was before a change in whose middle svc is killed', async () => {
      const { place, mirror } = await fresh();
      await mirror.replace(SHAPE, [record(1), record(2)], LOOK);
      await mirror.close();
      const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/half-written.ts'), ...place.words], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      expect(await place.ask('SELECT name FROM things ORDER BY id')).toEqual([['thing 1'], ['thing 2']]);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const again = await openSoon(place);
      opened.push(() => again.close());
      expect(await recordsOf(again)).toEqual([record(1), record(2)].map(text));
      expect((await again.states()).get('things')?.as_of).toBe(LOOK.as_of);
    });

    it('is one person’s, of one organisation, and of a form that is known', async () => {
      const { place, mirror } = await fresh();
      await mirror.replace(SHAPE, [record(1)], LOOK);
      await mirror.close();
      for (const whose of [
        { ...WHOSE, user: 2 },
        { ...WHOSE, host: 'beta.example.com' },
      ])
        await expect(place.open(whose)).rejects.toMatchObject({ fault: 'of-another' });
      const again = await open(place, { ...WHOSE, user: undefined });
      expect(await again.ids('things')).toEqual([1]);
      await again.close();
      await place.makeNewer();
      await expect(place.open(WHOSE)).rejects.toMatchObject({ fault: 'newer', hint: expect.stringContaining('Use that one') });
      expect(await place.ask('SELECT id FROM things')).toEqual([['1']]);
    });

    it('logs what changes, but for the first look, and forgets it in the end', async () => {
      const { place, mirror } = await fresh();
      await mirror.replace(SHAPE, [record(1), record(2), record(3)], LOOK);
      const { mirror: word, ...begun } = await mirror.log();
      expect([word.length > 5, begun]).toEqual([true, { last: 0, pruned: 0 }]);
      const changed = { ...record(1), name: 'changed' };
      await mirror.update(SHAPE, [changed, record(2), record(4)], [3], { ...LOOK, seen_at: at(1) });
      const changes = await changesOf(mirror, 0);
      expect(changes.map(({ position }) => position)).toEqual([1, 2, 3]);
      expect(new Map(changes.map(({ position: _, ...change }) => [change.id, change]))).toEqual(
        new Map([
          [1, { noun: 'things', id: 1, before: text(record(1)), after: text(changed), seen_at: at(1) }],
          [3, { noun: 'things', id: 3, before: text(record(3)), after: undefined, seen_at: at(1) }],
          [4, { noun: 'things', id: 4, before: undefined, after: text(record(4)), seen_at: at(1) }],
        ]),
      );
      expect(await changesOf(mirror, 2)).toEqual(changes.slice(2));
      expect([await mirror.positionBefore(at(1)), await mirror.positionBefore(at(2))]).toEqual([0, 3]);
      // Many at once, then what lets the first ones go.
      await mirror.replace(
        SHAPE,
        Array.from({ length: 1_200 }, (_, index) => record(index + 10)),
        { ...LOOK, seen_at: at(2) },
      );
      expect((await changesOf(mirror, 3)).map(({ position }) => position)).toEqual(Array.from({ length: 1_203 }, (_, index) => index + 4));
      await mirror.close();
      const again = await open(place);
      await again.update(SHAPE, [record(9)], [], { ...LOOK, seen_at: at(31.5) });
      expect(await again.log()).toEqual({ mirror: word, last: 1_207, pruned: 3 });
      await expect(changesOf(again, 2)).rejects.toMatchObject({ fault: 'pruned' });
      expect(await changesOf(again, 3)).toHaveLength(1_204);
    });
  });
}

/** One that was just killed may still be seen for a moment, until the server has found out. */
async function openSoon(place: MirrorPlace): Promise<Mirror> {
  for (;;) {
    const found = await place.open(WHOSE).catch((error: Error) => {
      if (!/^Another svc/.test(error.message)) throw error;
      return undefined;
    });
    if (found !== undefined) return found;
  }
}

/** The other fields of a row. */
async function othersOf(place: MirrorPlace, id: number): Promise<unknown> {
  const [[json = ''] = []] = await place.ask(`SELECT svc_other_fields FROM things WHERE id = ${id}`);
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

async function recordsOf(mirror: Mirror, ids?: readonly number[], noun = 'things'): Promise<string[]> {
  const found: string[] = [];
  for await (const { record } of mirror.records(noun, ids)) found.push(record);
  return found;
}

async function changesOf(mirror: Mirror, after: number): Promise<Change[]> {
  const found: Change[] = [];
  for await (const change of mirror.changes(after)) found.push(change);
  return found;
}
