import type { Json, Row } from '../json.ts';
import { type Field, type Resource, relationOf, type ToMany } from '../resources/define.ts';
import { resourceNamed } from '../resources/index.ts';
import type { World } from '../world.ts';
import type { Includes } from './include.ts';

export type View = 'summary' | 'detail';

/** Shows rows of one resource in one view with some relations. Made once per request, used for each row. */
export type Renderer = (row: Row) => { readonly [field: string]: Json };

export function renderer(world: World, resource: Resource, view: View, includes: Includes): Renderer {
  const { db, origin } = world;
  const around = { db, origin };
  const steps: ((row: Row, shown: { [field: string]: Json }) => void)[] = [];
  for (const [name, field] of Object.entries(resource.fields)) {
    if (!isShown(name, field, view, includes)) continue;
    const { compute } = field;
    if (compute !== undefined) steps.push((row, shown) => (shown[name] = compute(row, around)));
    else if (isAbsenceDate(world, resource, name)) steps.push((row, shown) => (shown[name] = dateOf(row[name])));
    else steps.push((row, shown) => (shown[name] = row[name] ?? null));

    const relation = relationOf(name, field);
    const inner = relation === undefined ? undefined : includes[relation];
    if (relation === undefined || inner === undefined || field.to === undefined) continue;
    const table = db.table(field.to);
    const show = renderer(world, resourceNamed(field.to), 'summary', inner);
    steps.push((row, shown) => {
      const id = row[name];
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
    const show = renderer(world, resourceNamed(many.resource), 'summary', inner);
    steps.push((row, shown) => (shown[name] = relatedRows(world, many, row).map(show)));
  }
  steps.push((row, shown) => (shown['links'] = { self: `${origin}/api/v2${itemPath(resource, row)}` }));
  return (row) => {
    const shown: { [field: string]: Json } = {};
    for (const step of steps) step(row, shown);
    return shown;
  };
}

function isShown(name: string, field: Field, view: View, includes: Includes): boolean {
  if (field.shown === 'demand') return includes[name] !== undefined;
  return field.shown !== 'detail' || view === 'detail';
}

function isAbsenceDate({ knobs }: World, resource: Resource, name: string): boolean {
  return resource.name === 'absences' && knobs.absenceBounds === 'date' && (name === 'start' || name === 'end');
}

function dateOf(value: Json | undefined): Json {
  return typeof value === 'string' ? value.slice(0, 10) : null;
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
export function itemPath(resource: Resource, row: Row): string {
  const [nested] = resource.nested;
  if (resource.topLevel || nested === undefined) return `/${resource.name}/${row.id}`;
  return `/${nested.parent}/${String(row[nested.by])}/${nested.segment}/${row.id}`;
}
