/**
 * What the service has, as data. A resource is one `defineResource` entry; commands, help, completions and the
 * reference follow from it, and nothing else needs to change when one is added.
 */

/** How a value is typed, sent and shown. The value parsers of `values/` belong to these one to one. */
export type FieldKind =
  /** A record's own id, or another record's (`ref` names the resource). */
  | 'id'
  /** A user: an id or `me`. */
  | 'user'
  /** A work item: an id or a key; bodies and filters are sent the id. */
  | 'work-item'
  | 'integer'
  | 'string'
  /** Sanitised HTML. */
  | 'html'
  /** GitHub-Flavored Markdown. */
  | 'markdown'
  /** `YYYY-MM-DD`. */
  | 'date'
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  | 'date-time'
  /** `HH:MM`. */
  | 'time'
  /** Whole minutes. */
  | 'duration'
  /** Decimal string with two decimals. */
  | 'money'
  /** Decimal string of any precision. */
  | 'decimal'
  /** Integer 0 to 100. */
  | 'percentage'
  /** Read as a decimal string, written as a JSON number. */
  | 'coordinate'
  | 'boolean'
  /** One of a list that may grow: sent as typed, shown as it is. */
  | 'enum'
  /** A nested object or list; its shape is the service's own. */
  | 'json';

/** A field of a record. */
export interface Field {
  readonly kind: FieldKind;
  /** What it is, for help; only where the name does not say it. */
  readonly summary?: string;
  /** When a flag sets it: on `create`, on `update`, or on both. Absent: the service sets it. */
  readonly write?: 'create' | 'update' | 'both';
  /** `create` cannot do without it. */
  readonly required?: true;
  /** The flag's name without dashes. Default: the field's name in kebab-case, without a final `-id`. */
  readonly flag?: string;
  /** Known values of an enum. */
  readonly values?: readonly string[];
  /** The noun that an id refers to. */
  readonly ref?: string;
  /** The service's documentation does not show it; a refusal is explained with that in mind. */
  readonly assumed?: true;
}

/** A filter of a collection: `filter[field]` and `filter[field][operator]`. */
export interface Filter {
  readonly kind: FieldKind;
  /** Operators beside plain equality. */
  readonly operators: readonly FilterOperator[];
  readonly assumed?: true;
}

export type FilterOperator = 'gte' | 'lte' | 'gt' | 'lt' | 'in' | 'null';

/** A flag of `list` that stands for one or more filters, for what a person would look for. */
export interface Shortcut {
  /** Without dashes: `year`. */
  readonly flag: string;
  readonly summary: string;
  /** What the person types after it; absent for a switch. */
  readonly takes?: FieldKind | 'year';
  readonly sets: readonly ShortcutFilter[];
}

export interface ShortcutFilter {
  readonly field: string;
  readonly operator?: FilterOperator;
  /** Sent as it is, for a switch. */
  readonly value?: string;
  /** Of a span such as a year: its first or its last moment. */
  readonly edge?: 'first' | 'last';
}

/** A relation that `include` can add to a record. */
export interface Relation {
  readonly many?: true;
  readonly assumed?: true;
}

/** A state change beside the plain verbs: `POST <item>/actions/<name>`. Its command is `commands/actions/`. */
export interface Action {
  readonly name: string;
  readonly summary: string;
}

export type Verb = 'list' | 'get' | 'create' | 'update' | 'delete';

export interface ResourceSpec<FieldName extends string> {
  /** The path's name: kebab-case, plural. */
  readonly noun: string;
  readonly singular: string;
  /** One line, for the list of nouns: a capital, no full stop. */
  readonly summary: string;
  /** The collection's path below the API, with `{name}` for each parent. */
  readonly path: string;
  /** The prefix of its abilities: `api:read:<ability>`. */
  readonly ability: string;
  /** The collection counts its rows: takes `page`, always tells a total, refuses `with_total`. */
  readonly counted: boolean;
  /** What can be done. Default: everything; discovery knows better for one organisation. */
  readonly verbs?: readonly Verb[];
  readonly fields: Readonly<Record<FieldName, Field>>;
  /** Fields of a table, in order. */
  readonly columns: readonly NoInfer<FieldName>[];
  readonly relations?: Readonly<Record<string, Relation>>;
  readonly filters: Readonly<Record<string, Filter>>;
  /** Every filter is documented, so an unknown one is a mistake; else unknown ones are passed on. */
  readonly filtersComplete?: true;
  /** `q` is accepted; absent where it is documented that it is not. */
  readonly search?: boolean;
  readonly shortcuts?: readonly Shortcut[];
  readonly actions?: readonly Action[];
  /** The path takes a work item key where it takes an id. */
  readonly keyed?: true;
  /** What a person should know before using it, in full sentences. */
  readonly notes?: readonly string[];
  /** Arguments that make a good example, after `svc <noun> `. */
  readonly examples?: readonly ResourceExample[];
}

export interface ResourceExample {
  readonly verb: string;
  readonly args: string;
  readonly does: string;
}

/** A resource with its field names forgotten, as the commands use it. */
export type Resource = ResourceSpec<string>;

/** Checks an entry at compile time: a column that the record does not have is a type error. */
export function defineResource<const FieldName extends string>(spec: ResourceSpec<FieldName>): Resource {
  return spec;
}

/** Fields that nearly every record has. */
export const STAMPS = {
  created_at: { kind: 'date-time' },
  updated_at: { kind: 'date-time' },
} as const satisfies Record<string, Field>;

/** `filter[created_at]` and `filter[updated_at]` with the operators that are documented for them. */
export const STAMP_FILTERS = {
  created_at: { kind: 'date-time', operators: ['gte', 'lt'] },
  updated_at: { kind: 'date-time', operators: ['gte', 'lt'] },
} as const satisfies Record<string, Filter>;

/** The verbs a resource has. */
export function verbsOf(resource: Resource): readonly Verb[] {
  return resource.verbs ?? ['list', 'get', 'create', 'update', 'delete'];
}

/** The ability a method needs: `api:write:times`. */
export function abilityFor(resource: Pick<Resource, 'ability'>, method: string): string {
  const action = method === 'GET' ? 'read' : method === 'DELETE' ? 'destroy' : 'write';
  return `api:${action}:${resource.ability}`;
}

/** The flag of a field, without dashes: `work_item_id` is set by `--work-item`. */
export function flagOf(name: string, field: Field): string {
  return field.flag ?? name.replace(/_id$/, '').replaceAll('_', '-');
}

/** The most rows a page may have: 100; 25 with a to-many relation, 50 with `tags`. Unknown relations count as to-one. */
export function maxPerPage(resource: Pick<Resource, 'relations'>, include: readonly string[]): number {
  if (include.some((path) => isToMany(resource, path) && path !== 'tags')) return 25;
  return include.includes('tags') ? 50 : 100;
}

/** Whether an include path leads to many records, as far as the catalog knows. */
export function isToMany(resource: Pick<Resource, 'relations'>, path: string): boolean {
  return path === 'tags' || (resource.relations?.[path]?.many ?? false);
}
