import type { Field, FieldKind, Filter, FilterOperator, Operation, Resource, Shortcut } from '../catalog/define.ts';
import { ownEntry } from '../values/json.ts';
import { withoutUndefined } from '../values/without-undefined.ts';
import { type DescribedField, type DescribedList, type DescribedOperation, JSON_TYPES } from './described.ts';

// These pure functions combine the fields, filters and operations of an API spec with the catalog.

/** The flags that no field can have, because the flags have another meaning. */
export type Taken = ReadonlySet<string>;

/** The kinds that API specs often describe as plain strings, because OpenAPI has no name for these kinds. */
const PLAIN_TEXTS: ReadonlySet<FieldKind> = new Set(['html', 'markdown', 'money', 'decimal', 'time']);

/** Returns the kind of a field. The catalog’s kind takes precedence if it is more exact than the spec’s kind. */
function kindOf(known: { readonly kind: FieldKind; readonly assumed?: true } | undefined, described: FieldKind): FieldKind {
  if (known === undefined || known.kind === described) return described;
  const isRefined = JSON_TYPES[known.kind] === JSON_TYPES[described] && (described === JSON_TYPES[described] || known.assumed !== true);
  const isPlain = described === 'string' && PLAIN_TEXTS.has(known.kind);
  const isCoordinate = known.kind === 'coordinate' && ['decimal', 'number', 'string'].includes(described);
  return isRefined || isPlain || isCoordinate ? known.kind : described;
}

/** Combines the fields of an API spec with the catalog. The result has the order of the spec. */
export function describeFields(
  described: Readonly<Record<string, DescribedField>>,
  known: Resource['fields'],
  taken: Taken,
): Readonly<Record<string, Field>> {
  const flags = new Set(taken);
  const fields: [string, Field][] = [];
  for (const [name, field] of Object.entries(described)) {
    const before = ownEntry(known, name);
    const read = describeField(field, before);
    const flag = freeFlag(before?.flag ?? flagFor(name), name, flags, read.kind === 'boolean');
    if (read.write !== undefined) for (const word of read.kind === 'boolean' ? [flag, `no-${flag}`] : [flag]) flags.add(word);
    fields.push([name, { ...read, flag }]);
  }
  return Object.fromEntries(fields);
}

const NOTHING_KNOWN: Partial<Field> = {};

/** Combines one field of an API spec with facts of the catalog that the spec does not state. */
function describeField(described: DescribedField, known: Field | undefined): Field {
  const kind = kindOf(known, described.kind);
  const isSame = known !== undefined && kind === known.kind;
  const isReference = kind === 'id' || kind === 'user' || kind === 'work-item';
  const ref = described.ref ?? (isReference ? known?.ref : undefined) ?? (kind === 'user' ? 'users' : undefined);
  // The catalog’s summary takes precedence, because its wording suits help texts.
  const summary = (isSame ? known.summary : undefined) ?? firstSentence(described.summary);
  const { write, required, values, extensible, nullable, items, minimum, maximum, writeOnly } = described;
  const { long, begins, ahead, example, ifNone } = isSame ? known : NOTHING_KNOWN;
  const fills = isSame && (write === 'create' || write === 'both') ? known.default : undefined;
  // A field with a default of svc is not required from the user.
  const isAsked = write !== undefined && write !== 'update' && fills === undefined;
  const isPossible = example !== undefined && (values?.includes(example) ?? true);
  return {
    kind,
    ...withoutUndefined({
      summary,
      write,
      required: isAsked ? required : undefined,
      values,
      extensible,
      nullable,
      items,
      minimum,
      maximum,
    }),
    ...withoutUndefined({ writeOnly, ref, long, default: fills, begins, ahead, example: isPossible ? example : undefined, ifNone }),
  };
}

/** Returns the first sentence of a text without its full stop. */
function firstSentence(text: string | undefined): string | undefined {
  return text?.split(/(?<=[.!?])\s/, 1)[0]?.replace(/\.$/, '');
}

/** Returns the flag for a field name: `dueDate`, `due_date` and `due date` become `due-date`. The flag has no final `-id`. */
function flagFor(name: string): string {
  return wordOf(name).replace(/(?<=.)-id$/, '');
}

function wordOf(name: string): string {
  const word = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return /^[a-z]/.test(word) ? word : `field-${word}`;
}

/**
 * Returns a free flag: the wanted flag, the whole field name, or that name with the prefix `set-`. If no flag is free, adds a number to the
 * last flag.
 */
function freeFlag(wanted: string, name: string, taken: Taken, isSwitch: boolean): string {
  const isFree = (flag: string) => !taken.has(flag) && !(isSwitch && taken.has(`no-${flag}`));
  const choices = [wanted, wordOf(name), `set-${wordOf(name)}`];
  const free = choices.find(isFree);
  if (free !== undefined) return free;
  for (let count = 2; ; count += 1) if (isFree(`set-${wordOf(name)}-${count}`)) return `set-${wordOf(name)}-${count}`;
}

/** Combines the filters of a list in the API spec with the catalog, by field. */
export function describeFilters(list: DescribedList, { filters, fields }: Pick<Resource, 'filters' | 'fields'>): Resource['filters'] {
  return Object.fromEntries(
    Object.entries(list.filters).map(([name, { kind, operators, values }]): [string, Filter] => {
      const known = ownEntry(filters, name);
      const field = ownEntry(fields, name);
      const takesMe = values?.includes('me') === true;
      const person = takesMe && (field?.kind === 'user' || known?.kind === 'user');
      const filter: Filter = {
        kind: person ? 'user' : kindOf(known ?? field, kind),
        // svc passes on an operator that it does not know.
        operators: operators.filter((operator) => operator !== 'eq') as FilterOperator[],
        ...(!operators.includes('eq') && { noEquality: true }),
        ...withoutUndefined({ values: person ? undefined : values, takesMe: known?.takesMe || takesMe || undefined }),
      };
      return [name, filter];
    }),
  );
}

/** Returns the catalog’s shortcuts whose filters all exist in the API spec. */
export function describeShortcuts(shortcuts: readonly Shortcut[], filters: Resource['filters']): readonly Shortcut[] {
  const takes = (field: string, operator: FilterOperator | undefined) => {
    const filter = ownEntry(filters, field);
    return filter !== undefined && (operator === undefined ? filter.noEquality !== true : filter.operators.includes(operator));
  };
  return shortcuts.filter(({ sets }) =>
    sets.every(
      ({ field, operator, orNull }) =>
        takes(field, operator) && (orNull === undefined || takes(field, 'null')) && (typeof orNull !== 'string' || takes(orNull, operator)),
    ),
  );
}

/** Returns an operation with the members of its body and query as fields. */
export function describeOperation(operation: DescribedOperation, known: Resource['fields'], taken: Taken): Operation {
  const { body, query, deprecated: _, ...rest } = operation;
  const fields = body && describeFields(writable(body), known, taken);
  const used = new Set([...taken, ...Object.values(fields ?? {}).flatMap(({ flag = '' }) => [flag, `no-${flag}`])]);
  return {
    ...rest,
    ...(fields && { body: fields }),
    ...(query && { query: describeFields(writable(query), {}, used) }),
  };
}

/** Marks every member of a body as writable, even if records show the member as read-only. */
function writable(fields: Readonly<Record<string, DescribedField>>): Readonly<Record<string, DescribedField>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, write: 'both' as const }]));
}
