/**
 * Types and functions that describe the resources of the service as data. One `defineResource` entry creates the commands, help,
 * completions and reference of a resource. A new resource needs only such an entry. scripts/resource-names.ts writes a short table of all
 * resources to resource-names.ts.
 */

import type { ValueKind } from '../values/kind.ts';

export type FieldKind = ValueKind;

export interface Field {
  readonly kind: FieldKind;
  readonly summary?: string;
  /** The commands that can set the field with a flag: `create`, `update` or both. Absent if only the service sets the field. */
  readonly write?: 'create' | 'update' | 'both';
  /** True if `create` needs the field. Only the service checks an assumed field. */
  readonly required?: true;
  /** The value that `create` sends by default. `today` is the current date in the user’s time zone. */
  readonly default?: 'today';
  /** The field that contains the start, for the end of a time range (kind `span-end`). */
  readonly begins?: string;
  /** True if a weekday means today or the next such day. By default, a weekday means today or the latest such day. */
  readonly ahead?: true;
  /** The name of the flag without dashes. Default: the name of the field in kebab-case, without a final `-id`. */
  readonly flag?: string;
  /** True for the long main text of a record. If you omit the text at a terminal, svc opens an editor. */
  readonly long?: true;
  /** The known values of an enum. For a field of an API spec, only an extensible enum has other values. */
  readonly values?: readonly string[];
  /** True if an enum of an API spec also accepts values that the spec does not list. */
  readonly extensible?: true;
  /** True if a field of an API spec can be null. */
  readonly nullable?: true;
  /** The kind of each value of a list. The field itself has the kind `json`. */
  readonly items?: FieldKind;
  /** The smallest and the largest number that an API spec allows. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** True for a field of request bodies that records never show. */
  readonly writeOnly?: true;
  /** The resource of the record whose id the field contains. */
  readonly ref?: string;
  /** A typical value for the examples in help. Default: a value of the same kind. */
  readonly example?: string;
  /** True if the documentation does not show the field. If the service refuses the field, the error explains the refusal. */
  readonly assumed?: true;
  /** The full sentence that svc prints after a create if the answer contains null for the field. */
  readonly ifNone?: string;
}

/** A filter of a list: `filter[field]` and `filter[field][operator]`. */
export interface Filter {
  readonly kind: FieldKind;
  readonly operators: readonly FilterOperator[];
  readonly noEquality?: true;
  readonly values?: readonly string[];
  /** True if the value `me` means your own id. The documentation shows `me` for one filter only (rule 9.26). */
  readonly takesMe?: true;
  /** True if the documentation does not show the filter. If the service refuses the filter, svc filters the rows itself. */
  readonly assumed?: true;
}

export type FilterOperator = 'gte' | 'lte' | 'gt' | 'lt' | 'in' | 'null';

/** A flag of `list` that sets one or more common filters. */
export interface Shortcut {
  readonly flag: string;
  readonly summary: string;
  /** The kind of the flag’s value. Absent for a switch. `workflow-status` accepts an id or a name. */
  readonly takes?: FieldKind | 'year' | 'workflow-status';
  /** True if a weekday means today or the next such day. The name of another flag means the first such day on or after that flag’s date. */
  readonly ahead?: true | string;
  readonly sets: readonly ShortcutFilter[];
}

export interface ShortcutFilter {
  readonly field: string;
  readonly operator?: FilterOperator;
  readonly value?: string;
  readonly edge?: 'first' | 'last' | 'after';
  /**
   * True if rows without a value also match. With the name of another field, such a row matches only if that field matches. svc reads these
   * rows in a separate request. For example, a record that is still running has no end.
   */
  readonly orNull?: true | string;
}

export interface Relation {
  /** True if the relation leads to many records. A page with the relation has at most 25 rows, or 50 for `tags` (rules 8.4, 8.5). */
  readonly many?: true;
  /** The foreign key. Default: `<relation>_id` (rules 2.3 to 2.5). */
  readonly key?: string;
  readonly assumed?: true;
}

export interface Operation<Member = Field> {
  /** The verb or command name, such as `list` or `request-upload`. */
  readonly name: string;
  readonly method: string;
  /** The path, without the path of the API (`/api/v2`), with `{name}` for parameters. */
  readonly path: string;
  readonly summary?: string;
  readonly abilities?: readonly string[];
  readonly permission?: string;
  /** The members of the request body. Absent if the operation has no body. */
  readonly body?: Readonly<Record<string, Member>>;
  /** The media type of the request body. Absent for JSON. For example, `multipart/form-data` or `application/octet-stream`. */
  readonly contentType?: string;
  /** True if the request has the members of the body under `data`. */
  readonly wrapped?: true;
  readonly query?: Readonly<Record<string, Member>>;
}

