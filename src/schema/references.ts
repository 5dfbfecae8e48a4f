import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { refusedDocument, shown } from './names.ts';

/** An object in an API spec, of any form. */
export type DocumentTable = Readonly<Record<string, unknown>>;

export interface ReferenceTarget {
  readonly value: DocumentTable;
  /** The last part of the reference, such as `Absence`. */
  readonly name: string;
}

/**
 * Returns the target of a `$ref`, even through several other references.
 *
 * @throws UsageError for a reference to nothing, to a value that is not an object, or to itself.
 */
export type FollowReference = (ref: string) => ReferenceTarget;

/**
 * Prepares to follow the references of a document. svc remembers their targets.
 *
 * @param root document that {@link readDocument} has checked.
 */
export async function openReferences(root: DocumentTable): Promise<FollowReference> {
  // svc removes `$id` and `id`, so that the document has no URL of its own. References then stay inside the document.
  const { $id: _, id: __, $schema: ___, ...rest } = root;
  const refs = await $RefParser.resolve({ ...rest, openapi: '3.0.0' }, { resolve: { external: false } });
  const known = new Map<string, ReferenceTarget>();
  return (ref) => {
    const target = known.get(ref) ?? { value: read(ref), name: nameOf(ref) };
    known.set(ref, target);
    return target;
  };

  function read(ref: string): DocumentTable {
    let value: unknown;
    try {
      value = refs.get(ref as never);
    } catch (error) {
      // A RangeError means that the parser would follow more than five hundred references in a row.
      const why = error instanceof RangeError ? 'which needs too many references' : 'which the document does not have';
      throw refusedDocument(`The document refers to ${shown(ref)}, ${why}.`);
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw refusedDocument(`The document refers to ${shown(ref)}, which is not an object.`);
    const table = value as DocumentTable;
    if (table['$ref'] === ref || (typeof table['$ref'] === 'string' && Object.keys(table).length === 1))
      throw refusedDocument(`The document’s reference ${shown(ref)} refers to itself.`);
    return table;
  }
}

function nameOf(ref: string): string {
  return (ref.split('/').at(-1) ?? '').replace(/~1/g, '/').replace(/~0/g, '~');
}

export function isTable(value: unknown): value is DocumentTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the members of an object as names and values. Returns an empty list for any other value. */
export function membersOf(value: unknown): [string, unknown][] {
  return isTable(value) ? Object.entries(value) : [];
}

/** Returns the strings of a list. Returns an empty list for any other value. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}
