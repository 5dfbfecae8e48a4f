import type { JsonObject, JsonValue } from '../values/json.ts';
import { filePartOf, isForm, type KnownOperation, takesFile } from './known-operation.ts';
import { NAMES } from './plan-upload.ts';

/** The facts about a file before its upload. */
export interface UploadFacts {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Names of each fact in bodies, the likeliest first. */
const MEMBERS: readonly (readonly [fact: keyof UploadFacts, names: readonly string[]])[] = [
  ['name', [...NAMES, 'name']],
  ['mediaType', ['mime_type', 'content_type', 'media_type', 'file_type']],
  ['size', ['size', 'file_size', 'size_bytes', 'byte_size', 'content_length']],
  ['sha256', ['sha256', 'checksum_sha256', 'sha256_checksum', 'content_sha256']],
];

/** The members of a request beside the file itself. */
export interface Members {
  /** Whether they are query parameters, because the body is the file. */
  readonly inQuery: boolean;
  readonly values: JsonObject;
  /** Required members without a value. */
  readonly missing: readonly string[];
  /** The part of a form with the file. */
  readonly filePart: string;
}

/**
 * Returns the members of a request with a file. svc fills in those members of the operation’s body that it knows, and adds the given ones.
 *
 * @param place members that name the record of the file: sent if the body takes them.
 * @param given values that the user typed, which take precedence.
 */
export function membersFor(operation: KnownOperation, file: UploadFacts, place: JsonObject, given: JsonObject): Members {
  // If the file is the body, all other values go into the query.
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