/** The facts about a resource from the organisation’s own API spec. The organisation lacks each feature that the spec lacks. */
export interface Described {
  /** The organisation of the API spec for messages, such as `acme.example.com`. */
  readonly host: string;
  readonly open?: true;
  readonly schema?: string;
  /** The fields that `sort` accepts. Undefined if the API spec does not list the fields. */
  readonly sorts: readonly string[] | undefined;
  /** The values that `trashed` accepts. Empty if the list has no such parameter. */
  readonly trashed: readonly string[];
  readonly search: boolean;
  /** True if the list of relations is complete. */
  readonly includes: boolean;
  readonly views: { readonly summary?: readonly string[]; readonly detail?: readonly string[] } | undefined;
  readonly maxPerPage: number | undefined;
  /** All operations of the resource, including the operations of its verbs. */
  readonly operations: readonly Operation[];
  readonly commands: readonly Operation[];
  /** The fields that svc’s own commands need and the API spec does not have. */
  readonly lacks: readonly string[];
}

interface Action {
  readonly name: ActionName;
  readonly summary: string;
}

export type ActionName = 'transition' | 'move' | 'complete' | 'apply';

/**
 * A command that only one resource has, or that works differently for this resource. `commands/resource/index.ts` lists the code of each
 * command.
 */
type OwnCommand =
  | { readonly code: OwnWay; readonly insteadOf: 'create' | 'edit' | 'import' }
  | {
      readonly code: OwnExtra;
      readonly name: string;
      readonly summary: string;
      /** True if the command only reads. Help then lists the command with `list` and `get`. */
      readonly onlyReads?: true;
    };

export type OwnWay = 'log-hours' | 'edit-days' | 'import-hours';
export type OwnExtra =
  | 'suggest-hours'
  | 'copy-hours'
  | 'start-timer'
  | 'continue-timer'
  | 'stop-timer'
  | 'switch-timer'
  | 'cancel-timer'
  | 'timer-status'
  | 'add-leave'
  | 'who-is-away'
  | 'burn-budgets'
  | 'burn-down'
  | 'users-capacity'
  | 'absence-calendar'
  | 'used-days'
  | 'attach-files'
  | 'upload-files'
  | 'download-files';

export type Verb = 'list' | 'get' | 'create' | 'update' | 'delete';

export interface Parent {
  readonly noun: string;
  readonly singular: string;
  /** The name of the parent’s parameter in a path template, without braces: `work_item`. */
  readonly parameter: string;
  /** True if paths accept the key of the parent instead of its id. */
  readonly keyed?: true;
}

export interface Resource {
  /** The name in paths: kebab-case, plural. */
  readonly noun: string;
  readonly singular: string;
  /** The line for the list of resources. Starts with a capital letter and has no full stop. */
  readonly summary: string;
  /** The path of the list, without the path of the API (`/api/v2`), with `{name}` for a parent. */
  readonly path: string;
  /** True if the documentation names the list but not its path. */
  readonly pathAssumed?: true;
  /** The resource name in abilities: `api:read:<ability>`. An array if each of several abilities covers a part. */
  readonly ability: string | readonly string[];
  /**
   * True if the list counts its rows. Such a list accepts `page`, always has a total, and refuses `with_total` (rule 8.27). Default in the
   * catalog: true.
   */
  readonly counted: boolean;
  /** The verbs of the resource. Default: all verbs. Discovery shows the verbs of one organisation. */
  readonly verbs?: readonly Verb[];
  readonly fields: Readonly<Record<string, Field>>;
  readonly columns: readonly string[];
  /** Additional columns for wide terminals, most useful first. */
  readonly wide?: readonly string[];
  readonly relations?: Readonly<Record<string, Relation>>;
  readonly filters: Readonly<Record<string, Filter>>;
  /** True if the documentation lists every parameter. An unknown parameter is then an error. By default, svc sends the parameter. */
  readonly parametersComplete?: true;
  /** The documented default order, in the form of `--sort`. Absent without a documented order. */
  readonly defaultSort?: string;
  /** True if people change the order by dragging. Page numbers can then skip or repeat rows (rule 8.26). */
  readonly reorderable?: true;
  readonly shortcuts?: readonly Shortcut[];
  readonly actions?: readonly Action[];
  readonly ownCommands?: readonly OwnCommand[];
  /** The create command under another name, such as `add` for worklogs. Default: `create`. */
  readonly createAs?: { readonly name: string; readonly aliases: readonly string[]; readonly summary: string };
  /** True if paths accept a work item key instead of an id. */
  readonly keyed?: true;
  readonly parent?: Parent;
  /**
   * The resource whose path leads to single records of this child list, such as `subtasks`. Absent if single records are also under the
   * parent.
   */
  readonly itemsOf?: string;
  readonly nested?: readonly Resource[];
  readonly described?: Described;
  readonly notes?: readonly Note[];
  readonly examples?: readonly ResourceExample[];
}

