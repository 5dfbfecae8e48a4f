import { refusedDocument, shown } from './refused-document.ts';

/** Levels of nesting, more than people or their tools write. */
export const MOST_LEVELS = 200;

/** Lists and tables, each counted for every reference to it: aliases of YAML turn few into many. */
const MOST_NODES = 2_000_000;
const MOST_REFS = 250_000;

/** Members with data as their values, in which `$ref` has no meaning. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const', 'value']);

/**
 * Checks that a document is not too large, deep or entangled to read, before svc follows a `$ref` in it. Each `$ref` must stay inside the
 * document.
 *
 * @throws UsageError
 */
export function checkBounds(root: object): void {
  /** The number of nodes in a node, itself included; 0 while svc counts it. */
  const sizes = new Map<object, number>();
  let refs = 0;

  function count(node: object, level: number, isData: boolean): number {
    const known = sizes.get(node);
    if (known === 0) throw refusedDocument('The document contains itself: an alias of its YAML leads back to what it is in.');
    if (known !== undefined) return known;
    if (level > MOST_LEVELS) throw refusedDocument(`The document is nested more than ${MOST_LEVELS} levels deep, which svc does not read.`);
    sizes.set(node, 0);
    let size = 1;
    for (const key in node) {
      const value = (node as Record<string, unknown>)[key];
      if (typeof value === 'object' && value !== null) size += count(value, level + 1, isData || DATA.has(key) || key.startsWith('x-'));
      else if (key === '$ref' && typeof value === 'string' && !isData) checkRef(value);
      if (size > MOST_NODES)
        throw refusedDocument(`The document has more than ${MOST_NODES.toLocaleString('en')} lists and tables, the most that svc reads.`);
    }
    sizes.set(node, size);
    return size;
  }

  function checkRef(ref: string): void {
    if (!ref.startsWith('#')) {
      throw refusedDocument(
        `The document refers to another one, ${shown(ref)}, and svc fetches nothing that nobody typed.`,
        'Nothing was changed. Bundle it into one document first, for example with: npx @redocly/cli bundle',
      );
    }
    refs += 1;
    if (refs > MOST_REFS)
      throw refusedDocument(`The document has more than ${MOST_REFS.toLocaleString('en')} references, the most that svc follows.`);
  }

  count(root, 0, false);
}
