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

/** The surroundings that a field may need to be shown. */
export interface FieldSurroundings {
  readonly db: Database;
  /** `http://127.0.0.1:8080`, without a slash at the end. */
  readonly origin: string;
  readonly interpretations: Interpretations;
}

export interface ServedField {
  readonly type: FieldType;
  readonly nullable?: boolean;
  /** Whether a body may name it. Absent: read-only, and a body that names it is refused as for an unknown key. */
  readonly write?: 'required' | 'optional';
  /** The value of a new record whose body does not name it. Absent: null. */
  readonly default?: Json;
  /** For `enum`. */
  readonly values?: readonly string[];
  /** For `reference` and `references`: the resource it points to. */
  readonly to?: string;
  /** For `reference`: the name of the relation where it is not the field's name without `_id`. */
  readonly as?: string;
  /** `true`: the operators that fit the type. A list: `eq` and exactly these. Absent: no filter. */
  readonly filter?: true | readonly Operator[];
  /** The permission needed to filter by another user than oneself. */
  readonly filterOthers?: string;
  readonly sort?: boolean;
  /**
   * `detail`: left out of the summary view. `unsure`: the documentation does not say that the summary has it; `unsure-id`: of
   * these a foreign key. `demand`: only when `include` names it. `always`: even in the barest summary. `never`: bodies alone have it.
   */
  readonly shown?: 'always' | 'unsure' | 'unsure-id' | 'detail' | 'demand' | 'never';
  /** Makes the value from the row; nothing is stored. Undefined: the record has no such field. */
  readonly compute?: (row: Row, around: FieldSurroundings) => Json | undefined;
  /** The value that filters compare, where that is not the stored value. */
  readonly compared?: (row: Row, around: FieldSurroundings) => Json;
  /** The value that is shown, where that is neither the stored value nor the compared one. Undefined: the record has no such field. */
  readonly written?: (row: Row, around: FieldSurroundings) => Json | undefined;
  /** Whether there is such a field; absent: always. */
  readonly when?: (interpretations: Interpretations) => boolean;
  /** Its name in rows, where the service calls it something else; absent: the same. */
  readonly kept?: string;
  /** There is no relation beside the reference: `include` does not reach it. */
  readonly alone?: true;
  /** Whether a record may come without it, though the view has it; absent: never. */
  readonly mayLack?: (interpretations: Interpretations) => boolean;
  /** Whether bodies and filters take a date for this date-time; absent: never. */
  readonly takesDates?: (interpretations: Interpretations) => boolean;
  /** JSON Schema of the value that is shown, where the type is not enough. */
  readonly shows?: (interpretations: Interpretations) => JsonSchema;
  /** JSON Schema of the value that bodies take, where the type is not enough. */
  readonly takes?: JsonSchema;
}

/** The type of the values that bodies and filters take. */
export function takenType(field: ServedField, interpretations: Interpretations): FieldType {
  return field.takesDates?.(interpretations) === true ? 'date' : field.type;
}

/** A schema as OpenAPI 3.1 has it; `null` among its types. */
export type JsonSchema = { readonly [keyword: string]: Json };

/** An object of these properties; others may come. @param required Default: all of them. */
export function objectOf(properties: { readonly [name: string]: JsonSchema }, required = Object.keys(properties)): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Many related records: those whose `by` field holds this record's id, or those in this record's `ids` list. */
export type ToMany = { readonly resource: string; readonly by: string } | { readonly resource: string; readonly ids: string };

/** A collection under a record of another resource: `/work-items/{work_item}/subtasks`. */
export interface ServedChild {
  readonly parent: string;
  readonly segment: string;
  /** The field of the child that holds the parent's id. */
  readonly by: string;
  /** Whether it counts rows, and so takes `page`. */
  readonly counted: boolean;
}

export type ServedVerb = 'list' | 'get' | 'create' | 'update' | 'delete';

/** The sender of a request. */
export interface Actor {
  readonly user: Row;
  may(permission: string): boolean;
}

/** A write that passed validation. */
export interface ValidWrite {
  readonly kind: 'create' | 'update' | 'delete';
  /** The fields of the body. */
  readonly values: Values;
  /** The record as it is now; absent on create. */
  readonly row?: Row;
  readonly actor: Actor;
  readonly db: Database;
  readonly now: number;
  readonly interpretations: Interpretations;
}

