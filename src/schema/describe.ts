import type { Described, Field, Operation, Relation, Resource, ResourceExample, Shortcut, Verb } from '../catalog/define.ts';
import { flagOf, METHODS, NAME_FIELDS } from '../catalog/rules.ts';
import { ownEntry } from '../values/json.ts';
import { withoutUndefined } from '../values/without-undefined.ts';
import { describeFields, describeFilters, describeOperation, describeShortcuts, type Taken } from './describe-fields.ts';
import type { DescribedResource } from './described.ts';
import { collectionOf } from './names.ts';

/** The facts about the organisation and its catalog that {@link describe} needs in addition to a resource. */
export interface Describing {
  /** True if only discovery lists the resource. Its fields are then unknown, so svc accepts any field name. */
  readonly open?: true;
  /** The host of the API spec for messages, such as `acme.example.com`. */
  readonly host: string;
  /** The flags that have another meaning in all commands or all writes. */
  readonly taken: Taken;
  /** Returns true if the API spec has a top-level resource. */
  readonly has: (noun: string) => boolean;
}

/**
 * Combines the catalog entry of a resource with an organisation’s API spec. The spec takes precedence, so svc offers no field, filter or
 * operation that the spec lacks. The catalog adds facts that the spec does not state, such as that an integer is a duration. Has no side
 * effects.
 *
 * @param known catalog entry. Undefined for a resource that is only in the API spec.
 * @param parent parent of a child resource. Default: no parent.
 */
export function describe(
  known: Resource | undefined,
  noun: DescribedResource,
  describing: Describing,
  parent?: Resource['parent'],
): Resource {
  const { host, taken, has, open } = describing;
  const path = noun.path ?? collectionOf(noun.itemPath) ?? known?.path ?? `/${noun.noun}`;
  const fields = describeFields(noun.fields, known?.fields ?? {}, taken);
  const filters = noun.list === undefined ? {} : describeFilters(noun.list, { filters: known?.filters ?? {}, fields });
  const shortcuts = [...describeShortcuts(known?.shortcuts ?? [], filters), ...mine(known, filters)];
  const operations = noun.operations.map((operation) => describeOperation(operation, known?.fields ?? {}, taken));
  const verbs = verbsIn(operations, path, noun.itemPath);
  const nested = (noun.nested ?? []).flatMap((child) => childrenIn(known, noun, child, describing));
  const actions = known?.actions?.filter(({ name }) => name === 'apply' || hasAction(operations, name));
  const ability = known?.ability === undefined || known.ability.length === 0 ? prefixes(operations) : known.ability;
  const shown = open && Object.keys(fields).length === 1 ? UNKNOWN : describedColumns(known, fields, noun.views?.summary);
  const reached =
    parent === undefined ? undefined : noun.itemPath === null ? (known?.itemsOf ?? (has(noun.noun) ? noun.noun : undefined)) : undefined;
  const entry: Resource = {
    noun: noun.noun,
    singular: known?.singular ?? noun.singular,
    summary: known?.summary ?? noun.summary,
    path,
    ability,
    counted: noun.list?.paged ?? false,
    verbs,
    fields,
    columns: shown.columns,
    wide: shown.wide,
    relations: noun.includes === undefined ? (known?.relations ?? {}) : relationsOf(noun.includes, known, fields),
    filters,
    ...(!open && { parametersComplete: true }),
    ...withoutUndefined({ defaultSort: noun.list?.defaultSort ?? known?.defaultSort, reorderable: known?.reorderable }),
    shortcuts,
    ...(actions !== undefined && actions.length > 0 && { actions }),
    ...withoutUndefined({ ownCommands: known?.ownCommands, createAs: known?.createAs, keyed: known?.keyed, parent, itemsOf: reached }),
    ...(nested.length > 0 && { nested }),
    notes: [...(known?.notes ?? []), ...(noun.description === undefined ? [] : [sentence(noun.description)]), ...fileNotes(operations)],
    described: {
      host,
      ...withoutUndefined({ open, schema: noun.schema }),
      sorts: noun.list?.sorts,
      trashed: noun.list?.trashed ?? [],
      search: noun.list?.search ?? false,
      includes: noun.includes !== undefined,
      views: noun.views,
      maxPerPage: noun.list?.maxPerPage,
      operations,
      commands: [],
      lacks: lacking(known?.noun, fields),
    },
  };
  const commands = commandsIn(entry, operations, noun.itemPath);
  const result = { ...entry, described: { ...(entry.described as Described), commands } };
  return { ...result, examples: fittingExamples(known, result) };
}

/** The columns of records with unknown fields. Most records have these fields. */
const UNKNOWN = { columns: ['id', 'name'], wide: [] };