/** A note in help, of one or two full sentences. With `on`, only the help of these commands and of the resource shows the note. */
export type Note = string | { readonly on: readonly Verb[]; readonly text: string };

export type ResourceExample = readonly [verb: string, args: string, does: string];

/** A group of resources: a chapter of the service’s documentation, and a line of `svc --help`. */
export interface Area {
  readonly title: string;
  readonly resources: readonly Resource[];
}

type Defaulted = 'singular' | 'path' | 'ability' | 'counted' | 'filters';

type ResourceSpec<FieldName extends string> = Omit<Resource, Defaulted | 'fields' | 'columns' | 'wide'> &
  Partial<Pick<Resource, Defaulted>> & {
    readonly fields: Readonly<Record<FieldName, Field>>;
    readonly columns: readonly NoInfer<FieldName | 'id' | keyof typeof STAMPS>[];
    readonly wide?: readonly NoInfer<FieldName>[];
  };

/**
 * Creates a resource from an entry of the catalog. A column that is not a field is a type error.
 *
 * Every record has an id, and timestamps by which you can filter. The default of `singular` is `noun` without its final s. The defaults of
 * `path` and `ability` come from `noun`. An undocumented object next to a foreign key (`project` and `project_id`) counts as a relation.
 */
export function defineResource<const FieldName extends string>(spec: ResourceSpec<FieldName>): Resource {
  const { noun, singular = singularIn(noun), parent, ability = noun.replaceAll('-', '_') } = spec;
  const fields: Readonly<Record<string, Field>> = { id: { kind: 'id' }, ...spec.fields, ...STAMPS };
  const filters = { ...spec.filters, ...(spec.parametersComplete ? STAMP_FILTERS : ASSUMED_STAMP_FILTERS) };
  const path = parent === undefined ? `/${noun}` : childPath(parent, noun);
  const shortcuts = [...(spec.shortcuts ?? []), ...mine(filters)];
  return { path, counted: true, relations: impliedRelations(fields), ...spec, singular, ability, fields, filters, shortcuts };
}

const STAMPS = { created_at: { kind: 'date-time' }, updated_at: { kind: 'date-time' } } as const satisfies Record<string, Field>;

const STAMP_FILTERS: Readonly<Record<string, Filter>> = {
  created_at: { kind: 'date-time', operators: ['gte', 'lt'] },
  updated_at: { kind: 'date-time', operators: ['gte', 'lt'] },
};

const ASSUMED_STAMP_FILTERS: Readonly<Record<string, Filter>> = {
  created_at: { kind: 'date-time', operators: ['gte', 'lt'], assumed: true },
  updated_at: { kind: 'date-time', operators: ['gte', 'lt'], assumed: true },
};

function singularIn(noun: string): string {
  return noun.replace(/s$/, '');
}

function impliedRelations(fields: Readonly<Record<string, Field>>): Readonly<Record<string, Relation>> {
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === 'json' && fields[name].assumed && `${name}_id` in fields);
  return Object.fromEntries(names.map((name) => [name, { assumed: true }]));
}

function childPath({ noun: of, parameter }: Parent, noun: string): string {
  return `/${of}/{${parameter}}/${noun}`;
}

function mine(filters: Readonly<Record<string, Filter>>): readonly Shortcut[] {
  const field = ['user_id', 'assignee_id'].find((name) => filters[name]?.kind === 'user');
  return field === undefined ? [] : [{ flag: 'mine', summary: 'Show only your own records', sets: [{ field, value: 'me' }] }];
}

/**
 * Makes the records of `resource` a list of child records of `parent`. svc lists and creates the records under the parent. Single records
 * have their own path. The path contains the parent, so the parent is neither a flag nor a filter. `noun` is the last part of the path,
 * such as `rows`.
 */
export function defineChild(
  parent: Parent,
  noun: string,
  resource: Resource,
  own: Pick<Resource, 'summary' | 'examples' | 'notes'>,
): Resource {
  const { actions: _, ownCommands: _own, nested: __, parametersComplete: ___, ...rest } = resource;
  const key = `${parent.parameter}_id`;
  const { write: ____, required: _____, ...keyField } = resource.fields[key] ?? { kind: 'id' as const };
  return {
    ...rest,
    noun,
    singular: singularIn(noun),
    counted: true,
    parent,
    itemsOf: resource.noun,
    path: childPath(parent, noun),
    verbs: ['list', 'create'],
    fields: { ...resource.fields, [key]: keyField },
    filters: Object.fromEntries(Object.entries(resource.filters).filter(([name]) => name !== key)),
    shortcuts: (resource.shortcuts ?? []).filter(({ sets }) => sets.every(({ field }) => field !== key)),
    ...own,
    notes: [...(own.notes ?? []), `To read, change or delete one record by its id, see svc ${resource.noun} --help.`],
  };
}
