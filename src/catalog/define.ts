/**
 * The resources of the service, as data. One `defineResource` entry makes commands, help, completions and reference of a resource;
 * a new resource needs nothing else. scripts/catalog-nouns.ts writes the light table beside these files.
 */

import type { ValueKind } from '../values/kind.ts';

/** The kind of a field: how it is typed, sent and shown. */
export type FieldKind = ValueKind;

export interface Field {
  readonly kind: FieldKind;
  /** The meaning of the field, for help; only where the name does not say it. */
  readonly summary?: string;
  /** When a flag sets it: on `create`, on `update`, or on both. Absent: the service sets it. */
  readonly write?: 'create' | 'update' | 'both';
  /** Whether `create` needs it. Of an assumed field, only the service checks this. */
  readonly required?: true;
  /** The value that `create` sends by default: the user's present day. */
  readonly default?: 'today';
  /** Of the end of a time range (kind `span-end`): the field with its start. */
  readonly begins?: string;
  /** The flag's name without dashes. Default: the field's name in kebab-case, without a final `-id`. */
  readonly flag?: string;
  /** Whether it is the long main text of a record: a person who gives none at a terminal writes it in the editor. */
  readonly long?: true;
  /** Known values of an enum; of a field from an API spec all of them, unless it is extensible. */
  readonly values?: readonly string[];
  /** Of an enum from an API spec: whether svc also takes values that the spec does not have. */
  readonly extensible?: true;
  /** Of a field from an API spec: whether it may be null. */
  readonly nullable?: true;
  /** Whether only bodies have it, and records do not show it. */
  readonly writeOnly?: true;
  /** The resource that an id refers to. */
  readonly ref?: string;
  /** A value that somebody might type for it, for the examples in help. Default: something of its kind. */
  readonly example?: string;
  /** The service's documentation does not show it; a refusal is explained with that in mind. */
  readonly assumed?: true;
  /** The notice after a create whose answer has null here, not one where the field is absent. A full sentence. */
  readonly ifNone?: string;
}

/** A filter of a collection: `filter[field]` and `filter[field][operator]`. */
export interface Filter {
  readonly kind: FieldKind;
  /** Operators beside plain equality. */
  readonly operators: readonly FilterOperator[];
  /** Whether the API spec has no plain equality for it. */
  readonly noEquality?: true;
  /** Values that the API spec names. */
  readonly values?: readonly string[];
  /** The word `me` may stand for one's own id, in equality; documented for one filter alone (rule 9.26). */
  readonly takesMe?: true;
  /** Not documented: when the service refuses it, svc filters the rows itself. */
  readonly assumed?: true;
}

export type FilterOperator = 'gte' | 'lte' | 'gt' | 'lt' | 'in' | 'null';

/** A flag of `list` that stands for one or more filters that people often need. */
export interface Shortcut {
  /** Without dashes: `year`. */
  readonly flag: string;
  readonly summary: string;
  /** The kind of the value behind it; absent for a switch. A workflow status is typed by id or name. */
  readonly takes?: FieldKind | 'year' | 'workflow-status';
  /** Whether a weekday is the next one. With another flag here, it is the first one on or after the day behind that flag. */
  readonly ahead?: true | string;
  readonly sets: readonly ShortcutFilter[];
}

export interface ShortcutFilter {
  readonly field: string;
  readonly operator?: FilterOperator;
  /** The value to send, for a switch. */
  readonly value?: string;
  /** Of a range such as a year: its first or its last time; `after`: the start of the day after the typed one. */
  readonly edge?: 'first' | 'last' | 'after';
  /**
   * Whether rows without a value pass as well: all of them, or those whose field with this name passes instead. svc reads them in
   * a walk of their own. A record that still runs has no value.
   */
  readonly orNull?: true | string;
}

/** A relation that `include` can add to a record. */
export interface Relation {
  /** Whether it leads to many records: a page then has 25 rows at most (rule 8.4). */
  readonly many?: true;
  /** Its foreign key, where that is not `<relation>_id` (rules 2.3 to 2.5). */
  readonly key?: string;
  readonly assumed?: true;
}

/** One method of one path, as the organisation's API spec has it. */
export interface Operation<Member = Field> {
  /** Its verb, or for others its command: `request-upload`. */
  readonly name: string;
  readonly method: string;
  /** Below the API, with `{name}` for its parameters. */
  readonly path: string;
  readonly summary?: string;
  /** Abilities; the token needs one of them. */
  readonly abilities?: readonly string[];
  /** `absences::manage`. */
  readonly permission?: string;
  /** The members of its body. Absent: it takes none. */
  readonly body?: Readonly<Record<string, Member>>;
  /** The media type of its body, if that is not JSON: `multipart/form-data`, `application/octet-stream`. */
  readonly contentType?: string;
  /** Query parameters that are its own. */
  readonly query?: Readonly<Record<string, Member>>;
}

