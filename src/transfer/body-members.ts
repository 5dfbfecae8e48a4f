import type { JsonObject, JsonValue } from '../values/json.ts';
import { filePartOf, isForm, type KnownOperation, takesFile } from './known-operation.ts';
import { NAMES } from './plan-upload.ts';

/** What is known of a file before it is sent. */
export interface UploadFacts {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** What each fact is called in bodies, the likeliest first. */
const MEMBERS: readonly (readonly [fact: keyof UploadFacts, names: readonly string[]])[] = [
  ['name', [...NAMES, 'name']],
  ['mediaType', ['mime_type', 'content_type', 'media_type', 'file_type']],
  ['size', ['size', 'file_size', 'size_bytes', 'byte_size', 'content_length']],
  ['sha256', ['sha256', 'checksum_sha256', 'sha256_checksum', 'content_sha256']],
];

/** A body beside the file itself, and what is missing of it. */
export interface Members {
  /** They are parameters of the query: the body is the file. */
  readonly inQuery: boolean;
  readonly values: JsonObject;
  /** Required members that nobody gave a value. */
  readonly missing: readonly string[];
  /** The part of a form that holds the file. */
  readonly filePart: string;
}

/**
 * The members of a request that goes with a file: those of the operation's body that are known of the file or its place, and what was given.
 *
 * @param place Members that name where the file belongs: sent where the body takes them.
 * @param given What somebody typed, over everything.
 */
export function membersFor(operation: KnownOperation, file: UploadFacts, place: JsonObject, given: JsonObject): Members {
  // Bytes that go as they are leave the query for what else is to be said.
  const isBare = takesFile(operation.contentType) && !isForm(operation.contentType);
  const body = (isBare ? operation.query : operation.body) ?? {};
  const has = (name: string) => Object.hasOwn(body, name);
  const filePart = filePartOf(operation);
  const known: [string, JsonValue][] = MEMBERS.flatMap(([fact, names]) => {
    const name = names.find((candidate) => has(candidate) && candidate !== filePart);
    return name === undefined ? [] : [[name, file[fact]] as [string, JsonValue]];
  });
  const values = { ...Object.fromEntries(known), ...Object.fromEntries(Object.entries(place).filter(([name]) => has(name))), ...given };
  const missing = Object.entries(body).flatMap(([name, { required }]) =>
    required === true && name !== filePart && !Object.hasOwn(values, name) ? [name] : [],
  );
  return { values, missing, filePart, inQuery: isBare };
}
