/**
 * What the service has, as data. A resource is one `defineResource` entry; commands, help, completions and the
 * reference follow from it, and nothing else needs to change when one is added (the light table beside the areas is
 * written by scripts/catalog-nouns.ts).
 */

import type { ValueKind } from '../values/kind.ts';

/** The kind of a field: how it is typed, sent and shown. */
export type FieldKind = ValueKind;

/** A field of a record. */
export interface Field {
  readonly kind: FieldKind;
  /** What it is, for help; only where the name does not say it. */
  readonly summary?: string;
  /** When a flag sets it: on `create`, on `update`, or on both. Absent: the service sets it. */
  readonly write?: 'create' | 'update' | 'both';
  /** `create` cannot do without it. An assumed field is asked for by the service alone. */
  readonly required?: true;
  /** What `create` sends where nothing is given: the user's present day. */
  readonly default?: 'today';
  /** Of the end of a span (kind `span-end`): the field that has its beginning. */
  readonly begins?: string;
  /** The flag's name without dashes. Default: the field's name in kebab-case, without a final `-id`. */
  readonly flag?: string;
  /** What the record is there for, and long: a person who gives none at a terminal writes it in the editor. */
  readonly long?: true;
  /** Known values of an enum; of a described field all of them, unless it is extensible. */
  readonly values?: readonly string[];
  /** Of a described enum: values that the description does not have may come, and are taken. */
  readonly extensible?: true;
  /** Of a described field: it may be null. */
  readonly nullable?: true;
  /** Bodies take it, and records do not show it. */
  readonly writeOnly?: true;
  /** The noun that an id refers to. */
  readonly ref?: string;
  /** What somebody might type for it, for the examples in help. Default: something of its kind. */
  readonly example?: string;
  /** The service's documentation does not show it; a refusal is explained with that in mind. */
  readonly assumed?: true;
  /** What a person is told after a create whose answer says that there is none: null, not absent. A full sentence. */
  readonly ifNone?: string;
}

/** A filter of a collection: `filter[field]` and `filter[field][operator]`. */
export interface Filter {
  readonly kind: FieldKind;
  /** Operators beside plain equality. */
  readonly operators: readonly FilterOperator[];
  /** Its description has no plain equality. */
  readonly noEquality?: true;
  /** Values that its description names. */
  readonly values?: readonly string[];
  /** The word `me` may stand for one's own id, in equality; documented for one filter alone (rule 9.26). */
  readonly takesMe?: true;
  /** Not documented: when the service refuses it, svc filters the rows itself. */
  readonly assumed?: true;
}

export type FilterOperator = 'gte' | 'lte' | 'gt' | 'lt' | 'in' | 'null';

/** A flag of `list` that stands for one or more filters, for what a person would look for. */
export interface Shortcut {
  /** Without dashes: `year`. */
  readonly flag: string;
  readonly summary: string;
  /** What the person types after it; absent for a switch. A workflow status is typed by id or name. */
  readonly takes?: FieldKind | 'year' | 'workflow-status';
  readonly sets: readonly ShortcutFilter[];
}

export interface ShortcutFilter {
  readonly field: string;
  readonly operator?: FilterOperator;
  /** Sent as it is, for a switch. */
  readonly value?: string;
  /** Of a span such as a year: its first or its last moment; `after`: the moment after the day that was typed. */
  readonly edge?: 'first' | 'last' | 'after';
  /**
   * Rows that have no value pass as well: all of them, as what still runs does, or those of which the field that is named here passes
   * instead. They are asked for in a walk of their own.
   */
  readonly orNull?: true | string;
}

/** A relation that `include` can add to a record. */
export interface Relation {
  /** It leads to many records: a page then holds 25 rows at most (rule 8.4). */
  readonly many?: true;
  /** Its foreign key, where that is not `<relation>_id` (rules 2.3 to 2.5). */
  readonly key?: string;
  readonly assumed?: true;
}

/** One method of one path, as the organisation's description has it. */
export interface Operation<Member = Field> {
  /** Its verb, or for others its command: `request-upload`. */
  readonly name: string;
  readonly method: string;
  /** Below the API, with `{name}` for its parameters. */
  readonly path: string;
  readonly summary?: string;
  /** Abilities of which one is needed. */
  readonly abilities?: readonly string[];
  /** `absences::manage`. */
  readonly permission?: string;
  /** The members of its body. Absent: it takes none. */
  readonly body?: Readonly<Record<string, Member>>;
  /** What its body is written in, where that is not JSON: `multipart/form-data`, `application/octet-stream`. */
  readonly contentType?: string;
  /** Query parameters that are its own. */
  readonly query?: Readonly<Record<string, Member>>;
}

/** What is known of a resource because the organisation's own description says it. What it lacks is not there. */
export interface Described {
  /** Whose word it is, for messages: `acme.example.com`. */
  readonly host: string;
  /** Only discovery lists it: what nobody named may be there all the same. */
  readonly open?: true;
  /** The name of its schema: `Absence`. */
  readonly schema?: string;
  /** Fields that `sort` takes; undefined where that is not described. */
  readonly sorts: readonly string[] | undefined;
  /** Values of `trashed`; none where it does not take it. */
  readonly trashed: readonly string[];
  /** It takes `q`. */
  readonly search: boolean;
  /** Its relations are all there are. */
  readonly includes: boolean;
  readonly views: { readonly summary?: readonly string[]; readonly detail?: readonly string[] } | undefined;
  /** The most rows of a page. */
  readonly maxPerPage: number | undefined;
  /** All that can be done with it, its verbs among them. */
  readonly operations: readonly Operation[];
  /** Those that become commands of their own, under the words that are typed. */
  readonly commands: readonly Operation[];
  /** Fields that the commands made by hand need, and the description does not have. */
  readonly lacks: readonly string[];
}

