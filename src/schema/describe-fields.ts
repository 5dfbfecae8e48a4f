import type { Field, FieldKind, Filter, FilterOperator, Operation, Resource, Shortcut } from '../catalog/define.ts';
import { ownEntry } from '../values/own-entry.ts';
import type { DescribedField, DescribedList, DescribedOperation } from './described.ts';

// Fields, filters and operations of a description, with what the catalog knows of them besides: pure.

/** Flags that mean something else wherever a field might have one; `describe.ts` hands in those of the commands. */
export type Taken = ReadonlySet<string>;

/**
 * What goes over the wire for a kind. A kind of the catalog says more than the wire does (`duration` of an integer), and stays where both
 * agree on that; where they do not, the description is right.
 */
const WIRE: Readonly<Record<FieldKind, string>> = {
  id: 'integer',
  user: 'integer',
  'work-item': 'integer',
  integer: 'integer',
  duration: 'integer',
  percentage: 'integer',
  string: 'string',
  html: 'string',
  markdown: 'string',
  time: 'time',
  money: 'money',
  decimal: 'money',
  date: 'date',
  'date-time': 'date-time',
  'span-end': 'date-time',
  coordinate: 'coordinate',
  boolean: 'boolean',
  enum: 'enum',
  json: 'json',
};

/** Kinds that a description often writes as plain texts, since their form has no name in it. */
const PLAIN_TEXTS: ReadonlySet<FieldKind> = new Set(['html', 'markdown', 'money', 'decimal', 'time']);

/** The kind of a field: the catalog's where it says the same more closely, else the description's. */
function kindOf(known: { readonly kind: FieldKind; readonly assumed?: true } | undefined, described: FieldKind): FieldKind {
  if (known === undefined || known.kind === described) return described;
  const isRefined = WIRE[known.kind] === WIRE[described] && (described === WIRE[described] || known.assumed !== true);
  const isPlain = described === 'string' && PLAIN_TEXTS.has(known.kind);
  const isCoordinate = known.kind === 'coordinate' && (described === 'decimal' || described === 'string');
  return isRefined || isPlain || isCoordinate ? known.kind : described;
}

/** Fields by name, in the order of the description. */
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

/** One field: what the description says, and of the catalog what that leaves open. */
function describeField(described: DescribedField, known: Field | undefined): Field {
  const kind = kindOf(known, described.kind);
  const isSame = known !== undefined && kind === known.kind;
  const isReference = kind === 'id' || kind === 'user' || kind === 'work-item';
  const ref = described.ref ?? (isReference ? known?.ref : undefined) ?? (kind === 'user' ? 'users' : undefined);
  // What svc says of a field it knows is written for its help.
  const summary = (isSame ? known.summary : undefined) ?? firstSentence(described.summary);
  const { write, required, values, extensible, nullable, writeOnly } = described;
  const fills = isSame && (write === 'create' || write === 'both') ? known.default : undefined;
  return {
    kind,
    ...(summary !== undefined && { summary }),
    ...(write !== undefined && { write }),
    // What svc fills in needs no asking.
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

/** The first sentence of a description, without its full stop. */
function firstSentence(text: string | undefined): string | undefined {
  return text?.split(/(?<=[.!?])\s/, 1)[0]?.replace(/\.$/, '');
}

/** `dueDate`, `due_date` and `due date` → `due-date`; an id is named by what it is of. */
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

/** A flag that nothing else has: its own, with the whole name, or with a word before it. */
function freeFlag(wanted: string, name: string, taken: Taken, isSwitch: boolean): string {
  const isFree = (flag: string) => !taken.has(flag) && !(isSwitch && taken.has(`no-${flag}`));
  const choices = [wanted, wordOf(name), `set-${wordOf(name)}`];
  const free = choices.find(isFree);
  if (free !== undefined) return free;
  for (let count = 2; ; count += 1) if (isFree(`set-${wordOf(name)}-${count}`)) return `set-${wordOf(name)}-${count}`;
}

/** The filters of a list, by field. */
export function describeFilters(list: DescribedList, { filters, fields }: Pick<Resource, 'filters' | 'fields'>): Resource['filters'] {
  return Object.fromEntries(
    Object.entries(list.filters).map(([name, { kind, operators, values }]): [string, Filter] => {
      const known = ownEntry(filters, name);
      const field = ownEntry(fields, name);
      const takesMe = values?.includes('me') === true;
      const person = takesMe && (field?.kind === 'user' || known?.kind === 'user');
      const filter: Filter = {
        kind: person ? 'user' : kindOf(known ?? field, kind),
        // What svc has no reading of its own for passes as it is typed.
        operators: operators.filter((operator) => operator !== 'eq') as FilterOperator[],
        ...(!operators.includes('eq') && { noEquality: true }),
        ...(values !== undefined && !person && { values }),
        ...((known?.takesMe || takesMe) && { takesMe: true }),
      };
      return [name, filter];
    }),
  );
}

/** Shortcuts of the catalog for which the description has every filter. */
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

/** An operation with the members of its body and query as fields. */
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

/** Members of a body are there to be set, whatever records show of them. */
function writable(fields: Readonly<Record<string, DescribedField>>): Readonly<Record<string, DescribedField>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, write: 'both' as const }]));
}
