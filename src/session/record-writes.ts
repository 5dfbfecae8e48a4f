import { randomUUID } from 'node:crypto';
import { shellCommand } from '../cli/shell-word.ts';
import type { ApiClient, ApiRequest, ApiResponse } from '../client/api-client.ts';
import { unwrapRecord } from '../client/record.ts';
import type { Network } from '../deps.ts';
import { InterruptedError, NetworkError, SvcError, UsageError, withHint, withMore } from '../errors.ts';
import type { JournalEntry, UnconfirmedWrite } from '../journal/entry.ts';
import { ifUsable } from '../journal/journal-error.ts';
import {
  bytesOf,
  type FailedWrite,
  givenKey,
  type JournaledRequest,
  journaledClient,
  journalPath,
  type WriteDetails,
} from '../journal/journaled-client.ts';
import { requestDigest } from '../journal/request-digest.ts';
import { watchAttempts } from '../journal/write-outcome.ts';
import { writtenMembers } from '../journal/written-values.ts';
import { isLoopbackName } from '../values/addresses.ts';
import { isJsonObject, type JsonObject, scalarText } from '../values/json.ts';
import { DEFAULT_ACCOUNT } from '../values/sign-in-names.ts';
import type { Asking, Needs } from './context.ts';
import { keepsBefore } from './environment.ts';
import type { Reads, RecordedWrites } from './journaling.ts';
import { once } from './once.ts';
import { answerOf, changedRecord, isCreation, type Planning, planWrites, whatIsWritten, writtenRecordPath } from './planning.ts';

export type RecordingWrites =
  | Asking
  | 'account'
  | 'argv'
  | 'credentials'
  | 'env'
  | 'globals'
  | 'journal'
  | 'notice'
  | 'paths'
  | 'notifyOnce'
  | 'resolvedHost'
  | 'seen'
  | 'settings'
  | Planning;

