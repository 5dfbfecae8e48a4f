import type { Operation } from '../catalog/define.ts';
import type { ValueKind } from '../values/kind.ts';

/**
 * An organisation’s OpenAPI spec, compiled into the form of the catalog. Each resource has a file, and an index lists them, so a command
 * reads only its own resource. A value that is absent here was not described; it may still exist.
 */

/** The index of an imported API spec, without the resources themselves. */
export interface DescribedIndex {
  /** Version of this form; svc asks for a new import if it finds another. */
  readonly form: 1;
  /** Title and version of the document, and the version of OpenAPI. */
  readonly title: string;
  readonly version: string;
  readonly openapi: string;
  /** SHA-256 of the document as read, in hexadecimal. */
  readonly digest: string;
  /** Time of the import, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly importedAt: string;
  /** The source as typed: a file name, `-`, or an address of the organisation. */
  readonly source: string;
  readonly nouns: readonly DescribedEntry[];
}

/** A resource in the index, for lists of resources. */
export interface DescribedEntry {
  readonly noun: string;
  readonly singular: string;
  readonly summary: string;
}

/** A resource with its records and operations. */
export interface DescribedNoun extends DescribedEntry {
  /** Path of the list, below the API, with `{name}` for a parent. Null: records without a list. */
  readonly path: string | null;
  /** Path of one record: `/absences/{absence}`. Null: none. */
  readonly itemPath: string | null;
  readonly description?: string;
  /** Name of its schema in the document: `Absence`. */
  readonly schema?: string;
  /** Fields of a record and of bodies, by name, in the order of the document. */
  readonly fields: Readonly<Record<string, DescribedField>>;
  /** Parameters of its list. Absent: it has no list. */
  readonly list?: DescribedList;
  /** Relations that `include` takes, by path. Absent: not described; empty: none. */
  readonly includes?: Readonly<Record<string, { readonly many?: true; readonly ref?: string }>>;
  /** Fields of each view. Absent: not described. */
  readonly views?: { readonly summary?: readonly string[]; readonly detail?: readonly string[] };
  /** Every operation: list, get, create, update, delete, and all others of its paths. */
  readonly operations: readonly DescribedOperation[];
  /** Child resources of one record. */
  readonly nested?: readonly DescribedNoun[];
}

/** A property of records and bodies. */
export interface DescribedField {
  readonly kind: ValueKind;
  readonly summary?: string;
  /** Bodies that take it. Absent: read-only. */
  readonly write?: 'create' | 'update' | 'both';
  readonly required?: true;
  readonly nullable?: true;
  /** Known values of an enum, and whether others are possible. */
  readonly values?: readonly string[];
  readonly extensible?: true;
  /** The resource that it refers to, if the document has it. */
  readonly ref?: string;
  /** Only bodies have it; records do not show it. */
  readonly writeOnly?: true;
  readonly deprecated?: true;
}

/** The parameters of a list. */
export interface DescribedList {
  /** `filter[field]` and `filter[field][op]`: `eq` stands for plain equality. */
  readonly filters: Readonly<
    Record<
      string,
      { readonly kind: ValueKind; readonly operators: readonly string[]; readonly values?: readonly string[]; readonly ref?: string }
    >
  >;
  /** Fields that `sort` takes; absent: not described. */
  readonly sorts?: readonly string[];
  /** The default, in the form of `sort`. */
  readonly defaultSort?: string;
  /** Whether it takes `page`, and so counts its rows. */
  readonly paged: boolean;
  /** Whether it takes `q`. */
  readonly search: boolean;
  /** Values that `trashed` takes. Absent: no such parameter. */
  readonly trashed?: readonly string[];
  /** The most rows of a page. */
  readonly maxPerPage?: number;
}

/** One method of one path. */
export interface DescribedOperation extends Operation<DescribedField> {
  readonly deprecated?: true;
}

/** One import: its index, and the prefix of its files. */
export interface KeptImport extends DescribedIndex {
  /** Digest of the compiled resources: sixteen hexadecimal digits. */
  readonly generation: string;
}

/** The stored index of a host. */
export interface KeptIndex extends KeptImport {
  /** The import before this one, for `svc schema diff`; its resources are stored too. */
  readonly previous?: KeptImport;
}

/**
 * The type of each kind in JSON. A kind of the catalog can be more exact than the type, such as `duration` for an integer. It stays if the
 * API spec has the same type; otherwise the spec is right.
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
  boolean: 'boolean',
  enum: 'enum',
  json: 'json',
};

/** Whether a word from outside is one of svc’s kinds of value. */
export function isKind(value: unknown): value is ValueKind {
  return typeof value === 'string' && Object.hasOwn(JSON_TYPES, value);
}
