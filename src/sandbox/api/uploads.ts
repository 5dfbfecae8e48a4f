import { HOUR, utcSecond } from '../dates.ts';
import { Problem } from '../problem.ts';
import type { ServedField, ServedResource } from '../resources/define.ts';
import type { Call } from './call.ts';
import { keepContents } from './contents-store.ts';
import { oncePerKey } from './idempotency.ts';
import { findRow, requireWrite } from './lookup.ts';
import { checkRecordQuery, recordReply } from './record.ts';
import type { Reply } from './reply.ts';
import { contentsOf } from './upload-contents.ts';
import { readRequestBody, validate } from './validate.ts';

const TICKET_LIFETIME = HOUR;

/** The purpose of a ticket, and the address that takes its contents. */
interface TicketFor {
  readonly files: 'attachments' | 'drive-files';
  /** Absent: the body names it. */
  readonly parentId?: number;
  readonly pathOf: (id: number) => string;
}

/** `POST /work-items/{work_item}/uploads`: a ticket for a file. The paths and members of uploads are assumed. */
export function requestUpload(call: Call): Reply {
  const { id: parentId } = findRow(call, call.world.service.named('work-items'), call.params['work_item'] ?? '');
  return issueTicket(call, { files: 'attachments', parentId, pathOf: (id) => `/uploads/${id}` });
}

/** `POST /upload-tickets`: the same, with the work item in the body. */
export function requestTicket(call: Call): Reply {
  return issueTicket(call, { files: 'attachments', pathOf: (id) => `/upload-tickets/${id}/content` });
}

/** `POST /drive-items/{drive_item}/uploads`: a ticket for a file of a drive item. */
export function requestDriveUpload(call: Call): Reply {
  const items = call.world.service.named('drive-items');
  const item = findRow(call, items, call.params[items.parameter] ?? '');
  requireWrite(call, items, item, 'update');
  return issueTicket(call, { files: 'drive-files', parentId: item.id, pathOf: (id) => `/${items.path}/${item.id}/uploads/${id}/content` });
}

/** The body of a ticket request: the file, and its work item unless the path names one. */
export function ticketFields({ fields }: ServedResource, namesItem: boolean): Readonly<Record<string, ServedField>> {
  const { file_name, mime_type, work_item_id } = fields;
  return { ...(file_name && { file_name }), ...(mime_type && { mime_type }), ...(work_item_id && namesItem && { work_item_id }) };
}

function issueTicket(call: Call, { files, parentId, pathOf }: TicketFor): Reply {
  const resource = call.world.service.named(files);
  checkRecordQuery(call, resource);
  return oncePerKey(call, () => {
    const values = validate(
      { ...resource, fields: ticketFields(resource, parentId === undefined) },
      readRequestBody(call),
      'create',
      call.world,
    );
    const tickets = call.world.uploads;
    const id = Math.max(0, ...tickets.keys()) + 1;
    const mimeType = typeof values['mime_type'] === 'string' ? values['mime_type'] : null;
    const until = call.now + TICKET_LIFETIME;
    const path = pathOf(id);
    const ticket = { id, files, parentId: parentId ?? Number(values['work_item_id']), fileName: String(values['file_name']) };
    tickets.set(id, { ...ticket, mimeType, until, path });
    const uploadUrl = `${call.world.origin}/api/v2${path}`;
    const text = JSON.stringify({ data: { id, upload_url: uploadUrl, expires_at: utcSecond(until) } });
    return { status: 201, text, headers: { Location: uploadUrl } };
  });
}

/** `POST` to the ticket's own address: the contents, as they are or as the file of a form. The file then belongs to its record. */
export function receiveUpload(call: Call): Reply {
  const id = Number(call.params['upload']);
  checkRecordQuery(call, call.world.service.named('attachments'));
  return oncePerKey(call, () => {
    const ticket = call.world.uploads.get(id);
    if (ticket === undefined || ticket.until <= call.now || ticket.path !== call.path) {
      throw new Problem(404, call.world.knobs.missingRecordType, 'There is no such upload ticket, or it was used or is too old.');
    }
    const contents = contentsOf(call);
    // The number is not used again: the address of a used ticket never becomes that of another.
    call.world.uploads.set(id, { ...ticket, until: 0 });
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
    keepContents(call.world.contents, `${ticket.files}/${row.id}`, contents);
    return recordReply(call, call.world.service.named(ticket.files), row, 201);
  });
}
