import type { Operation } from '../catalog/define.ts';
import type { ValueKind } from '../values/kind.ts';

/**
 * What an organisation's OpenAPI description says of its service, compiled into the form that the catalog has. One file a noun, and an
 * index of them, so that a command reads its own noun and nothing else. Only what the description says is here: what is absent was not
 * described, which is not the same as not being there.
 */

/** What there is of an imported description, without the nouns themselves. */
export interface DescribedIndex {
  /** Of this form; another is no reason to fail but to import again. */
  readonly form: 1;
  /** Of the document: its title, its own version and the version of OpenAPI that it is written in. */
  readonly title: string;
  readonly version: string;
  readonly openapi: string;
  /** SHA-256 of the document as it was read, in hexadecimal. */
  readonly digest: string;
  /** When it was imported, as `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly importedAt: string;
  /** What was typed: a file's name, `-`, or an address on the organisation's origin. */
  readonly source: string;
  readonly nouns: readonly DescribedEntry[];
}

/** A noun in the index: what a list of nouns needs. */
export interface DescribedEntry {
  readonly noun: string;
  readonly singular: string;
  readonly summary: string;
}

/** A collection, its records, and what can be done with them. */
export interface DescribedNoun extends DescribedEntry {
  /** Of the collection, below the API, with `{name}` for a parent. Null: it has items and no collection. */
  readonly path: string | null;
  /** Of one record: `/absences/{absence}`. Null: there is none. */
  readonly itemPath: string | null;
  readonly description?: string;
  /** The name of its schema in the document: `Absence`. */
  readonly schema?: string;
  /** The fields of a record and of bodies, by name, in the order of the document. */
  readonly fields: Readonly<Record<string, DescribedField>>;
  /** What its list takes. Absent: it has no list. */
  readonly list?: DescribedList;
  /** Relations that `include` takes, by path. Absent: not described; empty: none. */
  readonly includes?: Readonly<Record<string, { readonly many?: true; readonly ref?: string }>>;
  /** The fields that each view holds. Absent: not described. */
  readonly views?: { readonly summary?: readonly string[]; readonly detail?: readonly string[] };
  /** Every operation: list, get, create, update and delete, and whatever else lies below its paths. */
  readonly operations: readonly DescribedOperation[];
  /** Collections below one record. */
  readonly nested?: readonly DescribedNoun[];
}

/** A property, as a record shows it and as bodies take it. */
export interface DescribedField {
  readonly kind: ValueKind;
  readonly summary?: string;
  /** Bodies that take it. Absent: none does, it is read-only. */
  readonly write?: 'create' | 'update' | 'both';
  readonly required?: true;
  readonly nullable?: true;
  /** Known values of an enum, and whether others may come. */
  readonly values?: readonly string[];
  readonly extensible?: true;
  /** The noun that it refers to, where the document tells. */
  readonly ref?: string;
  /** Only bodies have it; records do not show it. */
  readonly writeOnly?: true;
  readonly deprecated?: true;
}

/** The parameters of a collection. */
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
  /** What it does unless told otherwise, as `sort` would have it. */
  readonly defaultSort?: string;
  /** It takes `page`, and so counts its rows. */
  readonly paged: boolean;
  /** It takes `q`. */
  readonly search: boolean;
  /** Values that `trashed` takes. Absent: it does not take it. */
  readonly trashed?: readonly string[];
  /** The most rows of a page. */
  readonly maxPerPage?: number;
}

/** One method of one path. */
export interface DescribedOperation extends Operation<DescribedField> {
  readonly deprecated?: true;
}
