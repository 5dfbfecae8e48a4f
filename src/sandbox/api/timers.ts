import { localDate, MINUTE } from '../dates.ts';
import { zoneOf } from '../resources/zone.ts';
import type { Call } from './call.ts';
import { requireMatch } from './etag.ts';
import { oncePerKey } from './idempotency.ts';
import { requireWrite, rowOfPath } from './lookup.ts';
import { checkRecordQuery, recordReply } from './record.ts';
import type { Reply } from './reply.ts';
import { readRequestBody, validate } from './validate.ts';
import { storeChanges } from './write.ts';

/**
 * `POST /timers/{timer}/actions/stop` (assumed, and there only when an option says so): ends the timer, which is not listed any
 * more. With the value `logging-action` it also logs the time, in whole minutes and at least one.
 */
export function serveTimerStop(call: Call): Reply {
  const resource = call.world.service.named('timers');
  checkRecordQuery(call, resource);
  return oncePerKey(call, () => {
    const row = rowOfPath(call, resource, undefined);
    requireWrite(call, resource, row, 'update');
    requireMatch(call, resource, row);
    validate({ ...resource, fields: {} }, readRequestBody(call), 'update', call.world);
    const { db, now, stamp } = call;
    if (call.world.knobs.timerEnds === 'logging-action') {
      const { user_id = null, project_id = null, work_item_id = null, description = '', started_at } = row;
      const minutes = Math.max(1, Math.round((now - Date.parse(String(started_at))) / MINUTE));
      const date = localDate(now, zoneOf(db, user_id));
      const values = { date, minutes, description, user_id, project_id, work_item_id, is_overtime: false, is_not_billable: false };
      db.table('worklogs').insert({ ...values, exceeded_budget: false, created_at: stamp, updated_at: stamp });
    }
    return recordReply(call, resource, storeChanges(call, resource, row, { stopped_at: stamp }), 200);
  });
}
