import { ownEntry } from '../values/json.ts';
import type { ValueKind } from '../values/kind.ts';
import { withoutUndefined } from '../values/without-undefined.ts';
import type { RawDescribedOperation, RawResource } from './create-resource.ts';
import type { DescribedField, DescribedList, DescribedOperation, DescribedResource } from './described.ts';
import { kindOfBoth, type RawField, singularKey } from './fields.ts';
import { kebab } from './names.ts';

/** Resolves the references of fields, filters and relations to resources of the same document. */
export function linkResources(nouns: readonly RawResource[]): DescribedResource[] {
  const known = new Map<string, string>();
  const keep = (word: string, noun: string) => void (known.has(word) || known.set(word, noun));
  for (const { noun } of nouns) known.set(noun, noun);
  for (const { noun, singular } of nouns) keep(singular, noun);
  for (const { noun, schema } of nouns) if (schema !== undefined) keep(kebab(schema).replace(FORMS, ''), noun);
  return nouns.map(link);

  function link({ fields, list, includes, operations, nested, ...rest }: RawResource): DescribedResource {
    const linked = linkFields(fields, fields);
    return {
      ...rest,
      fields: linked,
      ...(list !== undefined && { list: { ...list, filters: linkFilters(list.filters, linked) } }),
      ...(includes !== undefined && {
        includes: mapValues(includes, ({ hint, ...include }) => ({ ...include, ...withoutUndefined({ ref: resourceFor(hint) }) })),
      }),
      operations: operations.map((operation) => linkOperation(operation, fields)),
      ...(nested !== undefined && { nested: nested.map(link) }),
    };
  }

  function linkFields(
    fields: Readonly<Record<string, RawField>>,
    siblings: Readonly<Record<string, RawField>>,
  ): Record<string, DescribedField> {
    return mapValues(fields, (field, name) => {
      const { hint: _, ...rest } = field;
      const ref = refOf(name, field, siblings);
      if (ref === undefined) return rest;
      const { kind, items } = rest;
      return { ...rest, kind: kindFor(kind, ref), ...(items !== undefined && { items: kindFor(items, ref) }), ref };
    });
  }

  function linkOperation(
    { body, query, ...rest }: RawDescribedOperation,
    siblings: Readonly<Record<string, RawField>>,
  ): DescribedOperation {
    return {
      ...rest,
      ...(body !== undefined && {
        body: linkFields(
          mapValues(body, (member, name) => asShown(member, ownEntry(siblings, name))),
          { ...siblings, ...body },
        ),
      }),
      ...(query !== undefined && { query: linkFields(query, siblings) }),
    };
  }

  function linkFilters(
    filters: NonNullable<RawResource['list']>['filters'],
    fields: Readonly<Record<string, DescribedField>>,
  ): DescribedList['filters'] {
    return mapValues(filters, ({ hint, ...filter }, name) => {
      const field = ownEntry(fields, name);
      const ref = hint === '' ? undefined : (resourceFor(hint) ?? field?.ref ?? (filter.kind === 'id' ? resourceOfKey(name) : undefined));
      const own = filter.kind === 'string' && field !== undefined && !UNLIKE.has(field.kind) ? field.kind : filter.kind;
      const values = filter.values ?? (own === 'enum' ? field?.values : undefined);
      return { ...filter, kind: kindFor(own, ref), ...withoutUndefined({ ref, values }) };
    });
  }

  function refOf(name: string, { kind, items, hint }: RawField, siblings: Readonly<Record<string, RawField>>): string | undefined {
    const documented = resourceFor(hint);
    if (documented !== undefined) return documented;
    if ((kind !== 'id' && items !== 'id') || name === 'id' || hint === '') return undefined;
    // By rule 2.2, a key and its relation are fields of the same record.
    const relation = name.replace(/_ids?$/, '');
    const related = [relation, `${relation}s`].map((other) => resourceFor(ownEntry(siblings, other)?.hint));
    return related.find((noun) => noun !== undefined) ?? resourceOfKey(singularKey(name));
  }

  /** Finds the resource for a key. `from_work_item_id` refers to a work item, unless a resource has the name `from-work-items`. */
  function resourceOfKey(name: string): string | undefined {
    if (!/_id$/.test(name)) return undefined;
    const words = kebab(name.replace(/_id$/, '')).split('-');
    return words.map((_, at) => known.get(words.slice(at).join('-'))).find((noun) => noun !== undefined);
  }

  function resourceFor(hint: string | undefined): string | undefined {
    if (hint === undefined) return undefined;
    const word = kebab(hint);
    return known.get(word) ?? known.get(word.replace(FORMS, ''));
  }
}

/** Gives a member of a body the kind of the same field in records, if that kind is more exact. */
function asShown(member: RawField, field: RawField | undefined): RawField {
  return field === undefined ? member : { ...member, kind: kindOfBoth(field.kind, member.kind) };
}

/** Matches the endings of schema names. One record can have several schemas with different endings. */
const FORMS = /-(?:summary|detail|details|detailed|resource|record|read|ref|reference|embedded|response|output|item)$/;

/** The kinds that a string filter does not take from its field. */
const UNLIKE: ReadonlySet<ValueKind> = new Set(['json', 'html', 'markdown']);

/** Returns the kind for a reference. Users and work items have separate kinds. */
function kindFor(kind: ValueKind, ref: string | undefined): ValueKind {
  if (kind !== 'id' && (kind !== 'integer' || ref === undefined)) return kind;
  return ref === 'users' ? 'user' : ref === 'work-items' ? 'work-item' : 'id';
}

function mapValues<From, To>(table: Readonly<Record<string, From>>, change: (value: From, name: string) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, change(value, name)]));
}