/** Returns the verbs for which svc has general commands, because the spec has the usual method at the usual path. */
function verbsIn(operations: readonly Operation[], path: string, itemPath: string | null): Verb[] {
  return (Object.keys(METHODS) as Verb[]).filter((verb) => operations.some((operation) => isPlain(operation, verb, path, itemPath)));
}

function isPlain({ name, method, path: at, contentType }: Operation, verb: Verb, path: string, itemPath: string | null): boolean {
  if (name !== verb || method !== METHODS[verb] || contentType !== undefined) return false;
  if (verb === 'list' || verb === 'create') return at === path;
  return at === itemPath && collectionOf(itemPath) === path;
}

function hasAction(operations: readonly Operation[], name: string): boolean {
  return operations.some(({ method, path }) => method === 'POST' && path.endsWith(`}/actions/${name}`));
}

/**
 * Returns the operations for which svc has no command, each with a command name that is still free. Leaves out operations without JSON,
 * because `svc api` sends files.
 */
function commandsIn(entry: Resource, operations: readonly Operation[], itemPath: string | null): Operation[] {
  const used = new Set<string>([
    ...VERB_WORDS,
    ...(entry.createAs === undefined ? [] : [entry.createAs.name, ...entry.createAs.aliases]),
    ...(entry.actions ?? []).map(({ name }) => name),
    ...(entry.ownCommands ?? []).flatMap((own) => ('name' in own ? [own.name] : [])),
    ...(entry.nested ?? []).flatMap(({ noun, singular }) => [noun, singular]),
  ]);
  const commands: Operation[] = [];
  for (const operation of operations) {
    const { name, method, path, contentType } = operation;
    if (!isJson(contentType)) continue;
    if ((Object.keys(METHODS) as string[]).includes(name) && isPlain(operation, name as Verb, entry.path, itemPath)) continue;
    if ((entry.actions ?? []).some((action) => path.endsWith(`/actions/${action.name}`) && method === 'POST')) continue;
    // If svc has its own command for an operation, the operation gets no second command.
    if ((entry.ownCommands ?? []).some((own) => 'name' in own && own.name === name)) continue;
    const word = freeWord(name, method, used);
    used.add(word);
    commands.push({ ...operation, name: word });
  }
  return commands;
}

const VERB_WORDS = ['list', 'ls', 'get', 'show', 'create', 'new', 'update', 'edit', 'delete', 'rm', 'remove', 'import', 'help'];

function freeWord(name: string, method: string, used: ReadonlySet<string>): string {
  const choices = [name, `${method.toLowerCase()}-${name}`];
  const free = choices.find((word) => !used.has(word));
  if (free !== undefined) return free;
  for (let count = 2; ; count += 1) if (!used.has(`${name}-${count}`)) return `${name}-${count}`;
}

/**
 * Returns the resource for child records of one record. Empty unless the path goes through exactly one record, because commands name only
 * one parent record.
 */
