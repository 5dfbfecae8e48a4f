import { createHash } from 'node:crypto';
import { HOUR, utcSecond } from '../dates.ts';
import type { Interpretations } from '../interpretations.ts';
import type { Row } from '../json.ts';
import { Problem } from '../problem.ts';
import type { ServedChild, ServedField, ServedResource } from '../resources/define.ts';
import type { Call } from './call.ts';
import { oncePerKey } from './idempotency.ts';
import { notFound, parentOf, requireWrite, rowOfPath, unlessUnchanged } from './lookup.ts';
import { checkQuery, checkRecordQuery, recordReply } from './record.ts';
import { keepContents, type Reply } from './stores.ts';
import { readRequestBody, validate } from './validate.ts';

/** The accepted media types of an upload, by value of the option `uploadContents`. */
export const CONTENT_TYPES = {
  either: ['application/octet-stream', 'multipart/form-data'],
  'octet-stream': ['application/octet-stream'],
  multipart: ['multipart/form-data'],
} as const satisfies Readonly<Record<Interpretations['uploadContents'], readonly string[]>>;

export const FILE_PART = 'file';

/**
 * Returns the content of an upload.
 * @throws Problem 415 if the option `uploadContents` does not allow this content type.
 * @throws Problem 400 for a form without the file.
 */
function contentsOf({ bytes, headers, sandboxState }: Call): Buffer {
  const type = headers.get('content-type') ?? '';
  const isForm = /^multipart\/form-data\b/i.test(type);
  const { uploadContents } = sandboxState.interpretations;
  if ((isForm && uploadContents === 'octet-stream') || (!isForm && uploadContents === 'multipart')) {
    throw new Problem(415, 'unsupported-media-type', `Send the contents as ${CONTENT_TYPES[uploadContents][0]}.`);
  }
  return isForm ? fileOf(bytes, /boundary="?([^";]+)"?/i.exec(type)?.[1]) : bytes;
}

function fileOf(form: Buffer, boundary: string | undefined): Buffer {
  const missing = new Problem(400, 'malformed-request', `The form has no part named ${FILE_PART}.`);
  if (boundary === undefined) throw missing;
  const line = Buffer.from(`--${boundary}`);
  let at = form.indexOf(line);
  while (at !== -1) {
    const next = form.indexOf(line, at + line.length);
    const head = form.indexOf('\r\n\r\n', at);
    if (next === -1 || head === -1) break;
    const names = form.subarray(at, head).toString();
    // An empty line ends the headers of a part. A line break ends the content.
    if (new RegExp(`\\bname="?${FILE_PART}"?(?:;|\\r|$)`).test(names)) return form.subarray(head + 4, next - 2);
    at = next;
  }
  throw missing;
}

const TICKET_LIFETIME = HOUR;

interface TicketFor {
  readonly files: 'attachments' | 'drive-files';
  readonly parentId?: number;
  readonly pathOf: (id: number) => string;
}

/** Serves `POST /work-items/{work_item}/uploads`, and issues a ticket for a file. The paths and fields of uploads are assumed. */
export function requestUpload(call: Call): Reply {
  const { id: parentId } = parentOf(call, { parent: 'work-items' });
  return issueTicket(call, { files: 'attachments', parentId, pathOf: (id) => `/uploads/${id}` });
}

export function requestTicket(call: Call): Reply {
  return issueTicket(call, { files: 'attachments', pathOf: (id) => `/upload-tickets/${id}/content` });
}

export function requestDriveUpload(call: Call): Reply {
  const items = call.sandboxState.service.named('drive-items');
  const item = parentOf(call, { parent: 'drive-items' });
  requireWrite(call, items, item, 'update');
  return issueTicket(call, { files: 'drive-files', parentId: item.id, pathOf: (id) => `/${items.path}/${item.id}/uploads/${id}/content` });
}

export function ticketFields({ fields }: ServedResource, namesItem: boolean): Readonly<Record<string, ServedField>> {
  const { file_name, mime_type, work_item_id } = fields;
  return { ...(file_name && { file_name }), ...(mime_type && { mime_type }), ...(work_item_id && namesItem && { work_item_id }) };
}

