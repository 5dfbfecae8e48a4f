import { createHash } from 'node:crypto';
import { ownEntry, readYaml, YamlError } from '../values/json.ts';
import { refusedDocument, shown } from './names.ts';
import { isTable } from './references.ts';

/**
 * The largest document that svc reads, in bytes. Typical documents have one megabyte, and the largest public documents have 12 megabytes.
 */
export const MOST_BYTES = 32 * 1024 * 1024;
/** The largest YAML document that svc reads, in bytes. Reading a document of this size takes a second or two. */
const MOST_YAML_BYTES = 8 * 1024 * 1024;

/**
 * An OpenAPI document, parsed from JSON or YAML. svc has checked only its size, its depth, its references, and the form of some members.
 */
export interface OpenApiDocument {
  readonly root: Readonly<Record<string, unknown>>;
  /** The SHA-256 digest of the document’s bytes, in hexadecimal. */
  readonly digest: string;
  /** The version of OpenAPI, such as `3.0.3` or `3.1.0`. */
  readonly openapi: string;
  /**
   * The parts whose form OpenAPI does not allow, and the version if it is later than 3.2. svc reads the document without the parts. At most
   * {@link MOST_IGNORED}.
   */
  readonly ignored: readonly IgnoredPart[];
}

export interface IgnoredPart {
  /** A JSON pointer such as `#/components/schemas/Room`, or an operation such as `GET /rooms`. */
  readonly at: string;
  /** The reason for a person, without a full stop. */
  readonly reason: string;
}

/** The most unused parts that svc reports. svc leaves all further unused parts out of the report. */
export const MOST_IGNORED = 1_000;

/**
 * Reads an OpenAPI document of version 3.0, 3.1, 3.2 or a later 3.x. Takes a few seconds at most.
 *
 * @throws UsageError for any other document, and for a document beyond the limits of size, depth and references.
 * @throws UsageError for a document that contains itself or refers to another document.
 */
export async function readDocument(bytes: Uint8Array): Promise<OpenApiDocument> {
  if (bytes.length > MOST_BYTES) throw tooLarge();
  const text = textOf(bytes);
  const root = /^\s*[{[]/.test(text) ? readJson(text) : await readBoundedYaml(text, bytes.length);
  if (!isTable(root)) throw refusedDocument('The document is not an API spec, because it is not an object.');
  const openapi = root['openapi'];
  if (typeof openapi !== 'string' || !/^3\.\d{1,3}(\.\d{1,3})?([-+][\w.-]{1,40})?$/.test(openapi)) {
    const old = typeof root['swagger'] === 'string' ? `Swagger ${shown(root['swagger'])}` : 'not an OpenAPI 3 spec';
    throw refusedDocument(
      `The document is ${old}. svc reads OpenAPI 3.0, 3.1 and 3.2.`,
      'Get the API spec in OpenAPI 3.1, or convert the document.',
    );
  }
  const ignored = checkBounds(root);
  if (!/^3\.[012](?!\d)/.test(openapi)) ignored.unshift({ at: '#/openapi', reason: `svc reads OpenAPI ${openapi} as 3.2` });
  return { root, digest: createHash('sha256').update(bytes).digest('hex'), openapi, ignored };
}

/** Creates the error for a document that is too large. svc can throw this error before it has read the whole document. */
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

/** The deepest nesting of a document. svc refuses a deeper document. Neither people nor tools write such a document. */
const MOST_LEVELS = 200;

/**
 * The most lists and objects in a document. svc refuses a larger document. An object counts once for each place, because YAML aliases can
 * multiply a few objects.
 */
const MOST_NODES = 2_000_000;
const MOST_REFS = 250_000;

/** The members whose values are data, so that a `$ref` in them is not a reference. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const', 'value']);

const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']);
/** The types of security schemes that OpenAPI defines. */
const SECURITY_TYPES: ReadonlySet<unknown> = new Set(['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect']);
const isSchema = (value: unknown) => isTable(value) || typeof value === 'boolean';
const isSchemas = (value: unknown) => Array.isArray(value) && value.every(isSchema);

/** The functions that test the form of a value, by member of a document. A function returns true if OpenAPI allows the form. */
const FORMS: Readonly<Record<string, (value: unknown) => boolean>> = {
  $ref: (value) => typeof value === 'string',
  type: (value) =>
    Array.isArray(value) ? value.length > 0 && value.every((type) => TYPES.has(type)) : TYPES.has(value) || SECURITY_TYPES.has(value),
  properties: (value) => isTable(value) && Object.values(value).every(isSchema),
  items: isSchema,
  schema: isSchema,
  enum: Array.isArray,
  allOf: isSchemas,
  oneOf: isSchemas,
  anyOf: isSchemas,
  content: (value) => isTable(value) && Object.values(value).every(isTable),
  requestBody: isTable,
  responses: isTable,
};

/** The members that contain names of the author’s choice. In these members, a name such as `type` has no special meaning. */
const NAMES: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'mapping', 'scopes', 'variables'],
  ...['paths', 'webhooks', 'pathItems', 'schemas', 'parameters', 'headers', 'content', 'responses', 'requestBodies'],
  ...['examples', 'links', 'callbacks', 'securitySchemes'],
]);

/**
 * Checks the size and depth of a document before svc follows its references. Each `$ref` must stay inside the document.
 *
 * @returns the parts whose form OpenAPI does not allow.
 * @throws UsageError if the document is too large, too deep, or has too many references.
 * @throws UsageError if the document contains itself or refers to another document.
 */
function checkBounds(root: object): IgnoredPart[] {
  /** The number of nodes in each node, including itself. 0 while svc is still counting the node. */
  const sizes = new Map<object, number>();
  const ignored: IgnoredPart[] = [];
  /** The names of the members on the way to the node that svc is counting. */
  const place: string[] = [];
  let refs = 0;

  function count(node: object, level: number, isData: boolean, hasNames: boolean): number {
    const known = sizes.get(node);
    if (known === 0) throw refusedDocument('The document contains itself: a YAML alias refers to a part that contains the alias.');
    if (known !== undefined) return known;
    if (level > MOST_LEVELS)
      throw refusedDocument(`The document is nested more than ${MOST_LEVELS} levels deep, which is too deep for svc.`);
    sizes.set(node, 0);
    let size = 1;
    for (const key in node) {
      const value = (node as Record<string, unknown>)[key];
      if (!isData && !hasNames && ignored.length < MOST_IGNORED && ownEntry(FORMS, key)?.(value) === false)
        ignored.push({
          at: shown(`#/${[...place, key].map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`),
          reason: `${shown(JSON.stringify(value)?.slice(0, 200))} is not allowed here`,
        });
      if (typeof value === 'object' && value !== null) {
        place.push(key);
        size += count(
          value,
          level + 1,
          isData || (!hasNames && (DATA.has(key) || key.startsWith('x-'))),
          !hasNames && NAMES.has(key) && isTable(value),
        );
        place.pop();
      } else if (key === '$ref' && typeof value === 'string' && !isData) checkRef(value);
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
        'svc changed nothing. Combine the documents into one file first, for example with redocly bundle.',
      );
    }
    refs += 1;
    if (refs > MOST_REFS)
      throw refusedDocument(`The document has more than ${MOST_REFS.toLocaleString('en')} references, the most that svc follows.`);
  }

  count(root, 0, false, false);
  return ignored;
}