/** Creates the function that records writes. @param isKeeping returns true if svc stores creates for later instead of sending them. */
export function recordWrites(
  context: Needs<RecordingWrites>,
  client: ApiClient,
  network: Pick<Network, 'request'>,
  reads: Reads,
  isKeeping: () => boolean,
): RecordedWrites {
  const attempts = watchAttempts(network);
  const command = context.argv;
  const plan = context.plan === undefined ? undefined : planWrites(context, client, reads, { file: context.plan, command });
  let group: Promise<number | undefined> | undefined;
  const own = new Set<number>();
  let hasQueued = false;
  const waiting = new WeakMap<Error, number>();
  const recording = journaledClient(client, {
    journal: context.journal,
    attempts,
    command,
    notice: context.notice,
    explain: (failed) => {
      if (failed.entry !== undefined) own.add(failed.entry);
      const error = failed.outcome === 'dropped' ? explainUnsent(failed) : explainUnknown(failed, command);
      if (failed.outcome === 'waiting' && failed.entry !== undefined && error instanceof Error) waiting.set(error, failed.entry);
      return error;
    },
  });

  async function send({ note = {}, ...request }: JournaledRequest): Promise<ApiResponse> {
    if (plan !== undefined && note.key === undefined) {
      if (note.entry === undefined) return plan(request);
      throw new UsageError('A plan cannot contain a write that waits in the outbox.', {
        hint: 'Send the write without --plan and SVC_PLAN.',
      });
    }
    const { chosen } = await context.resolvedHost();
    if (chosen?.from !== undefined && !context.globals.quiet)
      context.notifyOnce(`Account: ${chosen.account ?? DEFAULT_ACCOUNT}, from ${chosen.from}.`);
    // svc sends an existing entry or fails, because the journal already contains this entry.
    const keepOffline = note.entry === undefined && isCreate(request) && (await context.settings()).outbox === 'offline';
    if (isKeeping() && note.entry === undefined && isCreate(request)) return keep(request, note);
    try {
      // The journal does not record a write that svc would not send. A policy may refuse the write, or svc may lack a token that can
      // delete.
      const target = { url: journalPath(request), body: bytesOf(request.body) };
      const wanted = { method: request.method.toUpperCase(), upload: request.upload === true, target, signal: context.signal };
      await (await context.credentials())(wanted);
    } catch (error) {
      // Without a connection, svc can’t renew the sign-in either.
      if (keepOffline && error instanceof NetworkError && error.ran === 'no') return keep(request, note);
      throw error;
    }
    try {
      return renewed(request, note, await sendSigned(request, note, keepOffline));
    } catch (error) {
      const number = keepOffline && error instanceof Error ? waiting.get(error) : undefined;
      if (number === undefined) throw error;
      return storedAnswer(request, number);
    }
  }

  /**
   * Stores the version of the record after this write. Leaves out uploads. Also leaves out rows of a file, because nobody edits imported
   * records by hand.
   */
  function renewed(request: ApiRequest, { row }: WriteDetails, response: ApiResponse): ApiResponse {
    const { body, etag, status } = response;
    if (status < 200 || status > 299 || row !== undefined || request.upload === true) return response;
    const path = journalPath(request);
    const changed = changedRecord(request.method.toUpperCase(), path);
    const record = unwrapRecord(body());
    const id = scalarText(record?.['id'] ?? null);
    const at = changed ?? `${path.split('?', 1)[0]}/${id}`;
    if (request.method.toUpperCase() === 'DELETE') context.seen.forget(at);
    else if (changed !== undefined || id !== '') context.seen.see({ path: at, record, etag });
    return response;
  }

  async function sendSigned(request: ApiRequest, given: WriteDetails, keepOffline: boolean): Promise<ApiResponse> {
    if (given.entry !== undefined) return recording.send({ ...request, note: given });
    // An import has already searched for earlier writes of all its rows.
    const earlier = given.row === undefined ? await ifUsable(findEarlier(request)) : undefined;
    if (earlier === undefined) return recording.send({ ...request, note: { ...(await noteOf(request, given)), keepOffline } });
    const { entry } = earlier;
    if (entry.method !== 'POST' && !own.has(entry.number)) {
      const { overtakenBy, resolveLostChange } = await import('./unconfirmed-write.ts');
      const later = await overtakenBy(context, entry);
      if (later !== undefined) {
        await (await context.journal()).drop(entry.number);
        return recording.send({ ...request, note: { ...(await noteOf(request, given)), keepOffline } });
      }
      // Without an ETag, the repeated command means to overwrite every earlier change.
      const isConditional = request.ifMatch !== undefined && request.ifMatch === entry.etagSeen;
      const found = isConditional ? await resolveLostChange(context, client, earlier) : undefined;
      if (found !== undefined) return found;
    }
    if (earlier.lapsed && entry.method === 'POST' && !own.has(entry.number)) {
      const { resolveLapsed } = await import('./unconfirmed-write.ts');
      const found = await resolveLapsed(context, client, earlier);
      if (found !== undefined) return found;
    } else if (!own.has(entry.number)) await context.notice(sameAgain(entry));
    return recording.send({
      ...request,
      ...(entry.method === 'POST' && sameBytes(entry, request)),
      note: { ...given, entry: entry.number },
    });
  }

  /** Records a create, which svc sends later. @throws JournalError, because nothing else would store the write. */
  async function keep(request: ApiRequest, given: WriteDetails): Promise<ApiResponse> {
    const { keepOffline: _, entry: __, key: ___, ...note } = await noteOf(request, given);
    const write = {
      method: 'POST',
      path: journalPath(request),
      body: bytesOf(request.body),
      key: givenKey(request) ?? randomUUID(),
      command,
    };
    return storedAnswer(request, await (await context.journal()).begin({ ...write, ...note }, 'waiting'));
  }

  async function storedAnswer(request: ApiRequest, number: number): Promise<ApiResponse> {
    hasQueued = true;
    const { hostFlag } = await import('./printed-command.ts');
    const send = `svc outbox send${await hostFlag(context)}`;
    await context.notice(`svc stored the write as entry ${number}, and did not send it. To send the write: ${send}`);
    return answerOf(request, 202);
  }

  async function findEarlier(request: ApiRequest): Promise<UnconfirmedWrite | undefined> {
    if (context.globals.again) return undefined;
    const journal = await context.journal();
    const digest = requestDigest(request.method, journalPath(request), bytesOf(request.body));
    const key = givenKey(request);
    if (key === undefined) return journal.unconfirmed(digest);
    // A key always identifies the same write, at any age.
    const entry = await journal.entryByKey(key);
    return entry?.outcome === 'unknown' && entry.request === digest ? { entry, ageMs: 0, lapsed: false } : undefined;
  }

  async function noteOf(request: ApiRequest, given: WriteDetails): Promise<WriteDetails> {
    const path = journalPath(request);
    const before = await readBefore(request, path);
    group ??= ifUsable(context.journal().then((journal) => journal.newGroup(command)));
    return { ...whatIsWritten(path), before, group: await group, ...given };
  }

  /** Returns true for a sandbox with the records of an organisation. In such a sandbox, `svc history --for` needs all earlier values. */
  const isRehearsal = once(async () => {
    if (!isLoopbackName(new URL(client.host.origin).hostname)) return false;
    const { openSandboxOrigins } = await import('../config/sandbox-origins.ts');
    return (await openSandboxOrigins(context.files, context.paths.state).originOf(client.host)) !== undefined;
  });

  /**
   * Returns the values that a write overwrites, or the whole record before a delete, for a later undo. The values come from an earlier read
   * of the command, or from a request. svc sends the request only at a terminal, with `SVC_KEEP_BEFORE=1`, or in a sandbox with the records
   * of an organisation.
   */
  async function readBefore(request: ApiRequest, path: string): Promise<JsonObject | undefined> {
    const method = request.method.toUpperCase();
    const undoable = writtenRecordPath(method, path);
    const keepsAll = await isRehearsal();
    const at = undoable ?? (keepsAll ? changedRecord(method, path) : undefined);
    if (at === undefined) return undefined;
    // An earlier write of the command can have changed the record after the command read the record.
    const response = (keepsAll ? undefined : reads.get(at)) ?? (keepsAll || keepsBefore(context) ? await readQuietly(at) : undefined);
    const record = unwrapRecord(response?.body());
    return record === undefined || method === 'DELETE' || undoable === undefined ? record : overwritten(record, request);
  }

  async function readQuietly(path: string): Promise<ApiResponse | undefined> {
    try {
      return await client.send({ method: 'GET', path, headers: { 'cache-control': 'no-cache' } });
    } catch (error) {
      if (!(error instanceof SvcError) || error instanceof InterruptedError || error instanceof NetworkError) throw error;
      return undefined;
    }
  }

  return { network: attempts.network, send, hasQueued: () => hasQueued, resolve: recording.resolve };
}

