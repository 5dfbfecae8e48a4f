import type { Database } from '../db.ts';
import type { Interpretations } from '../interpretations.ts';
import type { Json, Row } from '../json.ts';
import {
  type FieldSurroundings,
  relationName,
  type ServedField,
  type ServedResource,
  storedName,
  type ToMany,
  toOneNames,
} from '../resources/define.ts';
import type { SandboxState } from '../sandbox-state.ts';
import { refusal, takesInclude } from './filter.ts';

interface IncludedRelation {
  readonly many: boolean;
  readonly resource?: ServedResource;
}

export const MOST_ROWS = 100;

/** Returns the highest number of rows on a page that includes this to-many relation (rules 8.4, 8.5). */
export function rowsWith(path: string): number {
  return path === 'tags' ? 50 : 25;
}

export interface Includes {
  [relation: string]: Includes;
}

export function relation(resource: ServedResource, name: string): IncludedRelation | undefined {
  // A name can be any text, such as `__proto__` or `constructor`.
  const many = Object.hasOwn(resource.many, name) ? resource.many[name] : undefined;
  if (many !== undefined) return { many: true, resource: resource.other(many.resource) };
  if (Object.hasOwn(resource.fields, name) && resource.fields[name]?.shown === 'demand') return { many: false };
  for (const [fieldName, field] of Object.entries(resource.fields)) {
    if (relationName(fieldName, field) === name && field.to !== undefined) return { many: false, resource: resource.other(field.to) };
  }
  return undefined;
}

export function includeNames(resource: ServedResource, interpretations: Interpretations): string[] {
  return [...toOneNames(resource), ...Object.keys(resource.many)].filter((name) => takesInclude(interpretations, resource, name));
}

/**
 * Follows a path such as `work_item.project`. The path is to-many if any step is to-many. Returns undefined if a step is unknown or
 * refused.
 */
function follow(resource: ServedResource, path: string, interpretations: Interpretations): { many: boolean } | undefined {
  let at: ServedResource | undefined = resource;
  let many = false;
  for (const step of path.split('.')) {
    const next: IncludedRelation | undefined =
      at === undefined || !takesInclude(interpretations, at, step) ? undefined : relation(at, step);
    if (next === undefined) return undefined;
    many ||= next.many;
    at = next.resource;
  }
  return { many };
}

/**
 * Returns the rate-limit units of an `include` parameter. A to-one path costs 1, a to-many path 3, and an unknown path 0. Repeated paths
 * count again.
 */
export function includeCost(resource: ServedResource, query: URLSearchParams, interpretations: Interpretations): number {
  const paths = query.get('include')?.split(',') ?? [];
  return paths.reduce((units, path) => {
    const known = follow(resource, path, interpretations);
    return units + (known === undefined ? 0 : known.many ? 3 : 1);
  }, 0);
}

export function parseInclude(
  resource: ServedResource,
  query: URLSearchParams,
  interpretations: Interpretations,
): { includes: Includes; maxPerPage: number } {
  const text = query.get('include');
  const tree: Includes = {};
  let maxPerPage = MOST_ROWS;
  if (text === null) return { includes: tree, maxPerPage };
  for (const path of text.split(',')) {
    const known = follow(resource, path, interpretations);
    if (known === undefined) {
      const names = includeNames(resource, interpretations).join(', ') || 'nothing';
      throw refusal(interpretations, 'value', 'include', `include takes ${names} here, not ${path}.`);
    }
    if (known.many) maxPerPage = Math.min(maxPerPage, rowsWith(path));
    let at = tree;
    for (const step of path.split('.')) {
      const next = at[step] ?? {};
      at[step] = next;
      at = next;
    }
  }
  return { includes: tree, maxPerPage };
}

export type ServedView = 'summary' | 'detail';

type Step = (row: Row, shown: { [field: string]: Json }) => void;

type Renderer = (row: Row) => { readonly [field: string]: Json };