function childrenIn(known: Resource | undefined, noun: DescribedResource, child: DescribedResource, describing: Describing): Resource[] {
  const path = child.path ?? collectionOf(child.itemPath);
  const [parameter, ...more] = [...(path ?? '').matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
  if (path === undefined || parameter === undefined || more.length > 0) return [];
  const before = known?.nested?.find((one) => one.noun === child.noun);
  const parent = { noun: noun.noun, singular: known?.singular ?? noun.singular, parameter, ...(known?.keyed && { keyed: true as const }) };
  return [describe(before, child, describing, parent)];
}

function relationsOf(
  includes: NonNullable<DescribedResource['includes']>,
  known: Resource | undefined,
  fields: Resource['fields'],
): Readonly<Record<string, Relation>> {
  return Object.fromEntries(
    Object.entries(includes).map(([name, { many }]): [string, Relation] => {
      const key = known?.relations?.[name]?.key;
      return [name, { ...(many && { many }), ...(key !== undefined && Object.hasOwn(fields, key) && { key }) }];
    }),
  );
}

/** Returns the resource names in the abilities of operations: `absences` in `api:read:absences`. */
function prefixes(operations: readonly Operation[]): readonly string[] {
  const found = operations.flatMap(({ abilities = [] }) => abilities.flatMap((ability) => ability.split(':')[2] ?? []));
  return [...new Set(found)];
}

/** Returns the shortcut `--mine`. Empty if the catalog already has that shortcut, or if no filter names a user. */
function mine(known: Resource | undefined, filters: Resource['filters']): readonly Shortcut[] {
  const field = ['user_id', 'assignee_id'].find((name) => filters[name]?.kind === 'user' && filters[name]?.noEquality !== true);
  const has = known?.shortcuts?.some(({ flag }) => flag === 'mine');
  return field === undefined || has ? [] : [{ flag: 'mine', summary: 'Yours', sets: [{ field, value: 'me' }] }];
}

/** The fields that svc’s own create commands need, by resource. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  worklogs: ['date', 'minutes'],
};

function lacking(noun: string | undefined, fields: Resource['fields']): readonly string[] {
  return (ownEntry(NEEDED, noun ?? '') ?? []).filter((name) => !Object.hasOwn(fields, name));
}

/** Returns one line for each operation without JSON, with the command that sends a file. */
function fileNotes(operations: readonly Operation[]): string[] {
  return operations.flatMap(({ method, path, contentType }) =>
    isJson(contentType) ? [] : [`${method} ${path} takes ${contentType}: svc api -X ${method} ${path} --input <file>`],
  );
}

function isJson(contentType: string | undefined): boolean {
  return contentType === undefined || /\bjson\b/.test(contentType);
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

// These functions choose the columns and examples of a resource from an API spec.

/** The most columns of a table if the catalog has no columns for the resource. */
const MOST_COLUMNS = 6;

/** Returns true if a person can read the values of a field in a table cell. */
function isReadable(field: Field | undefined): boolean {
  return field !== undefined && field.writeOnly !== true && field.kind !== 'json' && field.kind !== 'html' && field.kind !== 'markdown';
}

/**
 * Returns the columns of tables: the catalog’s columns that lists show by default. If lists lack one of the catalog’s columns, svc adds
 * other fields.
 *
 * @param summary fields of the summary view. Undefined if the API spec does not have that view.
 */
function describedColumns(
  known: Resource | undefined,
  fields: Resource['fields'],
  summary: readonly string[] | undefined,
): { readonly columns: readonly string[]; readonly wide: readonly string[] } {
  const isShown = (name: string) => Object.hasOwn(fields, name) && fields[name]?.writeOnly !== true && (summary?.includes(name) ?? true);
  const wanted = (known?.columns ?? []).filter(isShown);
  const wide = (known?.wide ?? []).filter(isShown);
  if (known !== undefined && wanted.length === known.columns.length) return { columns: wanted, wide };
  const order = ['id', ...NAME_FIELDS, ...Object.keys(fields).filter((name) => !name.endsWith('_at')), ...Object.keys(fields)];
  const others = [...new Set(order)].filter(
    (name) => isShown(name) && isReadable(fields[name]) && !wanted.includes(name) && !wide.includes(name),
  );
  const room = known === undefined ? MOST_COLUMNS : known.columns.length;
  const columns = [...wanted, ...others].slice(0, Math.max(room, 2));
  return { columns: columns.length === 0 ? Object.keys(fields).slice(0, 1) : columns, wide };
}

/** Returns the catalog’s examples whose flags and fields are in the API spec. */
function fittingExamples(known: Resource | undefined, resource: Resource): readonly ResourceExample[] {
  if (known?.examples === undefined) return [];
  const isThere = (verb: string) =>
    (resource.verbs ?? []).some((name) => name === (verb === known.createAs?.name ? 'create' : verb)) ||
    (resource.actions ?? []).some(({ name }) => name === verb) ||
    (resource.ownCommands ?? []).some((own) => 'name' in own && own.name === verb) ||
    verb === 'edit' ||
    verb === 'import';
  return known.examples.filter(([verb, args]) => {
    if (!isThere(verb)) return false;
    const words = args.split(/[^\w-]+/).map((word) => word.replace(/^--(?:no-|starts-)?/, ''));
    const isGone = (word: string) => isNameIn(known, verb, word) && !isNameIn(resource, verb, word);
    return !words.some(isGone) && !needsArgument(known, resource, verb, args);
  });
}

/** Returns true if an example uses a short form, such as hours without flags, that this API spec rules out. */
function needsArgument({ ownCommands = [] }: Resource, { described }: Resource, verb: string, args: string): boolean {
  const isOwn = ownCommands.some((own) => 'insteadOf' in own && (own.insteadOf === verb || verb === 'add'));
  return isOwn && (described?.lacks.length ?? 0) > 0 && !args.startsWith('--');
}

/** Returns true if a word of a command line names a flag or a field. */
function isNameIn({ fields, shortcuts = [], filters, relations = {} }: Resource, verb: string, word: string): boolean {
  if (Object.hasOwn(fields, word) || Object.hasOwn(relations, word)) return true;
  if (verb === 'list') return Object.hasOwn(filters, word) || shortcuts.some(({ flag }) => flag === word);
  return Object.entries(fields).some(([name, field]) => field.write !== undefined && flagOf(name, field) === word);
}
