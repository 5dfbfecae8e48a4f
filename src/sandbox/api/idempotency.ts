import { createHash } from 'node:crypto';
import { DAY, HOUR } from '../dates.ts';
import type { Interpretations } from '../interpretations.ts';
import { invalidBody, Problem } from '../problem.ts';
import type { Call } from './call.ts';
import type { Reply, StoredOutcome } from './stores.ts';

const LIFETIMES = { day: DAY, hour: HOUR, forever: Number.POSITIVE_INFINITY } as const;
export const LONGEST_KEY = 255;
/** Matches the paths whose POST accepts an Idempotency-Key according to the documentation (rules 9.37 and 9.48). */
const DOCUMENTED = /^\/workflows$|^\/work-items\/[^/]+\/actions\/transition$/;

export function heedsKey({ idempotencyKey }: Interpretations, path: string): boolean {
  return idempotencyKey !== 'documented' || DOCUMENTED.test(path);
}

/**
 * Runs a request once for each owner, path and Idempotency-Key. A repeated key gets the stored answer with `Idempotency-Replayed: true`.
 * Options decide which paths use keys, and how long keys are valid. Options also decide the answer to another body, and whether the sandbox
 * stores refusals.
 * @throws Problem 400 for a missing or invalid key.
 * @throws Problem 409 or 422 for a key with another body; or the error of `run`.
 */
export function oncePerKey(call: Call, run: () => Reply): Reply {
  const { interpretations, idempotency: store } = call.sandboxState;
  const key = call.headers.get('idempotency-key');
  if (key === null) {
    if (interpretations.idempotencyKey === 'required') {
      throw new Problem(400, 'idempotency-key-required', 'Send an Idempotency-Key with this request.');
    }
    return run();
  }
  if (!heedsKey(interpretations, call.path)) return run();
  if (key.length === 0 || key.length > LONGEST_KEY) {
    throw new Problem(400, 'malformed-request', `An Idempotency-Key has 1 to ${LONGEST_KEY} characters.`, {
      members: { code: 'out_of_range', parameter: 'Idempotency-Key' },
    });
  }
  const id = JSON.stringify([call.owner, call.path, key]);
  const stored = store.get(id);
  if (stored !== undefined && call.now < stored.at + LIFETIMES[interpretations.keyLifetime]) {
    if (stored.request !== digestOf(call.body) && interpretations.reusedKey !== 'replayed') throw reusedKey(interpretations.reusedKey);
    return replay(stored.outcome);
  }
  const entry = { request: digestOf(call.body), at: call.now };
  const [oldest] = store.keys();
  if (oldest !== undefined && store.size >= MOST_STORED) store.delete(oldest);
  try {
    const reply = run();
    store.set(id, { ...entry, outcome: { reply } });
    return reply;
  } catch (error) {
    if (error instanceof Problem && interpretations.storedErrors) {
      const { status, type, message: detail, members, headers } = error;
      store.set(id, { ...entry, outcome: { problem: { status, type, detail, members, headers } } });
    }
    throw error;
  }
}

function digestOf(body: string): string {
  return createHash('sha256').update(body).digest('base64url');
}

const MOST_STORED = 20_000;

const REPLAYED = { 'Idempotency-Replayed': 'true' } as const;

function replay(outcome: StoredOutcome): Reply {
  if ('reply' in outcome) return { ...outcome.reply, headers: { ...outcome.reply.headers, ...REPLAYED } };
  const { status, type, detail, members = {}, headers } = outcome.problem;
  throw new Problem(status, type, detail, { members, headers: { ...headers, ...REPLAYED } });
}

function reusedKey(status: 409 | 422): Problem {
  const broken = { key: 'Idempotency-Key', code: 'idempotency_key_reused', message: 'This key was used with another body.' };
  if (status === 422) return invalidBody([broken]);
  return new Problem(409, 'state-conflict', broken.message, { members: { conflict: { reason: broken.code } } });
}
