import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { refusedDocument, shown } from './names.ts';

/** An object of a document. */
export type DocumentTable = Readonly<Record<string, unknown>>;

/** The target of a `$ref`. */
export interface ReferenceTarget {
  readonly value: DocumentTable;
  /** The last part of the reference: `Absence`. */
  readonly name: string;
}

/** Follows the references of one document, each once. */
export interface References {
  /**
   * Returns the target of a `$ref`, through any number of references in between.
   *
   * @throws UsageError for a reference that leads nowhere, or back to itself.
   */
  follow(ref: string): ReferenceTarget;
}

/** @param root a document within bounds (bounds.ts). */
export async function createReferences(root: DocumentTable): Promise<References> {
  // References stay inside this document: without `$id` no part of it has another address for the parser to find.
  const { $id: _, id: __, $schema: ___, ...rest } = root;
  const refs = await $RefParser.resolve({ ...rest, openapi: '3.0.0' }, { resolve: { external: false } });
  const known = new Map<string, ReferenceTarget>();
  return {
    follow(ref) {
      const found = known.get(ref);
      if (found !== undefined) return found;
      const target = { value: read(ref), name: nameOf(ref) };
      known.set(ref, target);
      return target;
    },
  };

  function read(ref: string): DocumentTable {
    let value: unknown;
    try {
      value = refs.get(ref as never);
    } catch (error) {
      // The parser follows five hundred in a row.
      const why = error instanceof RangeError ? 'which leads through more references than svc follows' : 'which it does not have';
      throw refusedDocument(`The document refers to ${shown(ref)}, ${why}.`);
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw refusedDocument(`The document refers to ${shown(ref)}, which is no table of names and values.`);
    const table = value as DocumentTable;
    if (table['$ref'] === ref || (typeof table['$ref'] === 'string' && Object.keys(table).length === 1))
      throw refusedDocument(`The document's reference ${shown(ref)} leads back to itself.`);
    return table;
  }
}

function nameOf(ref: string): string {
  return (ref.split('/').at(-1) ?? '').replace(/~1/g, '/').replace(/~0/g, '~');
}

export function isTable(value: unknown): value is DocumentTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the own members of a table; none for any other value. */
export function membersOf(value: unknown): [string, unknown][] {
  return isTable(value) ? Object.entries(value) : [];
}

/** Returns the strings of a list; none for any other value. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}