/** The facts about a resource that the organisation's own API spec states. A missing one does not exist there. */
export interface Described {
  /** The organisation of the API spec, for messages: `acme.example.com`. */
  readonly host: string;
  /** Whether only discovery lists it: then facts that are missing here may exist all the same. */
  readonly open?: true;
  /** The name of its schema: `Absence`. */
  readonly schema?: string;
  /** Fields that `sort` takes; undefined where the API spec does not list them. */
  readonly sorts: readonly string[] | undefined;
  /** Values of `trashed`; none where it does not take it. */
  readonly trashed: readonly string[];
  /** Whether it takes `q`. */
  readonly search: boolean;
  /** Whether its relations are all there are. */
  readonly includes: boolean;
  readonly views: { readonly summary?: readonly string[]; readonly detail?: readonly string[] } | undefined;
  /** The most rows of a page. */
  readonly maxPerPage: number | undefined;
  /** All its operations, its verbs among them. */
  readonly operations: readonly Operation[];
  /** Operations that become commands of their own, by the words that people type. */
  readonly commands: readonly Operation[];
  /** Fields that handwritten commands need, and the API spec does not have. */
  readonly lacks: readonly string[];
}

/** A change of state beside the plain verbs; `commands/nouns/own-commands.ts` knows the code of each. */
interface Action {
  readonly name: ActionName;
  readonly summary: string;
}

export type ActionName = 'transition' | 'move' | 'complete' | 'apply';

/** A command that one resource alone has, or has in its own way; `commands/nouns/own-commands.ts` knows the code of each. */
type OwnCommand =
  /** A command that replaces that of every resource, and builds on it. */
  | { readonly code: OwnWay; readonly insteadOf: 'create' | 'edit' | 'import' }
  /** A further command. */
  | {
      readonly code: OwnExtra;
      readonly name: string;
      readonly summary: string;
      /** Whether it only reads: help lists it with `list` and `get`. */
      readonly looks?: true;
    };

export type OwnWay = 'log-hours' | 'edit-days' | 'import-hours';
export type OwnExtra =
  | 'suggest-hours'
  | 'copy-hours'
  | 'start-timer'
  | 'stop-timer'
  | 'switch-timer'
  | 'cancel-timer'
  | 'timer-status'
  | 'add-leave'
  | 'who-is-away'
  | 'burn-budgets'
  | 'burn-down'
  | 'absence-calendar'
  | 'used-days'
  | 'attach-files'
  | 'upload-files'
  | 'download-files';

export type Verb = 'list' | 'get' | 'create' | 'update' | 'delete';

/** The resource whose records have this collection of child records. */
export interface Parent {
  readonly noun: string;
  readonly singular: string;
  /** Its name in a path template: `{work_item}`. */
  readonly parameter: string;
  /** Whether paths take its key instead of its id. */
  readonly keyed?: true;
}

/** A resource, as the commands use it. */
export interface Resource {
  /** The path's name: kebab-case, plural. */
  readonly noun: string;
  readonly singular: string;
  /** One line, for the list of resources: a capital, no full stop. */
  readonly summary: string;
  /** The collection's path below the API, with `{name}` for a parent. */
  readonly path: string;
  /** Whether the documentation names the collection without spelling out its path. */
  readonly pathAssumed?: true;
  /** The prefix of its abilities: `api:read:<ability>`; several where each covers a part. */
  readonly ability: string | readonly string[];
  /** Whether the collection counts its rows: it takes `page`, always has a total, refuses `with_total` (rule 8.27). */
  readonly counted: boolean;
  /** The verbs of the resource. Default: all; discovery lists those of one organisation. */
  readonly verbs?: readonly Verb[];
  readonly fields: Readonly<Record<string, Field>>;
  /** Fields of a table, in order. */
  readonly columns: readonly string[];
  /** Further columns, for wide terminals, the most useful first. */
  readonly wide?: readonly string[];
  readonly relations?: Readonly<Record<string, Relation>>;
  readonly filters: Readonly<Record<string, Filter>>;
  /** Whether every parameter of its list is documented, so that an unknown one is a mistake; otherwise svc passes it on. */
  readonly parametersComplete?: true;
  /** Its default order, as `--sort` would have it; only where it is documented. */
  readonly defaultSort?: string;
  /** Whether people change its order by dragging, so that page numbers may skip or repeat rows (rule 8.26). */
  readonly reorderable?: true;
  readonly shortcuts?: readonly Shortcut[];
  readonly actions?: readonly Action[];
  readonly ownCommands?: readonly OwnCommand[];
  /** The verb for creating a record, and its help; `aliases` work too. */
  readonly createAs?: { readonly name: string; readonly aliases: readonly string[]; readonly summary: string };
  /** Whether the path takes a work item key instead of an id. */
  readonly keyed?: true;
  /** The resource whose records have this collection. */
  readonly parent?: Parent;
  /** The resource whose path reaches single records of this child collection: `subtasks`. Absent: that path is below the parent too. */
  readonly itemsOf?: string;
  /** Collections of child records. */
  readonly nested?: readonly Resource[];
  /** The facts from the organisation's API spec, if one was imported. */
  readonly described?: Described;
  /** Notes for a person before the first use. */
  readonly notes?: readonly Note[];
  /** Arguments that make a good example, after `svc <noun> <verb> `. */
  readonly examples?: readonly ResourceExample[];
}

