import { createHash } from 'node:crypto';
import { readYaml, YamlError } from '../values/json.ts';
import { refusedDocument, shown } from './names.ts';

/** The largest size of a document, in bytes. Typical documents have one megabyte, and the largest public ones have 12. */
export const MOST_BYTES = 32 * 1024 * 1024;
/** The largest size of a YAML document, in bytes. Reading this much takes a second or two. */
const MOST_YAML_BYTES = 8 * 1024 * 1024;

/** An OpenAPI document, parsed from JSON or YAML. svc has checked only its size and depth. */
export interface OpenApiDocument {
  readonly root: Readonly<Record<string, unknown>>;
  /** The SHA-256 digest of the document’s bytes, in hexadecimal. */
  readonly digest: string;
  /** The version of OpenAPI, such as `3.0.3` or `3.1.0`. */
  readonly openapi: string;
}

/**
 * Reads an OpenAPI document of version 3.0, 3.1 or a later 3. Takes a few seconds at most.
 *
 * @throws UsageError for any other document, or for one that is too large, too deep or has too many references.
 */
export async function readDocument(bytes: Uint8Array): Promise<OpenApiDocument> {
  if (bytes.length > MOST_BYTES) throw tooLarge();
  const text = textOf(bytes);
  const root = /^\s*[{[]/.test(text) ? readJson(text) : await readBoundedYaml(text, bytes.length);
  if (!isTable(root)) throw refusedDocument('The document is not an API spec, because it is not an object.');
  const openapi = root['openapi'];
  if (typeof openapi !== 'string' || !/^3\.\d{1,3}(\.\d{1,3})?([-+][\w.-]{1,40})?$/.test(openapi)) {
    const old = typeof root['swagger'] === 'string' ? `Swagger ${shown(root['swagger'])}` : 'not an OpenAPI 3 spec';
    throw refusedDocument(`The document is ${old}. svc reads OpenAPI 3.0 and 3.1.`, 'Get the API spec in OpenAPI 3.1, or convert it.');
  }
  checkBounds(root);
  return { root, digest: createHash('sha256').update(bytes).digest('hex'), openapi };
}

/** Creates the error for a document that is too large. svc can throw it before it has read the whole document. */
export function tooLarge(): Error {
  return refusedDocument(
    `The document is larger than ${MOST_BYTES / 1024 / 1024} MB, the most that svc reads.`,
    'svc changed nothing. Remove the parts that svc does not use, such as examples.',
  );
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusedDocument('The document is not text in UTF-8.');
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // A document that starts like JSON could be YAML in flow style, but nobody writes an API spec that way.
    throw refusedDocument(`The document is not JSON: ${shown(error instanceof Error ? error.message : error)}`);
  }
}

async function readBoundedYaml(text: string, size: number): Promise<unknown> {
  if (size > MOST_YAML_BYTES) {
    throw refusedDocument(
      `The document is larger than ${MOST_YAML_BYTES / 1024 / 1024} MB of YAML, the most that svc reads.`,
      `svc changed nothing. Convert the document to JSON: svc reads up to ${MOST_BYTES / 1024 / 1024} MB.`,
    );
  }
  try {
    const root = await readYaml(text, { maxDepth: MOST_LEVELS, maxAliases: -1 });
    if (root !== undefined) return root;
    throw new YamlError('The document is empty.');
  } catch (error) {
    throw refusedDocument(`The document is not YAML: ${shown(error instanceof Error ? error.message : error)}`);
  }
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The deepest nesting that svc reads. Neither people nor tools write deeper documents. */
const MOST_LEVELS = 200;

/** The highest number of lists and objects. Each counts once per reference, because YAML aliases can multiply a few. */
const MOST_NODES = 2_000_000;
const MOST_REFS = 250_000;

/** The members whose values are data, so that a `$ref` in them is not a reference. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const', 'value']);

/**
 * Checks the size and depth of a document before svc follows its references. Each `$ref` must stay inside the document.
 *
 * @throws UsageError if the document is too large, too deep, or has too many references.
 */
function checkBounds(root: object): void {
  /** The number of nodes in each node, including itself. 0 while svc is still counting the node. */
  const sizes = new Map<object, number>();
  let refs = 0;

  function count(node: object, level: number, isData: boolean): number {
    const known = sizes.get(node);
    if (known === 0) throw refusedDocument('The document contains itself: a YAML alias refers to a part that contains the alias.');
    if (known !== undefined) return known;
    if (level > MOST_LEVELS)
      throw refusedDocument(`The document is nested more than ${MOST_LEVELS} levels deep, which is too deep for svc.`);
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
        `The document refers to another document, ${shown(ref)}, and svc does not fetch other documents.`,
        'svc changed nothing. Bundle the documents first, for example with: npx @redocly/cli bundle',
      );
    }
    refs += 1;
    if (refs > MOST_REFS)
      throw refusedDocument(`The document has more than ${MOST_REFS.toLocaleString('en')} references, the most that svc follows.`);
  }

  count(root, 0, false);
}
