import type { Resource } from '../../catalog/define.ts';
import { reachOf, relationOf } from '../../catalog/rules.ts';
import type { CellKind } from '../../output/cell.ts';
import type { Tone } from '../../output/styles.ts';
import type { Column } from '../../output/writer.ts';
import type { Reference } from '../../records/named-rows.ts';
import { type View, viewOf } from '../../session/print.ts';
import { isJsonObject, type JsonObject, ownEntry, scalarText } from '../../values/json.ts';
import { phaseNamed } from '../../values/statuses.ts';
import { splitNames } from './read-flags.ts';

export interface TableView {
  readonly view: View;
  /** The columns that show names of related records, most important first. */
  readonly references: readonly Reference[];
}

export interface TableChoice {
  /** The columns from `--columns`, which replace the catalog’s choice. `ids` shows ids instead of names. Default: the catalog’s choice. */
  readonly columns?: string | undefined;
  /**
   * The relations from `--include`. Without `columns`, each relation gets a column. Exceptions: a relation of a relation, and a relation
   * that the table already shows.
   */
  readonly include: readonly string[];
  /** The fields that a filter makes equal in every row. The table leaves out their columns. Default: none. */
  readonly same?: ReadonlySet<string>;
  /** The width of the terminal in characters. Undefined for other output, and for a screen reader. */
  readonly width: number | undefined;
  /** The current date in the user’s time zone, `YYYY-MM-DD`, to mark late records. Undefined without a terminal. */
  readonly day?: string | undefined;
}

/** The width, in characters, for which svc chooses columns without a terminal. svc then shortens no text. */
const WIDTH_OF_A_PIPE = 120;

/**
 * Creates the table of a list. `--columns` takes precedence over all other columns. Otherwise the table has the catalog’s columns, further
 * columns that fit, and the relations of `--include`.
 */
export function tableView(
  resource: Resource,
  { columns, include, same = new Set(), width = WIDTH_OF_A_PIPE, day }: TableChoice,
): TableView {
  if (columns === 'ids') return { view: viewOf(resource), references: [] };
  const differing = (name: string) => !same.has(name);
  const shown =
    columns === undefined
      ? chosen(resource, include, width, differing)
      : splitNames(columns).map((name) => typed(resource, named(resource, name)));
  const wider = columns === undefined ? chosen(resource, include, Math.max(width, WIDTH_OF_A_PIPE), differing) : [];
  const unseen = wider.filter(({ column }) => !shown.some((other) => other.column.path === column.path));
  const toned = ({ column }: Shown): Column => {
    const tone = toneFor(column.path, day);
    return tone === undefined ? column : { ...column, tone };
  };
  const view = { ...viewOf(resource), columns: shown.map(toned), unseen: unseen.map(({ column }) => column.header ?? column.path) };
  return {
    view: columns === undefined ? view : { ...view, wanted: view.columns.map(({ path }) => path) },
    references: shown.flatMap(({ reference }) => reference ?? []),
  };
}

interface Shown {
  readonly column: Column;
  readonly reference?: Reference;
}

function chosen(resource: Resource, include: readonly string[], width: number, isWanted: (field: string) => boolean): Shown[] {
  let all = resource.columns.filter(isWanted).map((name) => columnOf(resource, name));
  for (const name of (resource.wide ?? []).filter(isWanted)) {
    const wider = [...all, columnOf(resource, name)];
    const names = wider.filter(({ reference }) => reference?.noun !== undefined).length;
    if (leastWidth(wider) <= width && names <= MOST_NAMES) all = wider;
  }
  const known = new Set(all.map(({ column }) => column.path));
  const requested = include.filter((name) => !name.includes('.') && !known.has(name)).map((name) => typed(resource, name));
  return [...all, ...requested].sort((one, other) => Number(isText(one)) - Number(isText(other)));
}

/**
 * The most columns with names of related records. Each such column costs a rate-limit unit for each page (rule 15.19), or reading a whole
 * list once a day.
 */
export const MOST_NAMES = 3;

/** Makes the column of a field. For a foreign key, the column shows the name of the record. */
function columnOf(resource: Resource, field: string): Shown {
  // A work item without a key (rule 2.11) shows its id.
  if (field === 'issue_key')
    return { ...plain(resource, field), reference: { field: 'id', relation: field, noun: undefined, includes: false } };
  const relation = relationOf(resource, field);
  return relation === undefined ? plain(resource, field) : naming(resource, field, relation);
}