/** A change of state that has an address of its own: `POST /rooms/{room}/actions/close`. */
export interface ResourceAction {
  readonly name: string;
  readonly summary: string;
  /** Members of its body; they are stored under their names. */
  readonly fields: Readonly<Record<string, ServedField>>;
  /** Fields that it sets; a record that has all of these values already is in conflict. */
  readonly sets: Values;
}

/** One resource as it is defined, before it knows the others of its service. */
export type DefinedResource = Omit<ServedResource, 'other'>;

/** One resource: everything the sandbox's engine needs to serve it, as data. */
export interface ServedResource {
  /** Its name in the sandbox, and that of its table: `work-items`. */
  readonly name: string;
  /** As its collection's path has it, without the slash. */
  readonly path: string;
  /** `WorkItem`. */
  readonly schema: string;
  /** The name of its id in a path template: `work_item`. */
  readonly parameter: string;
  /** The resource prefixes whose abilities open it; the first is also the prefix of its permissions. */
  readonly prefixes: readonly [string, ...string[]];
  /** For a drive: the one prefix that opens this row. */
  readonly prefixOf?: (row: Row, db: Database) => string;
  readonly fields: Readonly<Record<string, ServedField>>;
  readonly many: Readonly<Record<string, ToMany>>;
  /** `false`: only reached through its parents. */
  readonly topLevel: boolean;
  readonly nested: readonly ServedChild[];
  /** Whether the top-level collection counts rows (rule 8.27). */
  readonly counted: boolean;
  readonly verbs: readonly ServedVerb[];
  /** Text fields that `q` searches; empty: no `q`. */
  readonly search: readonly string[];
  /** As in the `sort` parameter: `-start`. */
  readonly defaultSort: string;
  /** The default order is one that people change by dragging; page numbers may skip or repeat rows. */
  readonly reorderable: boolean;
  readonly softDelete: boolean;
  /** The feature without which the resource is not there. */
  readonly feature?: string;
  /** `Cache-Control: private, max-age=…` on reads; absent: `private, no-store`. */
  readonly cacheSeconds?: number;
  /** The permission of each verb; null: none needed. `list` counts for `get` too. */
  readonly permissions: Readonly<Record<'list' | 'create' | 'update' | 'delete', string | null>>;
  /** The field with the owner: writing one's own record needs no permission. */
  readonly own?: string;
  /** A field that may stand for the id in paths: `issue_key`. */
  readonly key?: { readonly field: string; readonly pattern: RegExp };
  /** Rows that this person may see at all. */
  readonly visible?: (row: Row, actor: Actor) => boolean;
  /** Rules of this resource alone, before the write: throws a Problem, or returns further values to store. */
  readonly prepare?: (change: ValidWrite) => Values;
  /** Changes other records after a new one was made. */
  readonly follow?: (created: Row, change: ValidWrite) => void;
  /** `unsure`: the documentation does not say that the summary has `links`. */
  readonly linksShown?: 'unsure';
  /** Actions that need no code of their own. */
  readonly actions?: readonly ResourceAction[];
  /** Another resource of the same service, by its name. @throws RangeError when there is none. */
  readonly other: (name: string) => ServedResource;
}

/** Members that {@link defineServedResource} or the service sets. */
type Given = 'name' | 'path' | 'other' | 'actions';
type Checked = 'fields' | 'search' | 'defaultSort' | 'own' | 'key' | 'permissions';

/** A definition; what it leaves out has the defaults of {@link defineServedResource}. Its names of fields are checked. */
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
 * Adds what most resources share: id, timestamps and `links`, all five verbs, and a schema, a prefix and permissions named after it.
 * @param name As the collection's path names it, without the slash: `work-items`.
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

/** The name under which `include` reaches what a reference points to, or undefined for another field. */
export function relationName(name: string, field: ServedField): string | undefined {
  if (field.type !== 'reference' || field.alone === true) return undefined;
  return field.as ?? name.replace(/_id$/, '');
}

/** The name of a field in rows. */
export function keptName(name: string, { kept }: ServedField): string {
  return kept ?? name;
}