function issueTicket(call: Call, { files, parentId, pathOf }: TicketFor): Reply {
  const resource = call.sandboxState.service.named(files);
  checkRecordQuery(call, resource);
  return oncePerKey(call, () => {
    const values = validate(
      { ...resource, fields: ticketFields(resource, parentId === undefined) },
      readRequestBody(call),
      'create',
      call.sandboxState,
    );
    const tickets = call.sandboxState.uploads;
    const id = Math.max(0, ...tickets.keys()) + 1;
    const mimeType = typeof values['mime_type'] === 'string' ? values['mime_type'] : null;
    const until = call.now + TICKET_LIFETIME;
    const path = pathOf(id);
    const ticket = { id, files, parentId: parentId ?? Number(values['work_item_id']), fileName: String(values['file_name']) };
    tickets.set(id, { ...ticket, mimeType, until, path });
    const uploadUrl = `${call.sandboxState.origin}/api/v2${path}`;
    const text = JSON.stringify({ data: { id, upload_url: uploadUrl, expires_at: utcSecond(until) } });
    return { status: 201, text, headers: { Location: uploadUrl } };
  });
}

export function receiveUpload(call: Call): Reply {
  const id = Number(call.params['upload']);
  checkRecordQuery(call, call.sandboxState.service.named('attachments'));
  return oncePerKey(call, () => {
    const ticket = call.sandboxState.uploads.get(id);
    if (ticket === undefined || ticket.until <= call.now || ticket.path !== call.path) {
      throw notFound(call, 'The upload ticket does not exist, or it was used or has expired.');
    }
    const contents = contentsOf(call);
    // The sandbox never reuses a ticket number, so the path of a used ticket never belongs to another ticket.
    call.sandboxState.uploads.set(id, { ...ticket, until: 0 });
    const { stamp } = call;
    const isAttachment = ticket.files === 'attachments';
    const row = call.db.table(ticket.files).insert({
      [isAttachment ? 'work_item_id' : 'drive_item_id']: ticket.parentId,
      file_name: ticket.fileName,
      mime_type: ticket.mimeType,
      size: contents.length,
      ...(isAttachment && { user_id: call.actor.user.id }),
      created_at: stamp,
      updated_at: stamp,
    });
    keepContents(call.sandboxState.contents, `${ticket.files}/${row.id}`, contents);
    return recordReply(call, call.sandboxState.service.named(ticket.files), row, 201);
  });
}

/**
 * Serves `GET …/content`: the content of a file, or only the bytes from an index on (RFC 9110 §14). Adds a digest (RFC 9530).
 * @throws Problem 404 if the file does not exist, or if only the organisation has the content of the file.
 */
export function sendContents(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  checkQuery(call);
  const row = rowOfPath(call, resource, nested);
  const { contents, read } = call.sandboxState;
  const stored = contents.get(`${resource.name}/${row.id}`);
  if (stored === undefined && read !== undefined) throw notFound(call, 'Only the organisation has the contents of this file.');
  const bytes = stored ?? seededContent(row);
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
  const whole = unlessUnchanged(call, { status: 200, bytes, headers });
  const start = startOf(call, etag, bytes.byteLength);
  if (start === undefined || whole.status === 304) return whole;
  const range = `bytes ${start}-${bytes.byteLength - 1}/${bytes.byteLength}`;
  return { status: 206, bytes: bytes.subarray(start), headers: { ...headers, 'Content-Range': range } };
}

/**
 * Returns the index of the first requested byte, from 0. Undefined if the answer has the whole file. The sandbox ignores all ranges except
 * `bytes=n-`, because RFC 9110 §14.2 lets a server ignore a range. The answer also has the whole file if If-Range is outdated, or the index
 * is behind the end.
 */
function startOf({ headers }: Call, etag: string, size: number): number | undefined {
  const digits = /^bytes=(\d{1,15})-$/.exec(headers.get('range') ?? '')?.[1];
  if (digits === undefined || (headers.get('if-range') ?? etag) !== etag) return undefined;
  return Number(digits) < size ? Number(digits) : undefined;
}

function seededContent(row: Row): Uint8Array {
  return Buffer.alloc(Number(row['size'] ?? 0), `${String(row['file_name'])}\n`);
}
