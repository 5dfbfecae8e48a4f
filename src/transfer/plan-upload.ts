import { filledPath, isForm, type KnownOperation, pathShape, takesFile } from './known-operation.ts';

/** Where a file is to be. */
export interface FilePlace {
  /** The collection of records that files belong to: `work-items`. */
  readonly noun: 'work-items' | 'drive-items';
  /** The record, as it stands in a path; undefined: it lies in the drive itself. */
  readonly id: string | undefined;
}

/** How a file gets in. */
export type UploadWay =
  /** In one request: the form, or the bytes as they are. */
  | {
      readonly kind: 'direct';
      readonly operation: KnownOperation;
      readonly path: string;
      readonly isForm: boolean;
      readonly isBelow: boolean;
    }
  /** By a ticket: it is asked for with what the file is, and says where the contents go. */
  | {
      readonly kind: 'ticket';
      readonly operation: KnownOperation;
      readonly path: string;
      /** The path names the record, so the body need not. */
      readonly isBelow: boolean;
    };

/** What a path ends in where one asks for leave to send a file. */
const TICKET_WORDS: ReadonlySet<string> = new Set(['uploads', 'upload', 'upload-tickets', 'upload-urls', 'request-upload']);
/** What it ends in where files are. */
const FILE_WORDS: ReadonlySet<string> = new Set([...TICKET_WORDS, 'attachments', 'files', 'contents', 'content']);

/**
 * How a file gets in here, by the imported API spec: what lies below the record comes before what takes the record in its body, one request
 * before two. Undefined: the spec does not say.
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

/** `/work-items/{work_item}/uploads`; for the drive itself `/drive-items` and `/drive-items/uploads`. */
function liesBelow({ path, contentType }: KnownOperation, { noun, id }: FilePlace): boolean {
  const [first, second, last, ...more] = pathShape(path);
  if (first !== noun || more.length > 0) return false;
  if (id !== undefined) return second === '{}' && last !== undefined && FILE_WORDS.has(last);
  return last === undefined && (second === undefined ? takesFile(contentType) : FILE_WORDS.has(second));
}

/** `/upload-tickets`, where its body names the record. */
function takesPlace({ path, body }: KnownOperation, place: FilePlace): boolean {
  const shape = pathShape(path);
  if (shape.length !== 1 || !FILE_WORDS.has(shape[0] ?? '')) return false;
  // Of files that belong to no item only a folder tells that they lie in a drive.
  return body !== undefined && Object.hasOwn(body, place.id === undefined ? 'folder_id' : placeMember(place));
}

/** Asking for a ticket is JSON. Of what merely lists files the body tells that it is such a place. */
function isTicket({ path, body = {} }: KnownOperation): boolean {
  return TICKET_WORDS.has(pathShape(path).at(-1) ?? '') || NAMES.some((name) => Object.hasOwn(body, name));
}

/** How a body names the record that a file belongs to (rule 2.1). */
export function placeMember({ noun }: Pick<FilePlace, 'noun'>): string {
  return noun === 'work-items' ? 'work_item_id' : 'drive_item_id';
}

/** What a file is called in bodies. */
export const NAMES = ['file_name', 'filename', 'original_name', 'original_filename'];
