import { DAY } from '../dates.ts';
import { invalidBody, Problem } from '../problem.ts';
import type { Call } from './call.ts';
import type { Reply } from './reply.ts';

/** How long a stored answer is kept; not documented, assumed. */
const KEPT = DAY;
const LONGEST_KEY = 255;

/**
 * Runs a POST once per Idempotency-Key: the same key again gets the stored answer with `Idempotency-Replayed: true`.
 * Only successes are stored. The same key with another body is refused (assumed).
 */
export function once(call: Call, run: () => Reply): Reply {
  const key = call.headers.get('idempotency-key');
  if (key === null) {
    if (call.world.knobs.idempotencyKey === 'required') {
      throw new Problem(400, 'idempotency-key-required', 'Send an Idempotency-Key with this request.');
    }
    return run();
  }
  if (key.length === 0 || key.length > LONGEST_KEY) {
    throw new Problem(400, 'malformed-request', `An Idempotency-Key has 1 to ${LONGEST_KEY} characters.`, {
      members: { code: 'out_of_range', parameter: 'Idempotency-Key' },
    });
  }
  const id = JSON.stringify([call.owner, call.path, key]);
  const store = call.world.idempotency;
  const stored = store.get(id);
  if (stored !== undefined && stored.until > call.now) {
    if (stored.request !== call.body) {
      throw invalidBody([{ key: 'Idempotency-Key', code: 'idempotency_key_reused', message: 'This key was used with another body.' }]);
    }
    return { ...stored.reply, headers: { ...stored.reply.headers, 'Idempotency-Replayed': 'true' } };
  }
  const reply = run();
  store.set(id, { request: call.body, reply, until: call.now + KEPT });
  return reply;
}
