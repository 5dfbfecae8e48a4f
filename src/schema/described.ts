import type { Operation } from '../catalog/define.ts';
import type { ValueKind } from '../values/kind.ts';

/**
 * Types for an organisation’s API spec in the form of the catalog. The index lists the resources. Each resource has its own file, so that a
 * command reads only one resource. An absent value means that the spec does not state the fact.
 */

/** The index of an imported API spec, without the resources themselves. */
export interface DescribedIndex {
  /** The version of the stored form. svc does not read an index with another version. */
  readonly form: 1;
  /** `title` and `version`: the title and version of the document. `openapi`: the version of OpenAPI. */
  readonly title: string;
  readonly version: string;
  readonly openapi: string;
  /** The SHA-256 digest of the document as svc read it, in hexadecimal. */
  readonly digest: string;
  /** The time of the import, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly importedAt: string;
  /** The origin as the user typed it: a file name, `-`, or a URL of the organisation. */
  readonly source: string;
  readonly nouns: readonly DescribedEntry[];
}

export interface DescribedEntry {
  readonly noun: string;
  readonly singular: string;
  readonly summary: string;
}

/** A resource of an API spec, with its fields and operations. */
export interface DescribedResource extends DescribedEntry {
  /**
   * The path of the list, without the path of the API (`/api/v2`), with `{name}` for a parent. Null if the resource has neither a list nor
   * a create.
   */
  readonly path: string | null;
  /** The path of one record, such as `/absences/{absence}`. Null if records have no path. */
  readonly itemPath: string | null;
  readonly description?: string;
  /** The name of the record’s schema in the document, such as `Absence`. Absent for a schema without a name. */
  readonly schema?: string;
  /** The fields of records and request bodies by name, in the order of the document. */
  readonly fields: Readonly<Record<string, DescribedField>>;
  readonly list?: DescribedList;
  /** The relations that `include` accepts, by path. Absent if the spec does not describe relations. Empty if there are no relations. */
  readonly includes?: Readonly<Record<string, { readonly many?: true; readonly ref?: string }>>;
  /** The fields of each view. Absent if the spec does not describe views. */
  readonly views?: { readonly summary?: readonly string[]; readonly detail?: readonly string[] };
  /** Every operation of the resource’s paths: list, get, create, update, delete and others. */
  readonly operations: readonly DescribedOperation[];
  /** The child resources of one record. Absent without child resources. */
  readonly nested?: readonly DescribedResource[];
}

/** A property of a record or a request body, as the API spec describes it. */
export interface DescribedField {
  readonly kind: ValueKind;
  readonly summary?: string;
  /** The request bodies that accept the field. Absent if the field is read-only. */
  readonly write?: 'create' | 'update' | 'both';
  readonly required?: true;
  readonly nullable?: true;
  /** The kind of each value of a list. The field itself has the kind `json`. Absent for a field that is not a list. */
  readonly items?: ValueKind;
  readonly minimum?: number;
  readonly maximum?: number;
  /** `values`: the known values of an enum. `extensible`: true if other values are possible. */
  readonly values?: readonly string[];
  readonly extensible?: true;
  /** The resource that the field refers to. Absent if the document has no such resource. */
  readonly ref?: string;
  /** True for a field of request bodies that records never show. */
  readonly writeOnly?: true;
  readonly deprecated?: true;
}

export interface DescribedFilter extends Pick<DescribedField, 'kind' | 'values' | 'ref'> {
  readonly operators: readonly string[];
}

export interface DescribedList {
  /** The filters by field, from `filter[field]` and `filter[field][op]`. The operator `eq` means `filter[field]`. */
  readonly filters: Readonly<Record<string, DescribedFilter>>;
  /** The fields that `sort` accepts. Absent if the spec does not list the fields. */
  readonly sorts?: readonly string[];
  /** The default order, in the form of `sort`. Absent if the spec does not state the order. */
  readonly defaultSort?: string;
  /** True if the list accepts `page`, and therefore counts its rows. */
  readonly paged: boolean;
  /** True if the list accepts the search parameter `q`. */
  readonly search: boolean;
  /** The values that `trashed` accepts. Absent if the list has no such parameter. */
  readonly trashed?: readonly string[];
  /** The most rows that the service sends on one page. Absent if the spec does not state a limit. */
  readonly maxPerPage?: number;
}

/** An operation: one HTTP method of one path. */
export interface DescribedOperation extends Operation<DescribedField> {
  readonly deprecated?: true;
}

/** A stored import of an API spec: its index, and the prefix of the names of its files. */
export interface StoredImport extends DescribedIndex {
  /** The digest of the compiled resources, in sixteen hexadecimal digits. File names start with this digest. */
  readonly generation: string;
}

export interface StoredIndex extends StoredImport {
  /** The previous import, for `svc schema diff`. svc also keeps its resources. Absent after the first import. */
  readonly previous?: StoredImport;
}

/**
 * The basic type of each kind. A catalog’s kind can be more exact than a basic type, such as `duration` for an integer. svc keeps such a
 * kind if the API spec has the same basic type. Another exact kind of the spec replaces an assumed kind. In most other cases, the spec
 * takes precedence.
 */
export const JSON_TYPES: Readonly<Record<ValueKind, string>> = {
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
  number: 'number',
  boolean: 'boolean',
  enum: 'enum',
  json: 'json',
};

export function isKind(value: unknown): value is ValueKind {
  return typeof value === 'string' && Object.hasOwn(JSON_TYPES, value);
}
