import type { Resource } from '../catalog/define.ts';
import type { PlannedWrite } from '../journal/plan-file.ts';
import { referredWrite } from '../journal/plan-references.ts';
import { writtenBody } from '../journal/written-values.ts';
import { cellText } from '../output/cell.ts';
import { singularOf } from '../schema/names.ts';
import type { Needs } from '../session/context.ts';
import { pagerCommand } from '../session/paging.ts';
import { type Printing, printRows, toAsync } from '../session/print.ts';
import { type JsonObject, type JsonValue, ownEntry, scalarText } from '../values/json.ts';
import { idValue } from '../values/scalars.ts';
import { namesOf } from './cached-names.ts';

/** One field that a plan changes. A write without fields, such as a delete, has one row without a field. */
export interface ChangeRow {
  readonly number: number;
  readonly action: 'create' | 'update' | 'delete' | 'action';
  readonly resource: string;
  /** The id or the key of the record. Null for a record that the plan creates. */
  readonly id: string | number | null;
  /** The name of the record. Null if svc does not know the name. */
  readonly record: string | null;
  readonly field: string | null;
  /** Null for an empty value. Undefined if the plan does not have the value. */
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly beforeName: string | undefined;
  readonly afterName: string | undefined;
  readonly kind: Resource['fields'][string]['kind'] | undefined;
}

const NAME_LENGTH = 60;

/** Returns the changes of planned writes, field by field, with the names of records beside their ids. */
export async function changeRows(
  { catalog }: Needs<'catalog'>,
  writes: readonly PlannedWrite[],
  find: (noun: string, id: number) => JsonObject | undefined = () => undefined,
): Promise<readonly ChangeRow[]> {
  const nouns = [...new Set(writes.flatMap(({ noun }) => noun ?? []))];
  const resources = new Map(await Promise.all(nouns.map(async (noun) => [noun, await catalog.find(noun)] as const)));
  const nameOf = (noun: string, id: JsonValue | undefined) => {
    const found = /^\d+$/.test(scalarText(id)) ? find(noun, Number(scalarText(id))) : undefined;
    return found && namesOf(found).join(' ').slice(0, NAME_LENGTH);
  };
  return writes.flatMap(({ method, path, body, before = {}, takes = [], noun = '' }, index): ChangeRow[] => {
    /** Returns what a reference means: `the worklog of write 3`. Undefined for any other value. */
    const recordOfWrite = (value: JsonValue | undefined) => {
      const number = referredWrite(value);
      if (number === undefined || !takes.includes(number)) return undefined;
      const of = writes[number - 1]?.noun ?? 'records';
      return `the ${(resources.get(of)?.singular ?? singularOf(of)).replaceAll('-', ' ')} of write ${number}`;
    };
    const [bare = ''] = path.split('?', 1);
    const [at = '', action] = bare.split('/actions/');
    const id = method === 'POST' && action === undefined ? null : (at.split('/').at(-1) ?? null);
    const parent = at
      .split('/')
      .map(recordOfWrite)
      .find((words) => words !== undefined);
    const own = recordOfWrite(id);
    const fields = resources.get(noun)?.fields ?? {};
    const row = {
      number: index + 1,
      action: ACTIONS[action === undefined ? method : 'action'],
      resource: noun,
      id: id === null || own !== undefined ? null : idValue(id),
      record: own ?? (id === null ? parent && `in ${parent}` : nameOf(noun, id)) ?? null,
    };
    const none = { field: null, before: undefined, after: undefined, beforeName: undefined, afterName: undefined, kind: undefined };
    const values = Object.entries((body === undefined ? undefined : writtenBody({ body: Buffer.from(body) })) ?? {});
    if (method === 'DELETE' || values.length === 0) return [{ ...row, ...none }];
    return values.map(([field, after]) => {
      const { ref, kind } = ownEntry(fields, field) ?? {};
      const old = ownEntry(before, field);
      const named = (value: JsonValue | undefined) => {
        const all = Array.isArray(value) ? value.map((each: JsonValue) => recordOfWrite(each) ?? scalarText(each)) : [];
        if (Array.isArray(value) && value.some((each) => recordOfWrite(each) !== undefined)) return all.join(', ');
        return recordOfWrite(value) ?? (ref === undefined ? undefined : nameOf(ref, value));
      };
      return { ...row, field, before: old, after, beforeName: named(old), afterName: named(after), kind };
    });
  });
}

const ACTIONS = { POST: 'create', PATCH: 'update', DELETE: 'delete', action: 'action' } as const;

/** Prints the changes: a table with names in a pager at a terminal, and the values with their names elsewhere. */
export async function printChanges(context: Needs<Printing>, rows: readonly ChangeRow[]): Promise<void> {
  const { isScreen, reader } = await context.presentation();
  const shown = rows.map(reader === 'person' ? shownRow : dataRow);
  const columns = ['resource', 'id', 'record', 'field', 'before', 'after'].map((path) => ({ path }));
  const pager = isScreen ? await pagerCommand(context) : undefined;
  await printRows(context, toAsync([shown]), { ...(reader === 'person' && { columns }), pager });
}

function dataRow({ number, action, resource, id, record, field, before, after, beforeName, afterName }: ChangeRow): JsonObject {
  return {
    ...{ number, action, resource, id, record, field },
    ...(before !== undefined && { before }),
    ...(beforeName !== undefined && { before_name: beforeName }),
    ...(after !== undefined && { after }),
    ...(afterName !== undefined && { after_name: afterName }),
  };
}

/** Returns a row as text for people: `3 Web shop`, `1h30`, `none`. */
export function shownRow(row: ChangeRow): { readonly [Name in 'resource' | 'id' | 'record' | 'field' | 'before' | 'after']: string } {
  const { action, resource, id, record, field, before, after, beforeName, afterName } = row;
  return {
    resource,
    id: scalarText(id),
    record: record ?? '',
    field: field ?? (action === 'delete' ? '(the record)' : ''),
    before: action === 'create' ? '' : shownValue(before, beforeName, row),
    after: action === 'delete' ? 'deleted' : shownValue(after, afterName, row),
  };
}

function shownValue(value: JsonValue | undefined, name: string | undefined, { kind }: ChangeRow): string {
  if (value === undefined) return '';
  const text =
    [value].flat().some((each) => referredWrite(each) !== undefined) && name !== undefined ? '' : cellText(value, kind, (utc) => utc);
  if (text === '' && name !== undefined) return name;
  return text === '' ? 'none' : [text, name].filter((part) => part !== undefined).join(' ');
}

/** Counts the changes by resource and field: `worklogs: 12 changed (project_id 12, minutes 3), 1 deleted.` Empty without changes. */
export function countChanges(rows: readonly ChangeRow[]): string {
  return [...Map.groupBy(rows, ({ resource }) => resource)]
    .map(([resource, own]) => {
      const parts = Object.entries(WORDS).flatMap(([action, word]) => {
        const some = own.filter((row) => row.action === action);
        const records = new Set(some.map(({ number }) => number)).size;
        const fields =
          action === 'update' ? [...Map.groupBy(some, ({ field }) => field)].map(([field, each]) => `${field} ${each.length}`) : [];
        return records === 0 ? [] : [`${records} ${word}${fields.length === 0 ? '' : ` (${fields.join(', ')})`}`];
      });
      return `${resource}: ${parts.join(', ')}.`;
    })
    .join(' ');
}

const WORDS = { update: 'changed', create: 'created', delete: 'deleted', action: 'other' } as const;
