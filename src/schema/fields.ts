import { isPlainLine } from '../values/hidden-characters.ts';
import { ownEntry } from '../values/json.ts';
import type { ValueKind } from '../values/kind.ts';
import { withoutUndefined } from '../values/without-undefined.ts';
import type { DescribedField } from './described.ts';
import type { Flat, Schemas } from './flatten.ts';
import { kindOf } from './kind-of.ts';
import { isSafeName, plainText, refusedDocument, shown } from './names.ts';

/** A field of an API spec, before svc resolves the resource that the field refers to. */
export interface RawField extends DescribedField {
  /**
   * A text that may name the referenced resource: a word of an extension, a schema name, or a path. Empty if the field refers to nothing.
   */
  readonly hint?: string;
}

/** The kinds whose bounds svc checks. The parsers of other kinds have built-in bounds, or the values have no bounds. */
const BOUNDED: ReadonlySet<ValueKind> = new Set(['integer', 'number', 'duration']);

/** Returns the name that one value of a list would have: `attendee_id` for `attendee_ids`. */
export function singularKey(name: string): string {
  return name.replace(/_ids$/, '_id');
}

/**
 * Converts a property or parameter of an API spec to a field.
 * @throws UsageError for too many fields, or for an enum value that svc does not accept.
 * @param description description of the parameter. Default: the description of the schema.
 */
export function rawField(flat: Flat, schemas: Schemas, name: string, description?: unknown): RawField {
  schemas.countField();
  const summary = plainText(description ?? flat.description ?? flat.title);
  const kind = kindOf(flat, name);
  const items = flat.types.includes('array') ? schemas.flat(flat.items) : undefined;
  const { minimum, maximum } = flat;
  const values = flat.values ?? items?.values;
  const hint = hintOf(flat) ?? items?.name;
  return {
    kind,
    ...withoutUndefined({ summary, nullable: flat.nullable || undefined }),
    ...(values !== undefined && values.length > 0 && { values: values.map((value) => checkedValue(value)) }),
    ...((flat.extensible || items?.extensible) && values !== undefined && { extensible: true }),
    ...withoutUndefined({ writeOnly: flat.writeOnly || undefined, deprecated: flat.deprecated || undefined, hint }),
    ...(items !== undefined && { items: kindOf(items, singularKey(name)) }),
    ...(BOUNDED.has(kind) && withoutUndefined({ minimum, maximum })),
  };
}

/**
 * Reads the members of a request body by name, without read-only members. A PATCH requires no member, even if it shares its schema with a
 * POST.
 * @throws UsageError for too many members, or for a name or value that svc does not accept.
 */
export function bodyFields(
  flat: Flat,
  schemas: Schemas,
  write: NonNullable<DescribedField['write']>,
  method: string,
): Record<string, RawField> {
  return Object.fromEntries(
    [...flat.properties].flatMap(([name, property]) => {
      const inner = schemas.flat(property);
      if (inner.readOnly) return [];
      return [
        [
          checkedName(name),
          { ...rawField(inner, schemas, name), write, ...(method !== 'PATCH' && flat.required.has(name) && { required: true }) },
        ],
      ];
    }),
  );
}

/**
 * Merges the fields of records with the fields of create and update bodies. Fields of records come first, in the order of the document.
 *
 * @param records schemas of the list’s answer and of one record.
 * @throws UsageError for too many fields, or for a name or value that svc does not accept.
 */
export function mergeFields(
  schemas: Schemas,
  records: readonly Flat[],
  create: Readonly<Record<string, RawField>>,
  update: Readonly<Record<string, RawField>>,
): Record<string, RawField> {
  const fields = new Map<string, RawField>();
  for (const record of records)
    for (const [name, property] of record.properties) {
      const flat = schemas.flat(property);
      if (flat.writeOnly) continue;
      const { writeOnly: _, ...field } = rawField(flat, schemas, checkedName(name));
      fields.set(name, { ...field, ...fields.get(name) });
    }
  for (const name of new Set([...Object.keys(create), ...Object.keys(update)])) {
    const shownField = fields.get(name);
    const [made, changed] = [ownEntry(create, name), ownEntry(update, name)];
    const sent = made ?? changed;
    if (sent === undefined) continue;
    const { required: _, writeOnly: __, ...rest } = sent;
    fields.set(name, {
      ...rest,
      ...shownField,
      kind: shownField === undefined ? sent.kind : kindOfBoth(shownField.kind, sent.kind),
      write: made === undefined ? 'update' : changed === undefined ? 'create' : 'both',
      ...(made?.required && { required: true }),
      ...((made?.nullable || changed?.nullable) && { nullable: true }),
      ...factsOfBoth(sent, shownField),
      ...(shownField === undefined && records.length > 0 && { writeOnly: true }),
    });
  }
  return Object.fromEntries(fields);
}

/**
 * Chooses between the kinds of a field in records (`shown`) and in bodies (`sent`). The body’s kind takes precedence, because the body
 * decides how users type a value. If the body’s kind is `string`, `integer` or `json`, a more exact kind in records takes precedence.
 */
export function kindOfBoth(shown: ValueKind, sent: ValueKind): ValueKind {
  if (sent === 'integer' && shown === 'number') return sent;
  if (sent === 'string' || sent === 'json' || sent === 'integer') return shown === 'json' && sent !== 'json' ? sent : shown;
  return sent;
}

/** Merges the allowed values, items and bounds of a field in a body and in records. The facts of the body take precedence. */
function factsOfBoth(sent: RawField, shownField: RawField | undefined): Partial<RawField> {
  const { values, extensible, items, minimum, maximum } = { ...shownField, ...sent };
  return withoutUndefined({ values, extensible, items, minimum, maximum });
}

/** Returns a name if it is safe. @throws UsageError for a name that svc can’t use in its tables, or that contains control characters. */
export function checkedName(name: string): string {
  if (isSafeName(name)) return name;
  throw refusedDocument(
    `The document has a name that svc does not accept: ${shown(name)}.`,
    'svc changed nothing. Check the document before you trust it.',
  );
}

function checkedValue(value: string): string {
  if (value.length <= 500 && isPlainLine(value)) return value;
  throw refusedDocument(
    `The document lists a value that svc does not accept: ${shown(value)}.`,
    'svc changed nothing. Check the document before you trust it.',
  );
}

function hintOf(flat: Flat): string | undefined {
  if (flat.extensions.get('x-ref') === false) return '';
  for (const name of ['x-ref', 'x-references', 'x-resource', 'x-noun']) {
    const said = flat.extensions.get(name);
    if (typeof said === 'string') return said.slice(0, 200);
  }
  // The description may name the resource: “a record of /users”.
  return flat.name ?? /(?:^|\s)\/([a-z][a-z0-9-]*)\b/.exec(flat.description?.slice(0, 500) ?? '')?.[1];
}
