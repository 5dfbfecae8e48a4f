import type { JsonObject, JsonValue } from '../values/json.ts';
import { filePartOf, filledPath, isForm, type KnownOperation, pathShape, takesFile } from './known-operation.ts';

export interface FilePlace {
  /** The resource that files belong to: `work-items`. */
  readonly noun: 'work-items' | 'drive-items';
  /** The id of the record in a path. Undefined for the drive itself. */
  readonly id: string | undefined;
}

export type UploadWay =
  /** An upload in one request: a form, or only the bytes. */
  | {
      readonly kind: 'direct';
      readonly operation: KnownOperation;
      readonly path: string;
      readonly isForm: boolean;
      readonly isBelow: boolean;
    }
  /** An upload with a ticket. svc requests the ticket with the facts about the file, and the ticket names the address for the contents. */
  | {
      readonly kind: 'ticket';
      readonly operation: KnownOperation;
      readonly path: string;
      readonly isBelow: boolean;
    };

const TICKET_WORDS: ReadonlySet<string> = new Set(['uploads', 'upload', 'upload-tickets', 'upload-urls', 'request-upload']);
const FILE_WORDS: ReadonlySet<string> = new Set([...TICKET_WORDS, 'attachments', 'files', 'contents', 'content']);

/**
 * Plans an upload. A path under the record takes precedence over a record in the body, and one request over two requests. Undefined if the
 * spec describes no upload.
 */
export function planUpload(operations: readonly KnownOperation[], place: FilePlace): UploadWay | undefined {
  const ways = operations.flatMap((operation) => wayOf(operation, place) ?? []);
  return ways.toSorted((one, other) => rankOf(one) - rankOf(other))[0];
}

function rankOf({ kind, isBelow }: UploadWay): number {
  return (isBelow ? 0 : 2) + (kind === 'direct' ? 0 : 1);
}

function wayOf(operation: KnownOperation, place: FilePlace): UploadWay | undefined {
  if (operation.method !== 'POST' && operation.method !== 'PUT') return undefined;
  const isBelow = liesBelow(operation, place);
  if (!isBelow && !takesPlace(operation, place)) return undefined;
  const path = filledPath(operation.path, place.id === undefined ? [] : [place.id]);
  if (takesFile(operation.contentType)) return { kind: 'direct', operation, path, isForm: isForm(operation.contentType), isBelow };
  return isTicket(operation) ? { kind: 'ticket', operation, path, isBelow } : undefined;
}

/**
 * Returns true if a path is under the record: `/work-items/{work_item}/uploads`. Paths for the drive itself are `/drive-items` and
 * `/drive-items/uploads`.
 */
function liesBelow({ path, contentType }: KnownOperation, { noun, id }: FilePlace): boolean {
  const [first, second, last, ...more] = pathShape(path);
  if (first !== noun || more.length > 0) return false;
  if (id !== undefined) return second === '{}' && last !== undefined && FILE_WORDS.has(last);
  return last === undefined && (second === undefined ? takesFile(contentType) : FILE_WORDS.has(second));
}

/** Returns true if a path such as `/upload-tickets` takes the record in its body. */
function takesPlace({ path, body }: KnownOperation, place: FilePlace): boolean {
  const shape = pathShape(path);
  if (shape.length !== 1 || !FILE_WORDS.has(shape[0] ?? '')) return false;
  // For a file in the drive itself, only a folder in the body shows that the path is for drives.
  return body !== undefined && Object.hasOwn(body, place.id === undefined ? 'folder_id' : placeMember(place));
}

/** Returns true if a JSON operation returns tickets. For a path that also lists files, a file name in the body decides. */
function isTicket({ path, body = {} }: KnownOperation): boolean {
  return TICKET_WORDS.has(pathShape(path).at(-1) ?? '') || NAMES.some((name) => Object.hasOwn(body, name));
}

/** Returns the member of a body that names the record of a file (rule 2.1). */
export function placeMember({ noun }: Pick<FilePlace, 'noun'>): string {
  return noun === 'work-items' ? 'work_item_id' : 'drive_item_id';
}

const NAMES = ['file_name', 'filename', 'original_name', 'original_filename'];

export interface UploadFacts {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  readonly sha256: string;
}

const MEMBERS: readonly (readonly [fact: keyof UploadFacts, names: readonly string[]])[] = [
  ['name', [...NAMES, 'name']],
  ['mediaType', ['mime_type', 'content_type', 'media_type', 'file_type']],
  ['size', ['size', 'file_size', 'size_bytes', 'byte_size', 'content_length']],
  ['sha256', ['sha256', 'checksum_sha256', 'sha256_checksum', 'content_sha256']],
];

export interface Members {
  readonly inQuery: boolean;
  readonly values: JsonObject;
  readonly missing: readonly string[];
  readonly filePart: string;
}

/**
 * Returns the fields of a request with a file. svc fills in the known fields of the operation’s body, or of its query if the file is the
 * body. svc also adds the given fields.
 *
 * @param place fields that name the record of the file. svc sends the fields that the operation takes.
 * @param given values that the user typed. These values take precedence.
 */
export function membersFor(operation: KnownOperation, file: UploadFacts, place: JsonObject, given: JsonObject): Members {
  // If the file is the body, all other values go into the query.
  const isBare = takesFile(operation.contentType) && !isForm(operation.contentType);
  const body = (isBare ? operation.query : operation.body) ?? {};
  const has = (name: string) => Object.hasOwn(body, name);
  const filePart = filePartOf(operation);
  const known: [string, JsonValue][] = MEMBERS.flatMap(([fact, names]) => {
    const name = names.find(has);
    return name === undefined ? [] : [[name, file[fact]] as [string, JsonValue]];
  });
  const values = { ...Object.fromEntries(known), ...Object.fromEntries(Object.entries(place).filter(([name]) => has(name))), ...given };
  const missing = Object.entries(body).flatMap(([name, { required }]) =>
    required === true && name !== filePart && !Object.hasOwn(values, name) ? [name] : [],
  );
  return { values, missing, filePart, inQuery: isBare };
}