/** A change of state beside the plain verbs; `commands/nouns/own-commands.ts` knows the code of each. */
export interface Action {
  readonly name: ActionName;
  readonly summary: string;
}

export type ActionName = 'transition' | 'move' | 'complete' | 'apply';

/** A command that one resource alone has, or has in its own way; `commands/nouns/own-commands.ts` knows the code of each. */
export type OwnCommand =
  /** Instead of what every resource has, and built on it. */
  | { readonly code: OwnWay; readonly insteadOf: 'create' | 'edit' | 'import' }
  /** Beside it. */
  | {
      readonly code: OwnExtra;
      readonly name: string;
      readonly summary: string;
      /** It only looks: help lists it with `list` and `get`. */
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

/** The resource below one record of which a collection lies. */
export interface Parent {
  readonly noun: string;
  readonly singular: string;
  /** Its name in a path template: `{work_item}`. */
  readonly parameter: string;
  /** Paths take its key where they take its id. */
  readonly keyed?: true;
}

export interface ResourceSpec<FieldName extends string> {
  /** The path's name: kebab-case, plural. */
  readonly noun: string;
  readonly singular: string;
  /** One line, for the list of nouns: a capital, no full stop. */
  readonly summary: string;
  /** The collection's path below the API, with `{name}` for a parent. */
  readonly path: string;
  /** The documentation names the collection without spelling out its path. */
  readonly pathAssumed?: true;
  /** The prefix of its abilities: `api:read:<ability>`; several where each covers a part. */
  readonly ability: string | readonly string[];
  /** The collection counts its rows: takes `page`, always tells a total, refuses `with_total` (rule 8.27). */
  readonly counted: boolean;
  /** What can be done. Default: everything; discovery knows better for one organisation. */
  readonly verbs?: readonly Verb[];
  readonly fields: Readonly<Record<FieldName, Field>>;
  /** Fields of a table, in order. */
  readonly columns: readonly NoInfer<FieldName>[];
  /** Further ones, for terminals with the room, the most useful first. */
  readonly wide?: readonly NoInfer<FieldName>[];
  readonly relations?: Readonly<Record<string, Relation>>;
  readonly filters: Readonly<Record<string, Filter>>;
  /** Every parameter of its list is documented, so an unknown one is a mistake; else unknown ones are passed on. */
  readonly parametersComplete?: true;
  /** Its order unless told otherwise, as `--sort` would have it; only where it is documented. */
  readonly defaultSort?: string;
  /** People change its order by dragging, so page numbers may skip or repeat rows (rule 8.26). */
  readonly reorderable?: true;
  readonly shortcuts?: readonly Shortcut[];
  readonly actions?: readonly Action[];
  readonly ownCommands?: readonly OwnCommand[];
  /** What people call creating one, and how help says it; `aliases` work too. */
  readonly createAs?: { readonly name: string; readonly aliases: readonly string[]; readonly summary: string };
  /** The path takes a work item key where it takes an id. */
  readonly keyed?: true;
  /** The collection lies below one record of this resource. */
  readonly parent?: Parent;
  /** The noun under which single records of a nested collection are reached: `subtasks`. Absent: below the parent too. */
  readonly itemsOf?: string;
  /** Collections below one record of this resource. */
  readonly nested?: readonly Resource[];
  /** What the organisation's description says of it, where one was imported. */
  readonly described?: Described;
  /** What a person should know before using it. */
  readonly notes?: readonly Note[];
  /** Arguments that make a good example, after `svc <noun> <verb> `. */
  readonly examples?: readonly ResourceExample[];
}

/** A full sentence or two; with `on`, help of these commands alone shows it, and help of the noun. */
export type Note = string | { readonly on: readonly Verb[]; readonly text: string };

export interface ResourceExample {
  readonly verb: string;
  readonly args: string;
  readonly does: string;
}

/** A resource with its field names forgotten, as the commands use it. */
export type Resource = ResourceSpec<string>;

/** Resources that belong together: a chapter of the service, and a line of `svc --help`. */
export interface Area {
  readonly title: string;
  readonly resources: readonly Resource[];
}

/** Checks an entry at compile time: a column that the record does not have is a type error. */
export function defineResource<const FieldName extends string>(spec: ResourceSpec<FieldName>): Resource {
  return { ...spec, shortcuts: [...(spec.shortcuts ?? []), ...mine(spec.filters)] };
}

/** `--mine`, where rows belong to somebody. */
function mine(filters: Readonly<Record<string, Filter>>): readonly Shortcut[] {
  const field = ['user_id', 'assignee_id'].find((name) => filters[name]?.kind === 'user');
  return field === undefined ? [] : [{ flag: 'mine', summary: 'Show only your own records', sets: [{ field, value: 'me' }] }];
}

/**
 * The records of `resource` as a collection below one record of `parent`: listed and created there, and otherwise
 * reached at their own path. What the path says already is neither a flag nor a filter.
 *
 * @param noun the last part of the path: `rows`.
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
    path: `/${parent.noun}/{${parent.parameter}}/${noun}`,
    verbs: ['list', 'create'],
    fields: { ...resource.fields, [key]: keyField },
    filters: Object.fromEntries(Object.entries(resource.filters).filter(([name]) => name !== key)),
    shortcuts: (resource.shortcuts ?? []).filter(({ sets }) => sets.every(({ field }) => field !== key)),
    ...own,
    notes: [...(own.notes ?? []), `To read, change or delete one of them by its id: svc ${resource.noun} --help.`],
  };
}
