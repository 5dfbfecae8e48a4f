import type { Resource } from '../../catalog/define.ts';
import { reachOf, relationOf } from '../../catalog/rules.ts';
import type { CellKind } from '../../output/cell.ts';
import type { Column } from '../../output/writer.ts';
import type { Reference } from '../../records/named-rows.ts';
import { type View, viewOf } from '../../session/print.ts';
import { ownEntry } from '../../values/own-entry.ts';
import { splitNames } from './query.ts';
import { toneFor } from './tones.ts';

/** What a table of a resource shows. */
export interface TableView {
  readonly view: View;
  /** Its columns that name other records, the most important first. */
  readonly references: readonly Reference[];
}

export interface TableChoice {
  /** `--columns`: what to show instead of the catalog's choice; `ids` for that with ids as they are. */
  readonly columns?: string | undefined;
  /** `--include`: relations that get a column besides. */
  readonly include: readonly string[];
  /** Columns of the terminal; undefined where the output is none. */
  readonly width: number | undefined;
  /** `YYYY-MM-DD` where the person is, to tell what is late; undefined where nobody looks. */
  readonly day?: string | undefined;
}

/** A table that does not go to a terminal has the columns that it would have on one of this width; nothing of it is cut. */
const WIDTH_OF_A_PIPE = 120;

/**
 * The columns of a table: those of the catalog, as many of the further ones as have room, and what `--include` asks for; or what
 * `--columns` names. One that refers to another record shows what people call that record.
 */
export function tableView(resource: Resource, { columns, include, width = WIDTH_OF_A_PIPE, day }: TableChoice): TableView {
  if (columns === 'ids') return { view: viewOf(resource), references: [] };
  const shown = columns === undefined ? chosen(resource, include, width) : splitNames(columns).map((name) => typed(resource, name));
  const toned = ({ column }: Shown): Column => {
    const tone = toneFor(column.path, day);
    return tone === undefined ? column : { ...column, tone };
  };
  const view = { ...viewOf(resource), columns: shown.map(toned) };
  return {
    view: columns === undefined ? view : { ...view, wanted: view.columns.map(({ path }) => path) },
    references: shown.flatMap(({ reference }) => reference ?? []),
  };
}

/** A column, with the record that it names. */
interface Shown {
  readonly column: Column;
  readonly reference?: Reference;
}

function chosen(resource: Resource, include: readonly string[], width: number): Shown[] {
  const all = resource.columns.map((name) => columnOf(resource, name));
  for (const name of resource.wide ?? []) {
    const column = columnOf(resource, name);
    if (leastWidth([...all, column]) <= width && namesIn([...all, column]) <= MOST_NAMES) all.push(column);
  }
  const known = new Set(all.map(({ column }) => column.path));
  const asked = include.filter((name) => !name.includes('.') && !known.has(name)).map((name) => typed(resource, name));
  return [...all, ...asked].sort((one, other) => Number(isText(one)) - Number(isText(other)));
}

/** Each costs a unit a page (rule 15.19), or a small list of names once a day. */
export const MOST_NAMES = 3;

function namesIn(columns: readonly Shown[]): number {
  return columns.filter(({ reference }) => reference?.noun !== undefined).length;
}

/** The column of a field: of a foreign key, the name of what it refers to. */
function columnOf(resource: Resource, field: string): Shown {
  // Not every work item has a key (rule 2.11); its id stands in.
  if (field === 'issue_key')
    return { ...plain(resource, field), reference: { field: 'id', relation: field, noun: undefined, includes: false } };
  const relation = relationOf(resource, field);
  return relation === undefined ? plain(resource, field) : naming(resource, field, relation);
}

/** The column of what somebody typed: a relation is shown by name, a foreign key as the number that it is. */
function typed(resource: Resource, name: string): Shown {
  const field = Object.keys(resource.fields).find((key) => relationOf(resource, key) === name);
  return field === undefined ? plain(resource, name) : naming(resource, field, name);
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

/** What a heading says in other words than its field. */
const HEADINGS: Readonly<Record<string, string>> = { minutes: 'duration', workflow_status: 'status', issue_key: 'key' };

/** `created_at` → `CREATED AT`. */
function headerOf(name: string): string {
  return tableHeading(name).toUpperCase();
}

/** What a field is called above or beside its values: `created_at` → `created at`, `logged_minutes` → `logged`. */
export function tableHeading(name: string): string {
  return ownEntry(HEADINGS, name) ?? name.replace(/_(?:id|minutes)$/, '').replaceAll('_', ' ');
}

/** Texts of any length, which come last: they get the room that is left. */
export const LONG_TEXTS: ReadonlySet<string> = new Set(['description', 'note', 'content', 'body']);

function isText({ column }: Shown): boolean {
  return LONG_TEXTS.has(column.path);
}

/** Blanks between two columns. */
const GAP = 2;

/** The width from which a table of these columns can be read. */
function leastWidth(columns: readonly Shown[]): number {
  return columns.reduce((sum, { column, reference }) => {
    const values = reference === undefined ? (WIDTHS[column.kind ?? 'string'] ?? TEXT_WIDTH) : NAME_WIDTH;
    return sum + Math.max(values, column.header?.length ?? 0) + GAP;
  }, -GAP);
}

const TEXT_WIDTH = 18;
const NAME_WIDTH = 12;
/** What values of a kind take, about. */
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
