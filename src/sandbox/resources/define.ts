import type { Database } from '../db.ts';
import type { Interpretations } from '../interpretations.ts';
import type { Json, Row, Values } from '../json.ts';

type FieldType =
  | 'integer'
  | 'string'
  | 'html'
  | 'markdown'
  | 'date'
  | 'datetime'
  | 'time'
  | 'minutes'
  | 'money'
  | 'decimal'
  | 'percent'
  | 'boolean'
  | 'enum'
  | 'coordinate'
  | 'reference'
  | 'references'
  | 'object';

export type Operator = 'eq' | 'gte' | 'lt' | 'lte' | 'in' | 'null';

export interface FieldSurroundings {
  readonly db: Database;
  readonly origin: string;
  readonly interpretations: Interpretations;
}

export interface ServedField {
  readonly type: FieldType;
  readonly nullable?: boolean;
  /**
   * Shows whether a create must or can have the field in its body. Absent for a read-only field, which the sandbox refuses like an unknown
   * field.
   */
  readonly write?: 'required' | 'optional';
  /** The value in a new record if the body lacks the field. Default: null. */
  readonly default?: Json;
  readonly values?: readonly string[];
  readonly to?: string;
  /** The name of the relation of a `reference`. Default: the name of the field without `_id`. */
  readonly as?: string;
  /** The operators of the filter. `true`: all operators of the type. A list: equality and these operators. Absent: no filter. */
  readonly filter?: true | readonly Operator[];
  readonly filterOthers?: string;
  readonly sort?: boolean;
  /**
   * The views that show the field.
   *
   * - `detail`: only the detail view.
   * - `unsure`: the documentation does not say whether the summary view has the field. `unsure-id`: the same, for a foreign key.
   * - `demand`: only if `include` names the field.
   * - `always`: every summary view, and the detail view.
   * - Absent: both views. If the option `summary` is `bare`, a summary view has the field only if a create requires the field.
   * - `never`: only request bodies.
   */
  readonly shown?: 'always' | 'unsure' | 'unsure-id' | 'detail' | 'demand' | 'never';
  /** Calculates the value, so the sandbox stores no value. Undefined if the record has no such field. */
  readonly compute?: (row: Row, around: FieldSurroundings) => Json | undefined;
  /** Returns the value that filters compare. Default: the stored value. */
  readonly compared?: (row: Row, around: FieldSurroundings) => Json;
  /** Returns the value that records show. Default: the compared or stored value. Undefined if the record has no such field. */
  readonly written?: (row: Row, around: FieldSurroundings) => Json | undefined;
  readonly when?: (interpretations: Interpretations) => boolean;
  readonly storedAs?: string;
  /** True if the service offers no relation for this reference. */
  readonly alone?: true;
  /** Returns true if a record can lack the field although the view has it. Default: false. */
  readonly mayLack?: (interpretations: Interpretations) => boolean;
  /** Returns true if bodies and filters accept a date for this date-time. Default: false. */
  readonly takesDates?: (interpretations: Interpretations) => boolean;
  readonly shows?: (interpretations: Interpretations) => JsonSchema;
  readonly takes?: JsonSchema;
}

export function takenType(field: ServedField, interpretations: Interpretations): FieldType {
  return field.takesDates?.(interpretations) === true ? 'date' : field.type;
}

export type JsonSchema = { readonly [keyword: string]: Json };

/** Returns the schema of an object that can have further properties. @param required names of required properties. Default: all. */
export function objectOf(properties: { readonly [name: string]: JsonSchema }, required = Object.keys(properties)): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** `by`: the field of the related records that has this record’s id. `ids`: the field of this record that lists the related ids. */
export type ToMany = { readonly resource: string; readonly by: string } | { readonly resource: string; readonly ids: string };

export interface ServedChild {
  readonly parent: string;
  readonly segment: string;
  readonly by: string;
  readonly counted: boolean;
}

export type ServedVerb = 'list' | 'get' | 'create' | 'update' | 'delete';

export interface Actor {
  readonly user: Row;
  may(permission: string): boolean;
}

export interface ValidWrite {
  readonly kind: 'create' | 'update' | 'delete';
  readonly values: Values;
  readonly row?: Row;
  readonly actor: Actor;
  readonly db: Database;
  readonly now: number;
  readonly interpretations: Interpretations;
}

/** An action with its own path, such as `POST /rooms/{room}/actions/close`. */
export interface ResourceAction {
  readonly name: string;
  readonly summary: string;
  readonly fields: Readonly<Record<string, ServedField>>;
  /** The fields that the action sets. If a record already has all these values, the action answers with a conflict. */
  readonly sets: Values;
}

/** A resource before the sandbox connects it with the other resources of its service. */
export type DefinedResource = Omit<ServedResource, 'other'>;

