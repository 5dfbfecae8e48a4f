import { HOUR, utcSecond } from '../dates.ts';
import type { Row } from '../json.ts';
import { Problem } from '../problem.ts';
import type { Field, Resource } from '../resources/define.ts';
import type { Call } from './call.ts';
import { contentsOf } from './contents.ts';
import { once } from './idempotency.ts';
import { findRow } from './lookup.ts';
import { checkRecordQuery, recordReply } from './record.ts';
import type { Reply } from './reply.ts';
import { readBody, validate } from './validate.ts';

const TICKET_LIFETIME = HOUR;

/** `POST /work-items/{work_item}/uploads`: a ticket for a file. The paths and members of uploads are assumed. */
export function requestUpload(call: Call): Reply {
  return issueTicket(call, (id) => `/uploads/${id}`, findRow(call, call.world.service.named('work-items'), call.params['work_item'] ?? ''));
}

/** `POST /upload-tickets`: the same, with the work item in the body. */
export function requestTicket(call: Call): Reply {
  return issueTicket(call, (id) => `/upload-tickets/${id}/content`);
}

/** What a ticket is asked for with: the file, and where the path does not say it, its work item. */
export function ticketFields({ fields }: Resource, namesItem: boolean): Readonly<Record<string, Field>> {
  const { file_name, mime_type, work_item_id } = fields;
  return { ...(file_name && { file_name }), ...(mime_type && { mime_type }), ...(work_item_id && namesItem && { work_item_id }) };
}

function issueTicket(call: Call, pathOf: (id: number) => string, workItem?: Row): Reply {
  checkRecordQuery(call, call.world.service.named('attachments'));
  return once(call, () => {
    const attachment = call.world.service.named('attachments');
    const fields = ticketFields(attachment, workItem === undefined);
    const values = validate({ ...attachment, fields }, readBody(call), 'create', call.world);
    const tickets = call.world.uploads;
    const id = Math.max(0, ...tickets.keys()) + 1;
    const mimeType = typeof values['mime_type'] === 'string' ? values['mime_type'] : null;
    const until = call.now + TICKET_LIFETIME;
    const workItemId = workItem?.id ?? Number(values['work_item_id']);
    const path = pathOf(id);
    tickets.set(id, { id, workItemId, fileName: String(values['file_name']), mimeType, until, path });
    const uploadUrl = `${call.world.origin}/api/v2${path}`;
    const text = JSON.stringify({ data: { id, upload_url: uploadUrl, expires_at: utcSecond(until) } });
    return { status: 201, text, headers: { Location: uploadUrl } };
  });
}

/** `POST` to the ticket's own address: the contents, as they are or as the file of a form. The file is then attached to its work item. */
export function receiveUpload(call: Call): Reply {
  const attachments = call.world.service.named('attachments');
  checkRecordQuery(call, attachments);
  return once(call, () => {
    const id = Number(call.params['upload']);
    const ticket = call.world.uploads.get(id);
    if (ticket === undefined || ticket.until <= call.now || ticket.path !== call.path) {
      throw new Problem(404, call.world.knobs.missingRecordType, 'There is no such upload ticket, or it was used or is too old.');
    }
    const contents = contentsOf(call);
    call.world.uploads.delete(id);
    const { stamp } = call;
    const row = call.db.table('attachments').insert({
      work_item_id: ticket.workItemId,
      file_name: ticket.fileName,
      mime_type: ticket.mimeType,
      size: contents.length,
      user_id: call.actor.user.id,
      created_at: stamp,
      updated_at: stamp,
    });
    return recordReply(call, attachments, row, 201);
  });
}