/** Makes the column of a name that the user typed. A relation shows a name; a foreign key shows an id. */
function typed(resource: Resource, name: string): Shown {
  const field = Object.keys(resource.fields).find((key) => relationOf(resource, key) === name);
  return field === undefined ? plain(resource, name) : naming(resource, field, name);
}

/** Returns the field or relation that has a typed heading: `status` → `workflow_status`. Any other name stays as typed. */
function named(resource: Resource, name: string): string {
  if (Object.hasOwn(resource.fields, name)) return name;
  const heading = name.toLowerCase().replaceAll('_', ' ');
  const names = Object.keys(resource.fields).map((field) => relationOf(resource, field) ?? field);
  return names.find((each) => tableHeading(each) === heading) ?? name;
}

function plain(resource: Resource, name: string): Shown {
  const kind = Object.hasOwn(resource.fields, name) ? resource.fields[name]?.kind : undefined;
  return { column: { path: name, header: headerOf(name), ...(kind && { kind }) } };
}

function naming(resource: Resource, field: string, relation: string): Shown {
  const noun = resource.fields[field]?.ref;
  const reference = { field, relation, noun, includes: reachOf(resource, relation) === 'one' };
  return { column: { path: relation, header: headerOf(relation) }, reference };
}

const HEADINGS: Readonly<Record<string, string>> = { minutes: 'duration', workflow_status: 'status', issue_key: 'key' };

/** Returns the heading of a column: `created_at` → `CREATED AT`. */
function headerOf(name: string): string {
  return tableHeading(name).toUpperCase();
}

/** Returns the name of a field as a heading: `created_at` → `created at`, `logged_minutes` → `logged`. */
export function tableHeading(name: string): string {
  return ownEntry(HEADINGS, name) ?? name.replace(/_(?:id|minutes)$/, '').replaceAll('_', ' ');
}

/** The fields with long texts. The table shows their columns last, and gives these columns the remaining width. */
export const LONG_TEXTS: ReadonlySet<string> = new Set(['description', 'note', 'content', 'body']);

function isText({ column }: Shown): boolean {
  return LONG_TEXTS.has(column.path);
}

const GAP = 2;

function leastWidth(columns: readonly Shown[]): number {
  return columns.reduce((sum, { column, reference }) => {
    const values = reference === undefined ? (WIDTHS[column.kind ?? 'string'] ?? TEXT_WIDTH) : NAME_WIDTH;
    return sum + Math.max(values, column.header?.length ?? 0) + GAP;
  }, -GAP);
}

const TEXT_WIDTH = 18;
const NAME_WIDTH = 12;
/** The usual width of values by kind, in characters. */
const WIDTHS: Partial<Record<CellKind, number>> = {
  id: 5,
  integer: 6,
  decimal: 8,
  money: 10,
  percentage: 6,
  duration: 8,
  boolean: 3,
  date: 10,
  'date-time': 16,
  'span-end': 16,
  time: 5,
  enum: 10,
  'work-item': 8,
};

export type ToneOf = (record: JsonObject) => Tone | undefined;

const STATES: ReadonlySet<string> = new Set(['workflow_status', 'status', 'is_done']);

/**
 * Returns the function that colours a cell. Undefined for a field without colours.
 *
 * @param day The current date in the user’s time zone, `YYYY-MM-DD`. Without a date, no record is late.
 */
export function toneFor(field: string, day: string | undefined): ToneOf | undefined {
  if (STATES.has(field)) return (record) => STATE_TONES[stateOf(record, [field]) ?? 'unknown'];
  if (field !== 'due_date' || day === undefined) return undefined;
  return (record) => {
    const { due_date: due } = record;
    if (typeof due !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(due) || due >= day) return undefined;
    const state = stateOf(record, [...STATES]);
    // A record with an unknown status is never late. A draft is never late either.
    return (state === 'open' || state === 'in progress') && record['status'] !== 'draft' ? 'late' : undefined;
  };
}

const STATE_TONES = { done: 'done', 'in progress': 'active', open: undefined, unknown: undefined } as const;

/** Returns the state of a record, from the first of the given fields that shows a state. Undefined if no field shows a state. */
function stateOf(record: JsonObject, fields: readonly string[]): 'done' | 'in progress' | 'open' | undefined {
  for (const field of fields) {
    const value = ownEntry(record, field);
    if (typeof value === 'boolean') return value ? 'done' : 'open';
    const name = isJsonObject(value) ? scalarText(value['name']) : typeof value === 'string' ? value : '';
    // A status that shows only its id has no known state.
    if (name !== '' && !/^#\d+$/.test(name)) return phaseNamed(name) ?? 'open';
  }
  return undefined;
}