export interface ServedResource {
  readonly name: string;
  readonly path: string;
  readonly schema: string;
  readonly parameter: string;
  /** The resource names in abilities that give access. Permissions use the first name. */
  readonly prefixes: readonly [string, ...string[]];
  /** For drives: returns the resource name of the ability that gives access to a row. */
  readonly prefixOf?: (row: Row, db: Database) => string;
  readonly fields: Readonly<Record<string, ServedField>>;
  readonly many: Readonly<Record<string, ToMany>>;
  readonly topLevel: boolean;
  readonly nested: readonly ServedChild[];
  readonly counted: boolean;
  readonly verbs: readonly ServedVerb[];
  /** The fields that `q` searches. Empty if the list has no search. */
  readonly search: readonly string[];
  /** The default order in the form of `sort`, such as `-start`. */
  readonly defaultSort: string;
  /** True if people change the default order by dragging. Page numbers can then skip or repeat rows. */
  readonly reorderable: boolean;
  readonly softDelete: boolean;
  readonly feature?: string;
  /** The number of seconds in `Cache-Control: private, max-age=…` on reads. Absent for `private, no-store`. */
  readonly cacheSeconds?: number;
  /** The permission for each verb. Null if a verb needs no permission. `list` also applies to `get`. */
  readonly permissions: Readonly<Record<'list' | 'create' | 'update' | 'delete', string | null>>;
  /** The field with the owner of a record. Owners need no permission to write their own records. Absent if records have no owner. */
  readonly own?: string;
  /** A field that paths accept instead of the id, such as `issue_key`. Absent if paths accept only the id. */
  readonly key?: { readonly field: string; readonly pattern: RegExp };
  readonly visible?: (row: Row, actor: Actor) => boolean;
  /** Applies the rules of this resource and returns additional values to store. @throws Problem if a rule refuses the write. */
  readonly prepare?: (change: ValidWrite) => Values;
  readonly follow?: (created: Row, change: ValidWrite) => void;
  /** `unsure` if the documentation does not say that the summary view has `links`. Absent if every view has `links`. */
  readonly linksShown?: 'unsure';
  readonly actions?: readonly ResourceAction[];
  /** Finds another resource of the same service by its name. @throws RangeError for an unknown name. */
  readonly other: (name: string) => ServedResource;
}

type Given = 'name' | 'path' | 'other' | 'actions';
type Checked = 'fields' | 'search' | 'defaultSort' | 'own' | 'key' | 'permissions';

interface Spec<Name extends string> extends Partial<Omit<ServedResource, Given | Checked>> {
  readonly fields: { readonly [N in Name]: ServedField };
  readonly search?: readonly NoInfer<Name>[];
  readonly defaultSort?: NoInfer<Name> | `-${NoInfer<Name>}` | 'id' | '-id';
  readonly own?: NoInfer<Name>;
  readonly key?: { readonly field: NoInfer<Name>; readonly pattern: RegExp };
  readonly permissions?: Partial<ServedResource['permissions']>;
}

const STAMPS: Readonly<Record<string, ServedField>> = {
  created_at: { type: 'datetime', shown: 'always', filter: true, sort: true },
  updated_at: { type: 'datetime', shown: 'always', filter: true, sort: true },
};

/**
 * Defines a resource, and adds the common fields: id and timestamps. By default, the resource has all five verbs, and the names of its
 * schema, abilities and permissions come from `name`. The values of `spec` take precedence.
 *
 * @param name path of the list without the slash, such as `work-items`.
 */
export function defineServedResource<const Name extends string>(name: string, spec: Spec<Name>): DefinedResource {
  const one = singular(name);
  const { prefixes = [name.replaceAll('-', '_')], softDelete = false } = spec;
  const [prefix] = prefixes;
  return {
    schema: one.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    parameter: one.replaceAll('-', '_'),
    many: {},
    topLevel: true,
    nested: [],
    counted: false,
    verbs: ['list', 'get', 'create', 'update', 'delete'],
    search: [],
    defaultSort: 'id',
    reorderable: false,
    ...spec,
    name,
    path: name,
    prefixes,
    softDelete,
    fields: {
      id: { type: 'integer', shown: 'always', sort: true },
      ...(spec.fields as Readonly<Record<string, ServedField>>),
      ...STAMPS,
      ...(softDelete && { deleted_at: { type: 'datetime', nullable: true } as const }),
    },
    permissions: {
      list: `${prefix}::read`,
      create: `${prefix}::create`,
      update: `${prefix}::update`,
      delete: `${prefix}::delete`,
      ...spec.permissions,
    },
  };
}

function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  if (name.endsWith('statuses') || name.endsWith('branches')) return name.slice(0, -2);
  return name.slice(0, -1);
}

export function relationName(name: string, field: ServedField): string | undefined {
  if (field.type !== 'reference' || field.alone === true) return undefined;
  return field.as ?? name.replace(/_id$/, '');
}

/** Returns the names of the to-one relations of a resource, and of its fields that only `include` shows. */
export function toOneNames({ fields }: Pick<ServedResource, 'fields'>): string[] {
  return Object.entries(fields).flatMap(([name, field]) => relationName(name, field) ?? (field.shown === 'demand' ? name : []));
}

export function storedName(name: string, { storedAs }: ServedField): string {
  return storedAs ?? name;
}
