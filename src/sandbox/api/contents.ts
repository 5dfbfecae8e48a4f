import { createHash } from 'node:crypto';
import type { Row } from '../json.ts';
import type { ServedChild, ServedResource } from '../resources/define.ts';
import type { Call } from './call.ts';
import { isUnchanged } from './etag.ts';
import { rowOfPath } from './lookup.ts';
import { checkNoQuery } from './record.ts';
import type { Reply } from './reply.ts';

/** `GET …/content`: the contents of a file, whole or from a byte on (RFC 9110 §14), with their digest (RFC 9530). */
export function sendContents(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  checkNoQuery(call);
  const row = rowOfPath(call, resource, nested);
  const bytes = call.world.contents.get(`${resource.name}/${row.id}`) ?? planted(row);
  const digest = createHash('sha256').update(bytes).digest();
  const etag = `"${digest.toString('hex').slice(0, 32)}"`;
  const name = encodeURIComponent(String(row['file_name'])).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename*=UTF-8''${name}`,
    'Accept-Ranges': 'bytes',
    'Repr-Digest': `sha-256=:${digest.toString('base64')}:`,
    ETag: etag,
  };
  if (isUnchanged(call.headers, etag)) return { status: 304, headers };
  const start = startOf(call, etag, bytes.byteLength);
  if (start === undefined) return { status: 200, bytes, headers };
  const range = `bytes ${start}-${bytes.byteLength - 1}/${bytes.byteLength}`;
  return { status: 206, bytes: bytes.subarray(start), headers: { ...headers, 'Content-Range': range } };
}

/** The first byte to send. Undefined sends the whole file, as for every form of Range but `bytes=n-` (RFC 9110 §14.2 allows that). */
function startOf({ headers }: Call, etag: string, size: number): number | undefined {
  const digits = /^bytes=(\d{1,15})-$/.exec(headers.get('range') ?? '')?.[1];
  if (digits === undefined || (headers.get('if-range') ?? etag) !== etag) return undefined;
  return Number(digits) < size ? Number(digits) : undefined;
}

/** Of a file that was never sent: as many bytes as its record says, of its name over and over. */
function planted(row: Row): Uint8Array {
  return Buffer.alloc(Number(row['size'] ?? 0), `${String(row['file_name'])}\n`);
}