export function renderer(sandboxState: SandboxState, resource: ServedResource, view: ServedView, includes: Includes): Renderer {
  const { db, interpretations, origin } = sandboxState;
  const around = { db, origin, interpretations };
  const original = sandboxState.read?.original;
  const steps: Step[] = [];
  for (const [name, field] of Object.entries(resource.fields)) {
    if (isShown(interpretations, name, field, view, includes))
      steps.push(shower(name, field, view, around, original && { db: original, table: original.table(resource.name) }));
    const relation = relationName(name, field);
    const inner = relation === undefined ? undefined : includes[relation];
    if (relation === undefined || inner === undefined || field.to === undefined) continue;
    const table = db.table(field.to);
    const show = renderer(sandboxState, resource.other(field.to), 'summary', inner);
    const storedAs = storedName(name, field);
    steps.push((row, shown) => {
      const id = row[storedAs];
      const related = typeof id === 'number' ? table.get(id) : undefined;
      shown[relation] = related === undefined ? null : show(related);
    });
  }
  for (const name of sandboxState.extraFields.get(resource.name) ?? []) {
    steps.push((row, shown) => {
      if (row[name] !== undefined && !Object.hasOwn(shown, name)) shown[name] = row[name];
    });
  }
  for (const [name, many] of Object.entries(resource.many)) {
    const inner = includes[name];
    if (inner === undefined) continue;
    const show = renderer(sandboxState, resource.other(many.resource), 'summary', inner);
    steps.push((row, shown) => (shown[name] = relatedRows(sandboxState, many, row).map(show)));
  }
  if (hasLinks(resource, view, interpretations)) {
    steps.push((row, shown) => (shown['links'] = { self: `${origin}/api/v2${servedPath(resource, row)}` }));
  }
  return (row) => {
    const shown: { [field: string]: Json } = {};
    for (const step of steps) step(row, shown);
    return shown;
  };
}

export function hasLinks({ linksShown }: ServedResource, view: ServedView, { summary }: Interpretations): boolean {
  return linksShown === undefined || view === 'detail' || summary !== 'documented';
}

export function isShown(interpretations: Interpretations, name: string, field: ServedField, view: ServedView, includes: Includes): boolean {
  if (field.when?.(interpretations) === false || field.shown === 'never') return false;
  if (field.shown === 'demand') return includes[name] !== undefined;
  return view === 'detail' || isInSummary(interpretations, field);
}

function isInSummary({ summary, worklogSummaryIds }: Interpretations, { shown, write }: ServedField): boolean {
  if (shown === 'unsure-id' && worklogSummaryIds !== 'as-summary') return worklogSummaryIds === 'always';
  const ways = {
    usual: shown !== 'detail',
    documented: shown === undefined || shown === 'always',
    bare: shown === 'always' || (shown === undefined && write === 'required'),
    all: true,
  };
  return ways[summary];
}

type Original = { readonly db: Database; readonly table: ReturnType<Database['table']> } | undefined;

function shower(name: string, field: ServedField, view: ServedView, around: FieldSurroundings, original: Original): Step {
  const { compute, compared, written } = field;
  const calculate = compute ?? written ?? compared;
  const storedAs = storedName(name, field);
  const present = (row: Row): Json | undefined => (calculate === undefined ? (row[storedAs] ?? null) : calculate(row, around));
  const value = (row: Row): Json | undefined => {
    const sent = field.shown === 'demand' ? undefined : original?.table.get(row.id);
    if (original === undefined || sent === undefined) return present(row);
    if (compute === undefined) return row[storedAs] === sent[storedAs] ? sent[storedAs] : present(row);
    return changedBy(sent[name], present(row), compute(sent, { ...around, db: original.db }), around.origin);
  };
  const whenFalse = field.type === 'boolean' && view === 'summary' ? around.interpretations.falseInSummary : 'sent';
  return (row, shown) => {
    const found = value(row);
    if (found === undefined || (found === false && whenFalse === 'left-out')) return;
    shown[name] = found === false && whenFalse === 'null' ? null : found;
  };
}

/**
 * Returns a computed value of a record that came from an organisation. The value of the service can count rows that the sandbox does not
 * have. The sandbox therefore adds only the difference between its own values now and at the start. An address in the result is an address
 * of the sandbox. An absent field stays absent, and null stays null.
 */
function changedBy(sent: Json | undefined, now: Json | undefined, start: Json | undefined, origin: string): Json | undefined {
  if (sent === undefined || sent === null) return sent;
  if (typeof now === 'string' && now.startsWith(origin)) return now;
  if (now === start) return sent;
  const value = Number(sent) + Number(now) - Number(start);
  return typeof sent === 'number' ? value : value.toFixed(2);
}

function relatedRows({ db }: SandboxState, many: ToMany, row: Row): Row[] {
  const table = db.table(many.resource);
  const rows = 'by' in many ? table.where(many.by, row.id) : idsIn(row[many.ids]).flatMap((id) => table.get(id) ?? []);
  return rows.filter((related) => (related['deleted_at'] ?? null) === null);
}

function idsIn(value: Json | undefined): number[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
}

export function servedPath(resource: ServedResource, row: Row): string {
  const [nested] = resource.nested;
  if (resource.topLevel || nested === undefined) return `/${resource.path}/${row.id}`;
  return `/${resource.other(nested.parent).path}/${String(row[nested.by])}/${nested.segment}/${row.id}`;
}
