import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import { filledPath, type KnownOperation, pathShape } from './known-operation.ts';

export type DownloadWay = { readonly kind: 'operation'; readonly path: string } | { readonly kind: 'address'; readonly address: string };

const CONTENT_WORDS: ReadonlySet<string> = new Set(['content', 'contents', 'download', 'raw', 'data']);

/** Returns true if a path leads to the contents of a record’s file: `/drive-items/{drive_item}/files/{file}/content`. */
export function endsInContents(path: string): boolean {
  return pathShape(path).at(-2) === '{}' && CONTENT_WORDS.has(pathShape(path).at(-1) ?? '');
}

/** The fields with the whole address of the contents. `url` alone may be a web page. */
const ADDRESSES = ['download_url', 'content_url', 'contents_url', 'file_url'];

function contentsOperation(operations: readonly KnownOperation[], record: readonly string[]): KnownOperation | undefined {
  return operations.find(({ method, path }) => {
    const shape = pathShape(path);
    return method === 'GET' && CONTENT_WORDS.has(shape.at(-1) ?? '') && shape.slice(0, -1).join('/') === record.join('/');
  });
}

/**
 * Finds the contents of a record by the imported API spec. If the API spec has no operation for the contents, finds a whole address in the
 * record. Undefined if neither the API spec nor the record shows the contents.
 *
 * @param shape parts of the record’s path: `['drive-items', '{}', 'files', '{}']`.
 * @param ids values of the path’s parameters.
 */
export function planDownload(
  operations: readonly KnownOperation[],
  shape: readonly string[],
  ids: readonly string[],
  record?: JsonObject,
): DownloadWay | undefined {
  const operation = contentsOperation(operations, shape);
  if (operation !== undefined) return { kind: 'operation', path: filledPath(operation.path, ids) };
  const address = addressIn(record);
  return address === undefined ? undefined : { kind: 'address', address };
}

function addressIn(record: JsonObject | undefined): string | undefined {
  if (record === undefined) return undefined;
  const links = record['links'];
  const reported = [...ADDRESSES.map((name) => record[name]), ...(isJsonObject(links) ? [links['download'], links['content']] : [])];
  return reported.find((value: JsonValue | undefined) => typeof value === 'string' && /^https?:\/\//i.test(value)) as string | undefined;
}