/** A full sentence or two. With `on`, only the help of these commands shows it, and the help of the resource. */
export type Note = string | { readonly on: readonly Verb[]; readonly text: string };

export interface ResourceExample {
  readonly verb: string;
  readonly args: string;
  readonly does: string;
}

/** Resources that belong together: a chapter of the service's documentation, and a line of `svc --help`. */
export interface Area {
  readonly title: string;
  readonly resources: readonly Resource[];
}

type Defaulted = 'singular' | 'path' | 'ability' | 'filters';

/** An entry. {@link defineResource} has the defaults of what it leaves out. */
type ResourceSpec<FieldName extends string> = Omit<Resource, Defaulted | 'fields' | 'columns' | 'wide'> &
  Partial<Pick<Resource, Defaulted>> & {
    /** The fields between `id` and the timestamps. */
    readonly fields: Readonly<Record<FieldName, Field>>;
    readonly columns: readonly NoInfer<FieldName | 'id' | keyof typeof STAMPS>[];
    readonly wide?: readonly NoInfer<FieldName>[];
  };

/**
 * Makes a resource of an entry. A column that the record does not have is a type error.
 *
 * Every record has an id and timestamps, which lists filter. The default of the singular is `noun` without its s. The path and the ability
 * are named after `noun`. An undocumented object beside a foreign key (`project` beside `project_id`) is a relation.
 */
export function defineResource<const FieldName extends string>(spec: ResourceSpec<FieldName>): Resource {
  const { noun, singular = noun.replace(/s$/, ''), parent, ability = noun.replaceAll('-', '_') } = spec;
  const fields: Readonly<Record<string, Field>> = { id: { kind: 'id' }, ...spec.fields, ...STAMPS };
  const filters = { ...spec.filters, ...(spec.parametersComplete ? STAMP_FILTERS : ASSUMED_STAMP_FILTERS) };
  const path = parent === undefined ? `/${noun}` : childPath(parent, noun);
  const shortcuts = [...(spec.shortcuts ?? []), ...mine(filters)];
  return { path, relations: impliedRelations(fields), ...spec, singular, ability, fields, filters, shortcuts };
}

const STAMPS = { created_at: { kind: 'date-time' }, updated_at: { kind: 'date-time' } } as const satisfies Record<string, Field>;

/** `filter[created_at]` and `filter[updated_at]`. */
const STAMP_FILTERS: Readonly<Record<string, Filter>> = {
  created_at: { kind: 'date-time', operators: ['gte', 'lt'] },
  updated_at: { kind: 'date-time', operators: ['gte', 'lt'] },
};

/** The same, on collections whose filters are not documented. */
const ASSUMED_STAMP_FILTERS: Readonly<Record<string, Filter>> = {
  created_at: { kind: 'date-time', operators: ['gte', 'lt'], assumed: true },
  updated_at: { kind: 'date-time', operators: ['gte', 'lt'], assumed: true },
};

function impliedRelations(fields: Readonly<Record<string, Field>>): Readonly<Record<string, Relation>> {
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === 'json' && fields[name].assumed && `${name}_id` in fields);
  return Object.fromEntries(names.map((name) => [name, { assumed: true }]));
}

function childPath({ noun: of, parameter }: Parent, noun: string): string {
  return `/${of}/{${parameter}}/${noun}`;
}

/** The flag `--mine`, for rows that belong to a user. */
function mine(filters: Readonly<Record<string, Filter>>): readonly Shortcut[] {
  const field = ['user_id', 'assignee_id'].find((name) => filters[name]?.kind === 'user');
  return field === undefined ? [] : [{ flag: 'mine', summary: 'Show only your own records', sets: [{ field, value: 'me' }] }];
}

/**
 * Makes records of `resource` a collection of child records of `parent`: listed and created there, and otherwise reached at their
 * own path. The parent in the path is neither a flag nor a filter.
 * `noun` is the last part of the path: `rows`.
 */
export function below(
  parent: Parent,
  noun: string,
  resource: Resource,
  own: Pick<Resource, 'singular' | 'summary' | 'counted' | 'examples'> & { readonly notes?: readonly Note[] },
): Resource {
  const { actions: _, ownCommands: _own, nested: __, parametersComplete: ___, ...rest } = resource;
  const key = `${parent.parameter}_id`;
  const { write: ____, required: _____, ...keyField } = resource.fields[key] ?? { kind: 'id' as const };
  return {
    ...rest,
    noun,
    parent,
    itemsOf: resource.noun,
    path: childPath(parent, noun),
    verbs: ['list', 'create'],
    fields: { ...resource.fields, [key]: keyField },
    filters: Object.fromEntries(Object.entries(resource.filters).filter(([name]) => name !== key)),
    shortcuts: (resource.shortcuts ?? []).filter(({ sets }) => sets.every(({ field }) => field !== key)),
    ...own,
    notes: [...(own.notes ?? []), `To read, change or delete one of them by its id: svc ${resource.noun} --help.`],
  };
}
