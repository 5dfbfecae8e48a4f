import type { Resource } from '../../catalog/define.ts';
import { relationOf } from '../../catalog/rules.ts';
import { ForbiddenError, NotFoundError, UsageError } from '../../errors.ts';
import { type JsonObject, type JsonValue, jsonObjectIn, parseJson } from '../../values/json.ts';
import type { TableState } from '../local-database.ts';
import { recordTable } from '../sql-values.ts';
import { answerList, type Walks } from './answer-list.ts';
import type { DatabaseSnapshot } from './open-snapshot.ts';
import { notStored } from './select-rows.ts';

export interface LocalAnswer {
  readonly body: JsonValue;
  /** The tables that the answer uses, and the time at which each table was complete, `2026-11-22T14:00:00Z`. */
  readonly from: readonly { readonly noun: string; readonly at: string }[];
}

/** The names of the strings that a sync stores for offline answers. */
export const STORED_NAMES = {
  /**
   * The answer of `GET /` as `{at, body, nouns}`: its time, the answer itself, and the names of the resources. In a database of format
   * version 2 or older, `nouns` is absent.
   */
  discovery: 'answer /',
  /** The reasons why resources have no table, by resource. */
  refused: 'refused tables',
} as const;

export interface AnswererOptions {
  /** The start of each path: `/api/v2`. */
  readonly apiPath: string;
  readonly find: (noun: string) => Promise<Resource | undefined>;
  /** The id of the signed-in user. Undefined if the sync did not store the user. */
  readonly me: number | undefined;
}

export async function answerer(snapshot: DatabaseSnapshot, { apiPath, find, me }: AnswererOptions) {
  const { sql, title, update } = snapshot;
  const walks: Walks = new Map();
  const discovery = jsonObjectIn((await snapshot.stored(STORED_NAMES.discovery)) ?? '');
  const refused = jsonObjectIn((await snapshot.stored(STORED_NAMES.refused)) ?? '');
  const listed = discovery?.['nouns'];
  const fromOf = ({ noun, whole_at: at }: TableState) => ({ noun, at });
  const hasColumn = async (table: string, column: string) => (await snapshot.columns(table)).some(({ name }) => name === column);

  /**
   * Returns the table for a path, and the column that contains the parent’s id.
   *
   * @throws NotFoundError, ForbiddenError or UsageError if the table does not exist.
   */
  async function tableOf(noun: string, child: string | undefined, top: Resource | undefined) {
    const name = child === undefined ? noun : `${noun}.${child}`;
    const own = snapshot.states.get(name);
    if (own !== undefined) return { state: own, key: child === undefined ? undefined : keyOf(own.path) };
    const items = top?.nested?.find((each) => each.noun === child)?.itemsOf;
    const same = child === undefined ? undefined : snapshot.states.get(items ?? child);
    const key = top && `${top.singular.replaceAll('-', '_')}_id`;
    if (same !== undefined && key !== undefined && (await hasColumn(same.table, key))) return { state: same, key };
    if (Array.isArray(listed) && !listed.includes(noun))
      throw new NotFoundError(`/${noun} did not exist, or was not enabled for this organisation, at the last sync.`, {
        hint: 'To list the resources: svc resources',
        details: { status: 404, type: 'endpoint-not-found' },
      });
    const reason = refused?.[name];
    if (typeof reason === 'string')
      throw new ForbiddenError(reason, { hint: `The service refused this at the last sync. To try again: ${update}` });
    throw new UsageError(`The ${title} has no ${name.replace('.', ' ')}.`, {
      hint: `To store the records while you are online: ${update.replace('svc sync', `svc sync ${noun}`)}`,
    });
  }

  /** Returns the id for the last part of a path: an id or a work item key. @throws NotFoundError if the table lacks the record. */
  async function idIn(noun: string, text: string, resource: Resource | undefined): Promise<number> {
    const table = snapshot.states.get(noun)?.table;
    const isKey = resource?.keyed === true && !/^\d+$/.test(text);
    const [row, ...others] = table === undefined ? [] : await rowsNamed(table, isKey ? 'issue_key' : 'id', text);
    if (row !== undefined && others.length === 0) return Number(row.id);
    throw new NotFoundError(`The ${title} has no ${resource?.singular.replaceAll('-', ' ') ?? noun} ${text}.`, {
      hint: `The record may be newer than the last sync, or deleted. To update: ${update}`,
      details: { status: 404, type: 'not-found' },
    });
  }

  async function rowsNamed(table: string, name: 'id' | 'issue_key', text: string): Promise<readonly { readonly id: number }[]> {
    const found = (await snapshot.columns(table)).find((column) => column.name === name);
    if (found === undefined || (name === 'id' && !/^\d{1,15}$/.test(text))) return [];
    const { column, value, bound } = sql.operands(found, name === 'id' ? Number(text) : text);
    return snapshot.all(`SELECT t.id AS id FROM ${sql.table(table)} t WHERE ${column} = ${value}`, bound);
  }

  /** Finds the related table for each name in `include`, and the field that contains the related id. */
  function relationsIn(query: URLSearchParams, resource: Resource | undefined) {
    const names = query.get('include')?.split(',') ?? [];
    return names.map((name) => {
      const [key, field] = Object.entries(resource?.fields ?? {}).find(([each]) => resource && relationOf(resource, each) === name) ?? [];
      const state = snapshot.states.get(field?.ref ?? '');
      if (key === undefined || state === undefined)
        throw notStored(
          `the relation ${name}`,
          'include',
          field?.ref === undefined ? 'Leave out --include.' : `To store the related records: svc sync ${field.ref}`,
        );
      return { name, key, state };
    });
  }

  function checkView(query: URLSearchParams): void {
    if ((query.get('view') ?? 'detail') !== 'detail')
      throw new UsageError(`Not available offline: --view ${query.get('view')}.`, {
        hint: `The ${title} only has the detail view. Leave out --view${title === 'local database' ? ' or --offline' : ''}.`,
      });
  }

  return {
    /** The resources in discovery that have no table. Empty if the database lacks the list of resources. */
    unstored: (Array.isArray(listed) ? listed : []).filter(
      (noun): noun is string => typeof noun === 'string' && !snapshot.states.has(noun),
    ),
    /**
     * Answers a GET request.
     * @param url URL of the request, within the API.
     * @throws NotAvailableOfflineError or UsageError that names the missing table or the unavailable part.
     * @throws NotFoundError for a record that the table lacks.
     * @throws ForbiddenError for a table that the last sync was not allowed to read.
     */
    async answer(url: URL): Promise<LocalAnswer> {
      const path = url.pathname.slice(apiPath.length);
      const query = url.searchParams;
      const [noun = '', item, child, nestedItem, ...deeper] = path.split('/').slice(1).map(decodeURIComponent);
      if (noun === '') {
        const at = discovery?.['at'];
        if (typeof at !== 'string')
          throw new UsageError(`The ${title} does not contain the list of resources.`, { hint: `To update the ${title}: ${update}` });
        return { body: discovery?.['body'] ?? null, from: [{ noun: '/', at }] };
      }
      if (deeper.length > 0) throw notStored(path, 'path');
      if (noun === 'me' && item === undefined) {
        const { state } = await tableOf('users', undefined, undefined);
        if (me === undefined) throw snapshot.unknownUser();
        const id = await idIn('users', String(me), await find('users'));
        return { body: { data: (await readRecords(snapshot, state, [id]))[0] ?? null }, from: [fromOf(state)] };
      }
      const top = await find(noun);
      const resource = child === undefined ? top : top?.nested?.find((each) => each.noun === child);
      const { state, key } = await tableOf(noun, child, top);
      checkView(query);
      const relations = relationsIn(query, resource);
      const from = [...new Set([state, ...relations.map((relation) => relation.state)])].map(fromOf);
      const show = async (ids: readonly number[]) => withRelations(snapshot, await readRecords(snapshot, state, ids), relations);
      const parent = child === undefined ? undefined : await idIn(noun, item ?? '', top);
      const asked = child === undefined ? item : nestedItem;
      if (asked !== undefined) {
        const [record = {}] = await show([await idIn(state.noun, asked, resource)]);
        if (parent !== undefined && record[key ?? ''] !== parent) throw notStored(path, 'path');
        return { body: record, from };
      }
      const address = `${url.origin}${url.pathname}`;
      const only = key === undefined || parent === undefined ? undefined : { key, parent };
      return { body: await answerList({ snapshot, table: state.table, resource, me, child: only, address, query, show }, walks), from };
    },
  };
}

