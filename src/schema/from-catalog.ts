import type { Field, Resource } from '../catalog/define.ts';
import { abilitiesFor, METHODS, verbsOf } from '../catalog/rules.ts';
import { ownEntry } from '../values/json.ts';
import { withoutUndefined } from '../values/without-undefined.ts';
import type { DescribedField, DescribedOperation, DescribedResource } from './described.ts';

/** The source of a fact: an organisation’s API spec, the service’s documentation, or an assumption of svc. */
export type Certainty = 'described' | 'documented' | 'assumed';

/** A catalog entry in the form of an API spec. `isAssumed` returns true for a fact that is only an assumption of svc. */
export interface FromCatalog {
  readonly noun: DescribedResource;
  readonly isAssumed: (what: 'path' | 'field' | 'filter' | 'include', name: string) => boolean;
}

/** The verbs in the order of their paths: first the list, then the record. */
const VERBS = ['list', 'create', 'get', 'update', 'delete'] as const;

/** Converts a resource of the built-in catalog to the form of an API spec. */
export function fromCatalog(resource: Resource): FromCatalog {
  const { noun, singular, summary, path, fields, filters, relations = {}, nested = [], itemsOf } = resource;
  const parameter = singular.replaceAll('-', '_');
  const itemPath = itemsOf === undefined ? `${path}/{${parameter}}` : null;
  const operations = VERBS.filter((verb) => verbsOf(resource).includes(verb)).flatMap((verb): DescribedOperation[] => {
    const at = verb === 'list' || verb === 'create' ? path : itemPath;
    if (at === null) return [];
    const body = verb === 'create' || verb === 'update' ? membersOf(fields, verb) : undefined;
    const abilities = abilitiesFor(resource, METHODS[verb]);
    return [{ name: verb, method: METHODS[verb], path: at, abilities, ...withoutUndefined({ body }) }];
  });
  const described: DescribedResource = {
    noun,
    singular,
    summary,
    path: verbsOf(resource).some((verb) => verb === 'list' || verb === 'create') ? path : null,
    itemPath: operations.some((operation) => operation.path === itemPath) ? itemPath : null,
    fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldOf(writableAs(field, resource))])),
    ...(verbsOf(resource).includes('list') && { list: listOf(resource) }),
    includes: Object.fromEntries(Object.entries(relations).map(([name, { many }]) => [name, { ...(many && { many }) }])),
    operations,
    ...(nested.length > 0 && { nested: nested.map((child) => fromCatalog(child).noun) }),
  };
  const isAssumed: FromCatalog['isAssumed'] = (what, name) => {
    if (what === 'path') return resource.pathAssumed === true;
    const table = what === 'field' ? fields : what === 'filter' ? filters : relations;
    return Object.hasOwn(table, name) && table[name]?.assumed === true;
  };
  return { noun: described, isAssumed };
}

function listOf({ filters, counted, defaultSort, fields }: Resource): NonNullable<DescribedResource['list']> {
  return {
    filters: Object.fromEntries(
      Object.entries(filters).map(([name, { kind, operators }]) => {
        const { values, ref } = ownEntry(fields, name) ?? {};
        return [name, { kind, operators: ['eq', ...operators], ...(values && kind === 'enum' && { values }), ...(ref && { ref }) }];
      }),
    ),
    ...(defaultSort !== undefined && { defaultSort }),
    paged: counted,
    search: false,
  };
}

function membersOf(fields: Resource['fields'], verb: 'create' | 'update'): Record<string, DescribedField> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      if (field.write !== verb && field.write !== 'both') return [];
      const { required, ...rest } = fieldOf(field);
      return [[name, { ...rest, write: verb, ...(required && verb === 'create' && { required }) }]];
    }),
  );
}

/**
 * Returns a field. If the resource has no update, only a create can set the field. The service creates some child records under a parent,
 * and changes such records at another path.
 */
function writableAs(field: Field, resource: Resource): Field {
  return field.write === 'both' && !verbsOf(resource).includes('update') ? { ...field, write: 'create' } : field;
}

function fieldOf({ kind, summary, write, required, values, ref }: Field): DescribedField {
  return { kind, ...withoutUndefined({ summary, write, required, values, extensible: values && (true as const), ref }) };
}
