import type { Field, FieldKind, Filter, FilterOperator, Operation, Resource, Shortcut } from '../catalog/define.ts';
import { ownEntry } from '../values/json.ts';
import { type DescribedField, type DescribedList, type DescribedOperation, JSON_TYPES } from './described.ts';

// Combines fields, filters and operations of an API spec with those of the catalog. All functions are pure.

/** Flags that no field may have, since they mean something else; `describe.ts` passes in those of the commands. */
export type Taken = ReadonlySet<string>;

/** Kinds that an API spec often gives as plain strings, since OpenAPI has no name for them. */
const PLAIN_TEXTS: ReadonlySet<FieldKind> = new Set(['html', 'markdown', 'money', 'decimal', 'time']);

/** Returns the kind of a field: the catalog’s if it is a more exact form of the same, else the spec’s. */
function kindOf(known: { readonly kind: FieldKind; readonly assumed?: true } | undefined, described: FieldKind): FieldKind {
  if (known === undefined || known.kind === described) return described;
  const isRefined = JSON_TYPES[known.kind] === JSON_TYPES[described] && (described === JSON_TYPES[described] || known.assumed !== true);
  const isPlain = described === 'string' && PLAIN_TEXTS.has(known.kind);
  const isCoordinate = known.kind === 'coordinate' && (described === 'decimal' || described === 'string');
  return isRefined || isPlain || isCoordinate ? known.kind : described;
}

/** Returns fields by name, in the order of the API spec. */
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

/** Combines one field of the API spec with facts of the catalog that the spec leaves open. */
function describeField(described: DescribedField, known: Field | undefined): Field {
  const kind = kindOf(known, described.kind);
  const isSame = known !== undefined && kind === known.kind;
  const isReference = kind === 'id' || kind === 'user' || kind === 'work-item';
  const ref = described.ref ?? (isReference ? known?.ref : undefined) ?? (kind === 'user' ? 'users' : undefined);
  // The catalog’s summary is written for help.
  const summary = (isSame ? known.summary : undefined) ?? firstSentence(described.summary);
  const { write, required, values, extensible, nullable, writeOnly } = described;
  const fills = isSame && (write === 'create' || write === 'both') ? known.default : undefined;
  return {
    kind,
    ...(summary !== undefined && { summary }),
    ...(write !== undefined && { write }),
    // A field with a default of svc is not required from the user.
    ...(required && write !== undefined && write !== 'update' && fills === undefined && { required }),
    ...(values !== undefined && { values }),
    ...(extensible && { extensible }),
    ...(nullable && { nullable }),
    ...(writeOnly && { writeOnly }),
    ...(ref !== undefined && { ref }),
    ...(isSame && known.long && { long: known.long }),
    ...(fills !== undefined && { default: fills }),
    ...(isSame && known.begins !== undefined && { begins: known.begins }),
    ...(isSame && known.example !== undefined && (values?.includes(known.example) ?? true) && { example: known.example }),
    ...(isSame && known.ifNone !== undefined && { ifNone: known.ifNone }),
  };
}

/** Returns the first sentence of a text, without its full stop. */
function firstSentence(text: string | undefined): string | undefined {
  return text?.split(/(?<=[.!?])\s/, 1)[0]?.replace(/\.$/, '');
}

/** Makes a flag of a name: `dueDate`, `due_date` and `due date` → `due-date`. An id gets the name of its record. */
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

/** Returns an unused flag: the wanted one, the whole name, or that name with a prefix. */
function freeFlag(wanted: string, name: string, taken: Taken, isSwitch: boolean): string {
  const isFree = (flag: string) => !taken.has(flag) && !(isSwitch && taken.has(`no-${flag}`));
  const choices = [wanted, wordOf(name), `set-${wordOf(name)}`];
  const free = choices.find(isFree);
  if (free !== undefined) return free;
  for (let count = 2; ; count += 1) if (isFree(`set-${wordOf(name)}-${count}`)) return `set-${wordOf(name)}-${count}`;
}

/** Returns the filters of a list, by field. */
export function describeFilters(list: DescribedList, { filters, fields }: Pick<Resource, 'filters' | 'fields'>): Resource['filters'] {
  return Object.fromEntries(
    Object.entries(list.filters).map(([name, { kind, operators, values }]): [string, Filter] => {
      const known = ownEntry(filters, name);
      const field = ownEntry(fields, name);
      const takesMe = values?.includes('me') === true;
      const person = takesMe && (field?.kind === 'user' || known?.kind === 'user');
      const filter: Filter = {
        kind: person ? 'user' : kindOf(known ?? field, kind),
        // An operator that svc does not know passes as typed.
        operators: operators.filter((operator) => operator !== 'eq') as FilterOperator[],
        ...(!operators.includes('eq') && { noEquality: true }),
        ...(values !== undefined && !person && { values }),
        ...((known?.takesMe || takesMe) && { takesMe: true }),
      };
      return [name, filter];
    }),
  );
}

/** Returns the shortcuts of the catalog whose filters the API spec all has. */
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

/** Makes every member of a body writable, even if records show it as read-only. */
function writable(fields: Readonly<Record<string, DescribedField>>): Readonly<Record<string, DescribedField>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, write: 'both' as const }]));
}
