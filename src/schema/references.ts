import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { refusedDocument, shown } from './refused-document.ts';

/** A table of a document. */
export type DocumentTable = Readonly<Record<string, unknown>>;

/** What a `$ref` leads to. */
export interface ReferenceTarget {
  readonly value: DocumentTable;
  /** The last part of the address it has: `Absence`. */
  readonly name: string;
}

/** Follows the references of one document, each once. */
export interface References {
  /**
   * What a `$ref` of the document leads to, through as many others as stand in between.
   *
   * @throws UsageError for one that leads nowhere, or back to itself.
   */
  follow(ref: string): ReferenceTarget;
}

/** @param root A document within bounds (bounds.ts). */
export async function createReferences(root: DocumentTable): Promise<References> {
  // Addresses lead into this document alone: no `$id` gives a part of it another one, so the parser need not look for any.
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

/** The members of a table that stand in it themselves; none where it is no table. */
export function membersOf(value: unknown): [string, unknown][] {
  return isTable(value) ? Object.entries(value) : [];
}

/** The texts of a list; none where it is no list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}
