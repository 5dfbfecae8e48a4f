import type { Json, Row } from '../json.ts';
import type { SandboxKnobs } from '../knobs.ts';
import { type FieldSurroundings, keptName, relationName, type ServedField, type ServedResource, type ToMany } from '../resources/define.ts';
import type { World } from '../world.ts';
import type { Includes } from './include.ts';

export type ServedView = 'summary' | 'detail';

type Step = (row: Row, shown: { [field: string]: Json }) => void;

/** Shows rows of one resource in one view with some relations. Made once per request, used for each row. */
export type Renderer = (row: Row) => { readonly [field: string]: Json };

export function renderer(world: World, resource: ServedResource, view: ServedView, includes: Includes): Renderer {
  const { db, knobs, origin } = world;
  const around = { db, origin, knobs };
  const steps: Step[] = [];
  for (const [name, field] of Object.entries(resource.fields)) {
    if (isShown(knobs, name, field, view, includes)) steps.push(shower(name, field, view, around));
    const relation = relationName(name, field);
    const inner = relation === undefined ? undefined : includes[relation];
    if (relation === undefined || inner === undefined || field.to === undefined) continue;
    const table = db.table(field.to);
    const show = renderer(world, resource.other(field.to), 'summary', inner);
    const kept = keptName(name, field);
    steps.push((row, shown) => {
      const id = row[kept];
      const related = typeof id === 'number' ? table.get(id) : undefined;
      shown[relation] = related === undefined ? null : show(related);
    });
  }
  for (const name of world.extraFields.get(resource.name) ?? []) {
    steps.push((row, shown) => {
      if (row[name] !== undefined) shown[name] = row[name];
    });
  }
  for (const [name, many] of Object.entries(resource.many)) {
    const inner = includes[name];
    if (inner === undefined) continue;
    const show = renderer(world, resource.other(many.resource), 'summary', inner);
    steps.push((row, shown) => (shown[name] = relatedRows(world, many, row).map(show)));
  }
  if (hasLinks(resource, view, knobs)) {
    steps.push((row, shown) => (shown['links'] = { self: `${origin}/api/v2${servedPath(resource, row)}` }));
  }
  return (row) => {
    const shown: { [field: string]: Json } = {};
    for (const step of steps) step(row, shown);
    return shown;
  };
}

/** Whether records of this view have `links`. */
export function hasLinks({ linksShown }: ServedResource, view: ServedView, { summary }: SandboxKnobs): boolean {
  return linksShown === undefined || view === 'detail' || summary !== 'documented';
}

/** Whether the view has the field. */
export function isShown(knobs: SandboxKnobs, name: string, field: ServedField, view: ServedView, includes: Includes): boolean {
  if (field.when?.(knobs) === false || field.shown === 'never') return false;
  if (field.shown === 'demand') return includes[name] !== undefined;
  return view === 'detail' || isInSummary(knobs, field);
}

/** Whether the summary view holds the field. */
function isInSummary({ summary, worklogSummaryIds }: SandboxKnobs, { shown, write }: ServedField): boolean {
  if (shown === 'unsure-id' && worklogSummaryIds !== 'as-summary') return worklogSummaryIds === 'always';
  switch (summary) {
    case 'usual':
      return shown !== 'detail';
    case 'documented':
      return shown === undefined || shown === 'always';
    case 'bare':
      return shown === 'always' || (shown === undefined && write === 'required');
    case 'all':
      return true;
  }
}

/** Puts one field into what is shown of a row, unless the row has no such field. */
function shower(name: string, field: ServedField, view: ServedView, around: FieldSurroundings): Step {
  const { compute, compared, written } = field;
  const look = compute ?? written ?? compared;
  const kept = keptName(name, field);
  const value = (row: Row): Json | undefined => (look === undefined ? (row[kept] ?? null) : look(row, around));
  const whenFalse = field.type === 'boolean' && view === 'summary' ? around.knobs.falseInSummary : 'sent';
  return (row, shown) => {
    const found = value(row);
    if (found === undefined || (found === false && whenFalse === 'left-out')) return;
    shown[name] = found === false && whenFalse === 'null' ? null : found;
  };
}

function relatedRows({ db }: World, many: ToMany, row: Row): Row[] {
  const table = db.table(many.resource);
  const rows = 'by' in many ? table.where(many.by, row.id) : idsIn(row[many.ids]).flatMap((id) => table.get(id) ?? []);
  return rows.filter((related) => (related['deleted_at'] ?? null) === null);
}

function idsIn(value: Json | undefined): number[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
}

/** The address of a record relative to the API's base; of a child without an address of its own, under its parent. */
export function servedPath(resource: ServedResource, row: Row): string {
  const [nested] = resource.nested;
  if (resource.topLevel || nested === undefined) return `/${resource.path}/${row.id}`;
  return `/${resource.other(nested.parent).path}/${String(row[nested.by])}/${nested.segment}/${row.id}`;
}
