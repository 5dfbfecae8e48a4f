import { ownEntry } from '../values/json.ts';
import type { Field, Resource, Verb } from './define.ts';

export function wordsOf(resource: Pick<Resource, 'noun' | 'parent'>): string {
  return resource.parent === undefined ? resource.noun : `${resource.parent.noun} ${resource.noun}`;
}

export function singularName(resource: Pick<Resource, 'singular'>): string {
  return resource.singular.replaceAll('-', ' ');
}

export function notesOf(resource: Pick<Resource, 'notes'>, verb?: Verb): string[] {
  return (resource.notes ?? []).flatMap((note) => {
    if (typeof note === 'string') return [note];
    return verb === undefined || note.on.includes(verb) ? [note.text] : [];
  });
}

export function verbsOf(resource: Pick<Resource, 'verbs'>): readonly Verb[] {
  return resource.verbs ?? ['list', 'get', 'create', 'update', 'delete'];
}

/** The HTTP method of each verb at the usual path of a resource. */
export const METHODS = { list: 'GET', get: 'GET', create: 'POST', update: 'PATCH', delete: 'DELETE' } as const;

/** Returns the abilities for an HTTP method, such as `api:write:times` (rules 11.5 to 11.8). Each ability is sufficient on its own. */
export function abilitiesFor(resource: Pick<Resource, 'ability'>, method: string): string[] {
  const action = method === 'GET' || method === 'HEAD' ? 'read' : method === 'DELETE' ? 'destroy' : 'write';
  return [resource.ability].flat().map((prefix) => `api:${action}:${prefix}`);
}

export function flagOf(name: string, field: Field): string {
  return field.flag ?? name.replace(/_id$/, '').replaceAll('_', '-');
}

export function writableFields(resource: Pick<Resource, 'fields'>, operation: 'create' | 'update'): [string, Field][] {
  return Object.entries(resource.fields).filter(([, field]) => isWritable(field, operation));
}

export function isWritable(field: Field | undefined, operation: 'create' | 'update'): boolean {
  return field?.write === 'both' || field?.write === operation;
}

export function hasRichText({ fields }: Pick<Resource, 'fields'>, body: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(body).some((name) => Object.hasOwn(fields, name) && fields[name]?.kind === 'html');
}

/**
 * Returns how many records an `include` path leads to: one or many. Returns `unknown` for an unlisted relation, and for an unlisted path
 * that begins with a to-one relation.
 */
export function reachOf(resource: Pick<Resource, 'relations'>, path: string): 'one' | 'many' | 'unknown' {
  // An API spec can name a whole path of relations.
  if (resource.relations !== undefined && Object.hasOwn(resource.relations, path)) return resource.relations[path]?.many ? 'many' : 'one';
  const [first = '', ...rest] = path.split('.');
  const relation = resource.relations?.[first];
  if (first === 'tags' || relation?.many) return 'many';
  return relation === undefined || rest.length > 0 ? 'unknown' : 'one';
}

/** Returns the relation with this key, or the field’s own name without `_id`. Undefined for a field that refers to no record. */
export function relationOf(resource: Pick<Resource, 'fields' | 'relations'>, field: string): string | undefined {
  if (!Object.hasOwn(resource.fields, field) || resource.fields[field]?.ref === undefined) return undefined;
  const named = Object.entries(resource.relations ?? {}).find(([name, { many, key }]) => !many && (key ?? `${name}_id`) === field);
  return named?.[0] ?? field.replace(/_id$/, '');
}

/** The fields that can name a record, by precedence: a key or number before a name. */
export const NAME_FIELDS = ['issue_key', 'number', 'key_prefix', 'name', 'title', 'email', 'file_name'] as const;

export function isNameable(resource: Pick<Resource, 'fields' | 'parent'>): boolean {
  return resource.parent === undefined && NAME_FIELDS.some((name) => Object.hasOwn(resource.fields, name));
}

export function takes(
  { described, parametersComplete }: Pick<Resource, 'described' | 'parametersComplete'>,
  what: 'search' | 'trashed',
): boolean {
  if (described === undefined || described.open) return parametersComplete !== true;
  return what === 'search' ? described.search : described.trashed.length > 0;
}

/**
 * Returns the most rows on a page: 25 with a to-many relation, 50 with `tags` (rules 8.3 to 8.5). Otherwise returns the API spec’s limit,
 * or 100.
 */
export function maxPerPage(resource: Pick<Resource, 'relations' | 'described'>, include: readonly string[]): number {
  if (include.some((path) => path !== 'tags' && reachOf(resource, path) === 'many')) return 25;
  return include.includes('tags') ? 50 : (resource.described?.maxPerPage ?? 100);
}

/**
 * The documented permissions for plain requests (rules 11.13, 11.40, 11.41). A refusal of the service names the permissions that depend on
 * the request.
 */
const NEEDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  worklogs: { GET: 'hours::read' },
  timers: { GET: 'hours::read' },
  checkins: { GET: 'checkins::read' },
  workflows: { POST: 'workflows::create' },
};

/** Returns the permission that a request needs, such as `hours::read`. Returns undefined if the documentation names no permission. */
export function permissionFor(noun: string, method: string): string | undefined {
  return ownEntry(ownEntry(NEEDED, noun) ?? {}, method);
}