function isCreate(request: ApiRequest): boolean {
  return request.method.toUpperCase() === 'POST' && request.upload !== true && isCreation(journalPath(request));
}

/**
 * Returns the key and the bytes of an earlier write, so that svc sends the same write again. A service may refuse the key if the same
 * fields have another order (rule 18.29).
 */
function sameBytes(
  { key, path, body, bodyWithheld }: JournalEntry,
  { ownOrigin }: ApiRequest,
): Pick<ApiRequest, 'idempotencyKey'> & Partial<Pick<ApiRequest, 'body' | 'path' | 'query'>> {
  // An upload or download address from the service is not a path within the API.
  return {
    idempotencyKey: key,
    ...(ownOrigin !== true && { path, query: [] }),
    ...(body !== undefined && !bodyWithheld && { body: { raw: body } }),
  };
}

function sameAgain({ number, sentAt = 0, method }: JournalEntry): string {
  const when = new Date(sentAt).toISOString().replace('T', ' ').slice(0, 16);
  const how = method === 'POST' ? ' with the same key, so the service runs the write once' : '';
  return `You sent the same write at ${when} UTC, and svc received no answer. svc sends entry ${number} of the journal again${how}. For a second record: --again`;
}

function overwritten(record: JsonObject, { body }: ApiRequest): JsonObject {
  const written = body !== undefined && 'json' in body && isJsonObject(body.json) ? Object.keys(writtenMembers(body.json)) : undefined;
  return written === undefined ? record : Object.fromEntries(Object.entries(record).filter(([name]) => written.includes(name)));
}

/** Adds the next step to a failure that leaves a write unconfirmed. Returns every other failure unchanged. */
function explainUnknown({ error, outcome, ...write }: FailedWrite, command: readonly string[]): unknown {
  if (outcome !== 'unknown' || !(error instanceof SvcError)) return error;
  const { entry, isKeyed, key } = write;
  // The advice “Try again” would be wrong for this write, so svc replaces this advice. The command stands at the end, so that you can copy
  // the command.
  const isReplaced = error instanceof NetworkError || error instanceof InterruptedError || error.hint === undefined;
  const more = withMore(error, {
    ...(entry !== undefined && { resume: shellCommand(command) }),
    ...(isKeyed && { idempotency_key: key }),
  });
  return Object.assign(more, {
    hint: ['The service may have run the write.', ...(isReplaced ? [] : [error.hint]), nextStep(write)].join(' '),
  });
}

/** Adds the next step to a create that svc could not send without a connection. Returns every other failure unchanged. */
function explainUnsent({ error, isKeyed }: FailedWrite): unknown {
  if (!(error instanceof NetworkError) || !isKeyed) return error;
  const more = 'svc sent nothing. Run the same command again. To store such writes for later: svc config set outbox offline';
  return withHint(error, [error.hint, more].filter(Boolean).join(' '));
}

function nextStep({ entry, key, isKeyed, isStored }: Omit<FailedWrite, 'error' | 'outcome'>): string {
  if (entry !== undefined)
    return `Run the same command again to resolve the write${isKeyed ? '; the service runs the write once' : ''}${isStored ? `. Or: svc outbox send ${entry}` : '.'}`;
  return isKeyed
    ? `To run the write only once, send the write again within a day, with: --idempotency-key ${key}`
    : 'Check the record before you send the write again.';
}
