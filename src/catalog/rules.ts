import { ownEntry } from '../values/json.ts';
import type { Field, Resource, Verb } from './define.ts';

// Commands, abilities, flags and page sizes of a resource, from its entry.

/** The words of its commands, after `svc`: `worklogs`, `work-items subtasks`. */
export function wordsOf(resource: Pick<Resource, 'noun' | 'parent'>): string {
  return resource.parent === undefined ? resource.noun : `${resource.parent.noun} ${resource.noun}`;
}

/** The name of one of its records in a sentence: `work item`. */
export function thingOf(resource: Pick<Resource, 'singular'>): string {
  return resource.singular.replaceAll('-', ' ');
}

/** Notes for a person before using a verb of a resource; without a verb, all of them. */
export function notesOf(resource: Pick<Resource, 'notes'>, verb?: Verb): string[] {
  return (resource.notes ?? []).flatMap((note) => {
    if (typeof note === 'string') return [note];
    return verb === undefined || note.on.includes(verb) ? [note.text] : [];
  });
}

/** The verbs a resource has. */
export function verbsOf(resource: Pick<Resource, 'verbs'>): readonly Verb[] {
  return resource.verbs ?? ['list', 'get', 'create', 'update', 'delete'];
}

/** The abilities for a method, each enough on its own: `api:write:times` (rules 11.5 to 11.8). */
export function abilitiesFor(resource: Pick<Resource, 'ability'>, method: string): string[] {
  const action = method === 'GET' ? 'read' : method === 'DELETE' ? 'destroy' : 'write';
  return [resource.ability].flat().map((prefix) => `api:${action}:${prefix}`);
}

/** The flag of a field, without dashes: `work_item_id` is set by `--work-item`. */
export function flagOf(name: string, field: Field): string {
  return field.flag ?? name.replace(/_id$/, '').replaceAll('_', '-');
}

/** The fields that an operation can set, by name. */
export function writableFields(resource: Pick<Resource, 'fields'>, operation: 'create' | 'update'): [string, Field][] {
  return Object.entries(resource.fields).filter(([, field]) => isWritable(field, operation));
}

/** Whether an operation can set a field; never one that the record does not have. */
export function isWritable(field: Field | undefined, operation: 'create' | 'update'): boolean {
  return field?.write === 'both' || field?.write === operation;
}

/** Whether one of these fields is a text that the service keeps as HTML. */
export function hasRichText({ fields }: Pick<Resource, 'fields'>, body: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(body).some((name) => Object.hasOwn(fields, name) && fields[name]?.kind === 'html');
}

/** The number of records that an include path leads to; unknown for a path that the catalog does not have. */
export function reachOf(resource: Pick<Resource, 'relations'>, path: string): 'one' | 'many' | 'unknown' {
  // An API spec may name a path of several relations.
  if (resource.relations !== undefined && Object.hasOwn(resource.relations, path)) return resource.relations[path]?.many ? 'many' : 'one';
  const [first = '', ...rest] = path.split('.');
  const relation = resource.relations?.[first];
  if (first === 'tags' || relation?.many) return 'many';
  return relation === undefined || rest.length > 0 ? 'unknown' : 'one';
}

/**
 * The field that shows the record of a foreign key: the relation that adds it, else the field's own name without `_id`. Undefined
 * for a field that refers to nothing.
 */
export function relationOf(resource: Pick<Resource, 'fields' | 'relations'>, field: string): string | undefined {
  if (!Object.hasOwn(resource.fields, field) || resource.fields[field]?.ref === undefined) return undefined;
  const named = Object.entries(resource.relations ?? {}).find(([name, { many, key }]) => !many && (key ?? `${name}_id`) === field);
  return named?.[0] ?? field.replace(/_id$/, '');
}

/** Fields with the name of a record: its key or number before its name. */
export const NAME_FIELDS = ['issue_key', 'number', 'key_prefix', 'name', 'title', 'email', 'file_name'] as const;

/** Whether records of a resource go by anything but an id. */
export function goesByName(resource: Pick<Resource, 'fields' | 'parent'>): boolean {
  return resource.parent === undefined && NAME_FIELDS.some((name) => Object.hasOwn(resource.fields, name));
}

/** Whether its list may take a text to search for, or deleted records. */
export function takes(
  { described, parametersComplete }: Pick<Resource, 'described' | 'parametersComplete'>,
  what: 'search' | 'trashed',
): boolean {
  if (described === undefined || described.open) return parametersComplete !== true;
  return what === 'search' ? described.search : described.trashed.length > 0;
}

/** The most rows a page may have: 100; 25 with a to-many relation, 50 with `tags` (rules 8.3 to 8.5). */
export function maxPerPage(resource: Pick<Resource, 'relations' | 'described'>, include: readonly string[]): number {
  if (include.some((path) => path !== 'tags' && reachOf(resource, path) === 'many')) return 25;
  return include.includes('tags') ? 50 : (resource.described?.maxPerPage ?? 100);
}

/**
 * The permissions that the documentation names for a plain request, by resource and method (rules 11.13, 11.40, 11.41). Some
 * depend on the request (the absences of others, overtime): the service names those.
 */
const NEEDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  worklogs: { GET: 'hours::read' },
  timers: { GET: 'hours::read' },
  checkins: { GET: 'checkins::read' },
  workflows: { POST: 'workflows::create' },
};

/** The permission that a user needs for a request: `hours::read`; undefined where the documentation names none. */
export function permissionFor(noun: string, method: string): string | undefined {
  return ownEntry(ownEntry(NEEDED, noun) ?? {}, method);
}
