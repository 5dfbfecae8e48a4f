import { type JsonObject, type JsonValue, scalarText } from '../values/json.ts';

export interface ReportedIntegrity {
  readonly size?: number | undefined;
  readonly sha256?: string | undefined;
}

/** Reads the checksum of the whole file from the headers: Repr-Digest (RFC 9530), or the older Digest (RFC 3230). */
export function integrityInHeaders(headers: Readonly<Record<string, string>>): ReportedIntegrity {
  const sha256 = sha256In(headers['repr-digest']) ?? sha256In(headers['digest']);
  return { ...(sha256 !== undefined && { sha256 }) };
}

function sha256In(header: string | undefined): string | undefined {
  const encoded = /(?:^|[,\s])sha-256=:?([A-Za-z0-9+/]{43}=?):?(?:$|[,;\s])/i.exec(header ?? '')?.[1];
  return encoded === undefined ? undefined : Array.from(atob(encoded.padEnd(44, '=')), hex).join('');
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}

const SIZES = ['size', 'file_size', 'size_bytes', 'byte_size', 'content_length'];
const DIGESTS = ['sha256', 'checksum_sha256', 'sha256_checksum', 'content_sha256', 'checksum', 'digest', 'hash'];

/** Reads the size and the SHA-256 of a file from a record. Ignores other checksums, which svc can’t compare. */
export function integrityInRecord(record: JsonObject | undefined): ReportedIntegrity {
  if (record === undefined) return {};
  const size = SIZES.map((name) => wholeNumber(record[name])).find((value) => value !== undefined);
  const sha256 = DIGESTS.map((name) => digestText(record[name])).find((value) => value !== undefined);
  return { size, sha256 };
}

function wholeNumber(value: JsonValue | undefined): number | undefined {
  const text = scalarText(value);
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function digestText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? /^(?:sha-?256[:=])?([0-9a-f]{64})$/i.exec(value.trim())?.[1]?.toLowerCase() : undefined;
}

/** Describes the difference between a file and the service’s facts about the file. Undefined without a difference. */
export function differenceOf(reported: ReportedIntegrity, is: { readonly size: number; readonly sha256: string }): string | undefined {
  if (reported.sha256 !== undefined && reported.sha256 !== is.sha256) return `the SHA-256 must be ${reported.sha256}, but is ${is.sha256}`;
  if (reported.size !== undefined && reported.size !== is.size) return `the file must have ${reported.size} bytes, but has ${is.size}`;
  return undefined;
}