/** Returns records, unchanged from the service, in the order of the given ids. Leaves out ids without a record. */
export async function readRecords(
  { all, sql }: DatabaseSnapshot,
  { table }: Pick<TableState, 'table'>,
  ids: readonly number[],
): Promise<readonly JsonObject[]> {
  const rows = await all<{ readonly id: number; readonly record: string }>(
    `SELECT id, record FROM ${sql.table(recordTable(table))} WHERE id IN (${sql.listedIds})`,
    JSON.stringify(ids),
  );
  const byId = new Map(rows.map(({ id, record }) => [Number(id), record]));
  return ids.flatMap((id) => {
    const record = byId.get(id);
    return record === undefined ? [] : [parseJson(record) as JsonObject];
  });
}

/** Yields all records of a table, unchanged from the service, in id order. */
export async function* readAllRecords({ all, sql }: DatabaseSnapshot, { table }: Pick<TableState, 'table'>): AsyncGenerator<JsonObject> {
  const query = `SELECT id, record FROM ${sql.table(recordTable(table))} WHERE id > ? ORDER BY id LIMIT 5000`;
  let after: number | undefined = Number.MIN_SAFE_INTEGER;
  while (after !== undefined) {
    const rows: readonly { readonly id: number; readonly record: string }[] = await all(query, after);
    for (const { record } of rows) yield parseJson(record) as JsonObject;
    after = rows.at(-1)?.id;
  }
}

/**
 * Adds related records. svc treats a missing record as a record that you can’t see. The relation is then null, as in the service (rule
 * 2.43).
 */
async function withRelations(
  snapshot: DatabaseSnapshot,
  records: readonly JsonObject[],
  relations: readonly { readonly name: string; readonly key: string; readonly state: TableState }[],
): Promise<readonly JsonObject[]> {
  const found = await Promise.all(
    relations.map(async ({ name, key, state }) => {
      const ids = [...new Set(records.flatMap((record) => (typeof record[key] === 'number' ? [record[key]] : [])))];
      const related = await readRecords(snapshot, state, ids);
      return { name, key, byId: new Map(related.map((record) => [record['id'], record])) };
    }),
  );
  return records.map((record) => ({
    ...record,
    ...Object.fromEntries(found.map(({ name, key, byId }) => [name, byId.get(record[key] ?? null) ?? null])),
  }));
}

/** Returns the column with the parent’s id by a path in discovery: `work_item_id` for `/work-items/{work_item}/comments`. */
function keyOf(path: string): string {
  const [, parameter = ''] = /\{([^}]*)\}/.exec(path) ?? [];
  return parameter === '' ? 'parent_id' : `${parameter.replace(/_id$/, '')}_id`;
}
