import { loadTool } from '../../support/locked-tools.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came.
export type Loose = any;

/** The formats of the document that JSON Schema lacks. Their patterns define them. */
const OWN_FORMATS = ['minutes', 'money', 'decimal', 'percentage', 'coordinate', 'html', 'markdown', 'time-of-day', 'binary'];

/** The parts of ajv and ajv-formats that the tests use. */
interface AjvModule {
  readonly Ajv2020: new (options: { readonly strict: boolean; readonly allErrors: boolean }) => Ajv;
}

interface Ajv {
  addFormat(name: string, format: true): void;
  addSchema(schema: object, key: string): void;
  getSchema(pointer: string): Check | undefined;
}

interface Check {
  (body: unknown): boolean;
  readonly errors?: readonly ErrorObject[] | null;
}

interface ErrorObject {
  readonly instancePath: string;
  readonly message?: string;
  readonly params: object;
}

/** Compares answers with a document, by an independent validator. */
export interface Validator {
  /** Returns the errors of an answer as text. Empty for a valid answer. */
  errorsOf(path: string, method: string, status: number, contentType: string, body: unknown): string[];
}

/**
 * Creates a validator.
 * @param given document of either version. The validator allows only the named members of objects, more strictly than the document, to find
 * missing fields.
 */
export async function createValidator(given: Loose): Promise<Validator> {
  const { Ajv2020 } = await loadTool<AjvModule>('ajv', 'ajv/dist/2020.js');
  const { default: addFormats } = await loadTool<{ readonly default: (ajv: Ajv) => void }>('ajv', 'ajv-formats');
  const document = closed(withoutOldNull(structuredClone(given)));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  for (const format of OWN_FORMATS) ajv.addFormat(format, true);
  ajv.addSchema({ $id: 'doc', ...document }, 'doc');
  return {
    errorsOf: (path, method, status, contentType, body) => {
      let response = document.paths[path]?.[method.toLowerCase()]?.responses?.[String(status)];
      let pointer = `#/paths/${pointed(path)}/${method.toLowerCase()}/responses/${status}`;
      if (response === undefined) return [`${status} is not described`];
      if (response.$ref !== undefined) {
        pointer = response.$ref;
        response = resolve(document, response);
      }
      if (response.content === undefined) return body === undefined ? [] : ['a body where none is described'];
      if (response.content[contentType] === undefined) return [`${contentType} is not described`];
      const check = ajv.getSchema(`doc${pointer}/content/${pointed(contentType)}/schema`);
      if (check === undefined) return [`no schema at ${pointer}`];
      if (check(body)) return [];
      return (check.errors ?? []).slice(0, 5).map(inWords);
    },
  };
}

function inWords({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`;
}

function pointed(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** Returns the target of a reference, or the node itself. */
export function resolve(document: Loose, node: Loose): Loose {
  if (node?.$ref === undefined) return node;
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((at: Loose, part: string) => at[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

/** Converts `nullable` of OpenAPI 3.0 to JSON Schema. */
function withoutOldNull(node: Loose): Loose {
  if (Array.isArray(node)) return node.map(withoutOldNull);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withoutOldNull(value)]));
  if (nullable !== true) return nullable === undefined ? rest : { nullable, ...rest };
  return { anyOf: [rest, { type: 'null' }] };
}

/** Forbids unnamed members of objects. An allOf is closed only as a whole. */
function closed(document: Loose): Loose {
  const original = structuredClone(document);
  const walk = (node: Loose, isPart: boolean): Loose => {
    if (Array.isArray(node)) return node.map((each) => walk(each, false));
    if (typeof node !== 'object' || node === null) return node;
    // A single schema only adds facts to a reference, so it needs no closing.
    if (node.allOf?.length === 1) return node;
    const out: Loose = {};
    for (const [key, value] of Object.entries(node)) {
      out[key] = key === 'allOf' ? (value as Loose[]).map((part) => walk(resolve(original, part), true)) : walk(value, false);
    }
    const isClosed = node.allOf !== undefined || (node.type === 'object' && node.properties !== undefined);
    if (isClosed && !isPart && node.additionalProperties === undefined) out.unevaluatedProperties = false;
    return out;
  };
  return { ...document, paths: walk(document.paths, false), components: walk(document.components, false) };
}
