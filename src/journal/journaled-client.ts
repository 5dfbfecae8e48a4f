import { randomUUID } from 'node:crypto';
import type { ApiBody, ApiClient, ApiRequest, ApiResponse } from '../client/api-client.ts';
import type { Query } from '../client/cost.ts';
import { ConflictError, NetworkError, SvcError, UsageError } from '../errors.ts';
import { stringifyJson } from '../values/json.ts';
import type { JournalEntry, NewEntry, Outcome, Resolution, ResolvedWrite } from './entry.ts';
import { JournalError } from './journal-error.ts';
import type { Journal } from './open-journal.ts';
import { apiPath } from './request-digest.ts';
import { type AttemptWatch, outcomeOfError, outcomeOfResponse, writeName } from './write-outcome.ts';
import { writtenBody } from './written-values.ts';

export interface WriteDetails
  extends Pick<NewEntry, 'noun' | 'group' | 'before' | 'collection' | 'undoes' | 'plannedBy' | 'approvedBy' | 'row'> {
  /**
   * The number of an existing entry to send: a waiting or unconfirmed entry. The entry and the request must have the same key. Default: a
   * new entry.
   */
  readonly entry?: number | undefined;
  /** True to refuse a write that the journal can’t record. Without the entry, a later run would send the write again. */
  readonly mustBeRecorded?: true;
  /** The name of the write in the journal if the request has no key. A plan finds the entry by this name. Default: a random UUID. */
  readonly key?: string | undefined;
  readonly keepOffline?: boolean | undefined;
}

export interface JournaledRequest extends ApiRequest {
  readonly note?: WriteDetails | undefined;
  readonly asTyped?: true;
}

export interface JournaledClient extends ApiClient {
  /**
   * Sends a write. The entry of a successful write stays open until {@link resolve}, so that you can run the same command again.
   * @throws ConflictError if {@link WriteDetails.entry} is resolved, or if another svc process is sending the entry.
   * @throws ConflictError if svc can’t record a change to fields of an open entry.
   * @throws JournalError for a row or a `mustBeRecorded` write that the journal can’t record.
   */
  send(request: JournaledRequest): Promise<ApiResponse>;
  /**
   * Records the success of all writes since the last call. Call this function after svc has printed the records. Prints a notice if svc
   * can’t use the journal.
   */
  resolve(): Promise<void>;
}

export interface FailedWrite {
  readonly error: unknown;
  readonly entry: number | undefined;
  readonly key: string;
  /** True if the service recognises the write by its key: a POST (rule 6.12). */
  readonly isKeyed: boolean;
  /** True if an entry of this write has the whole request. `svc outbox send` can then send a recorded request again. */
  readonly isStored: boolean;
  readonly outcome: Resolution['outcome'];
}

export interface JournaledClientOptions {
  readonly journal: () => Promise<Journal>;
  readonly attempts: Pick<AttemptWatch, 'mayHaveRun'>;
  readonly command: readonly string[];
  /** Prints a line for the user. Must not reject. */
  readonly notice: (line: string) => Promise<void>;
  /** Returns the error to throw for a failed write. Default: the failure itself. */
  readonly explain?: ((failed: FailedWrite) => unknown) | undefined;
}

interface StartedEntry {
  readonly number: number;
  readonly was: Outcome | undefined;
}

/** The largest body that the journal stores, in bytes. */
const LARGEST_BODY = 1024 * 1024;

/**
 * Wraps a client so that the journal records every write. Reads do not open the journal. An unwritable journal stops only rows of files,
 * `mustBeRecorded` writes, and changes to fields of an open entry.
 */
export function journaledClient(client: ApiClient, options: JournaledClientOptions): JournaledClient {
  const { attempts, command, explain = ({ error }) => error } = options;
  let answered: ResolvedWrite[] = [];
  let hasReported = false;

  async function send({ note = {}, ...given }: JournaledRequest): Promise<ApiResponse> {
    const method = given.method.toUpperCase();
    if (method === 'GET' || method === 'HEAD') return client.send(given);
    const key = givenKey(given) ?? note.key ?? randomUUID();
    const request: ApiRequest = method === 'POST' ? { ...given, idempotencyKey: key } : given;
    const path = journalPath(request);
    const entry = entryOf(request, note);
    const started = await begin(note, { ...entry, method, path, key, command });
    const failed = { entry: started?.number, key, isKeyed: method === 'POST', isStored: !entry.bodyWithheld };
    const resolveAs = async (resolution: Resolution, error: unknown) => {
      const final = finalResolution(resolution, error, started?.was, note);
      await resolveOne(started?.number, final);
      return final.outcome;
    };
    const mayHaveRun = () =>
      attempts.mayHaveRun(writeName(method, path, method === 'POST' ? key : givenKey(given))) || started?.was === 'unknown';
    try {
      const response = await client.send(started?.was === 'unknown' ? { ...request, mayHaveRun: true } : request);
      const resolution = outcomeOfResponse(response, { method, path }, mayHaveRun());
      if (resolution.outcome === 'done') {
        if (started !== undefined) answered.push({ number: started.number, resolution });
        return response;
      }
      // svc checks the answer to a delete here, because no caller reads its body. A proxy may have sent a web page.
      if (method === 'DELETE' && response.error === undefined) response.body();
      const outcome = await resolveAs(resolution, response.error);
      return explained(response, (error) => explain({ error, ...failed, outcome }));
    } catch (error) {
      const outcome = await resolveAs(outcomeOfError(error, mayHaveRun()), error);
      throw explain({ error, ...failed, outcome });
    }
  }

  /** Records a write before svc sends the write. Returns undefined if svc can’t use the journal. */
  async function begin({ entry, mustBeRecorded }: WriteDetails, write: NewEntry): Promise<StartedEntry | undefined> {
    try {
      const journal = await options.journal();
      if (entry === undefined) return { number: await journal.begin(write), was: undefined };
      const before = await journal.resend(entry);
      if (before !== undefined) return { number: entry, was: before.outcome };
    } catch (error) {
      // If svc did not record this row, the next import would log the row again.
      if (!(error instanceof JournalError) || write.row !== undefined || mustBeRecorded) throw error;
      await checkOvertaken(write, entry);
      if (!hasReported) await options.notice(`${error.message} svc cannot list or undo your writes from now on. ${error.hint ?? ''}`);
      hasReported = true;
      return undefined;
    }
    throw new ConflictError(
      `Entry ${entry} of the journal is resolved, or another svc process is sending the entry now. svc did not send the entry.`,
      {
        hint: 'To see the state of the entry: svc history',
      },
    );
  }

  /**
   * Refuses a change to fields that an open entry also changes. svc would later send that entry, and overwrite the newer change.
   * @throws ConflictError if such an entry is open.
   */
  async function checkOvertaken({ method, path, body }: NewEntry, entry: number | undefined): Promise<void> {
    if (method !== 'PATCH') return;
    // If svc can’t read the journal, svc assumes that no change is open.
    const open = await options
      .journal()
      .then((journal) => journal.openChanges(path))
      .catch(() => []);
    const other = open.find((one) => one.number !== entry && undoes(one.body, body));
    if (other === undefined) return;
    throw new ConflictError(
      `Entry ${other.number} of the journal is open and changes the same fields of this record. svc cannot record that your change is newer.`,
      {
        hint: `Free some space on the disk, then: svc outbox send, or svc outbox drop ${other.number}`,
      },
    );
  }

  async function resolveOne(number: number | undefined, resolution: Resolution): Promise<void> {
    if (number === undefined) return;
    await unlessUnusable(async () => (await options.journal()).resolve(number, resolution), stillOpen([number], resolution.outcome));
  }

  /**
   * Runs a change of the journal. A notice reports a JournalError that has a consequence.
   * @param consequence effect of an unrecorded outcome. Undefined without an effect.
   */
  async function unlessUnusable(resolve: () => Promise<unknown>, consequence: string | undefined): Promise<void> {
    try {
      await resolve();
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      if (consequence !== undefined) await options.notice(`${error.message} ${consequence}`);
    }
  }

  return {
    host: client.host,
    limits: () => client.limits(),
    watch: (listener) => client.watch(listener),
    send,
    async resolve() {
      const now = answered;
      answered = [];
      if (now.length === 0) return;
      await unlessUnusable(
        async () => (await options.journal()).resolveAll(now),
        stillOpen(
          now.map(({ number }) => number),
          'done',
        ),
      );
    },
  };
}

/** Returns the answer with `explain` applied to its error. The error is in the answer, or occurs when the caller reads the body. */
function explained(response: ApiResponse, explain: (error: unknown) => unknown): ApiResponse {
  const error = response.error === undefined ? undefined : explain(response.error);
  return {
    ...response,
    error: error instanceof SvcError ? error : response.error,
    body() {
      try {
        return response.body();
      } catch (failure) {
        throw explain(failure);
      }
    },
  };
}

function entryOf(
  request: ApiRequest,
  { entry: _, mustBeRecorded: __, key: ___, keepOffline: ____, ...note }: WriteDetails,
): Omit<NewEntry, 'method' | 'path' | 'key' | 'command'> {
  const body = bytesOf(request.body);
  const isRead = request.body !== undefined && 'source' in request.body;
  const bodyWithheld = body !== undefined && (request.upload === true || isRead || body.length > LARGEST_BODY);
  return { ...note, body, bodyWithheld, etagSeen: headerOf(request, 'if-match') ?? request.ifMatch };
}

/** Returns the bytes that the client sends. Returns the digest and the size of the body if the client reads the body while sending. */
export function bytesOf(body: ApiBody | undefined): Uint8Array | undefined {
  if (body === undefined) return undefined;
  if ('json' in body) return Buffer.from(stringifyJson(body.json));
  if ('source' in body) return Buffer.from(`${body.digest} ${body.source.size}`);
  return typeof body.raw === 'string' ? Buffer.from(body.raw) : body.raw;
}

/**
 * Returns the path of a request in the form of the journal. Leaves out the query of an upload or download address, because the query may
 * grant access.
 */
export function journalPath({ path, query, ownOrigin }: ApiRequest): string {
  return apiPath(ownOrigin === true ? (path.split(/[?#]/, 1)[0] ?? '') : withQuery(path, query));
}

function withQuery(path: string, query: Query = []): string {
  if (query.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`;
}

/**
 * Returns the resolution for a failed write. A write that did not run becomes `waiting` if the write was `waiting` before. With
 * `keepOffline`, a write also becomes `waiting` after a network failure. svc drops any other write that did not run.
 */
function finalResolution(resolution: Resolution, error: unknown, was: Outcome | undefined, { keepOffline }: WriteDetails): Resolution {
  if (resolution.outcome !== 'dropped') return resolution;
  const isOffline = error instanceof NetworkError;
  return was === 'waiting' || (isOffline && keepOffline === true) ? { outcome: 'waiting' } : resolution;
}

/**
 * Returns true if a later change leaves a field with another value than the earlier change. Also true if svc can’t read the fields of a
 * change.
 */
function undoes(earlier: Uint8Array | undefined, later: Uint8Array | undefined): boolean {
  const [before, after] = [writtenBody({ body: earlier }), writtenBody({ body: later })];
  if (before === undefined || after === undefined) return true;
  return Object.entries(before).some(([name, value]) => after[name] !== undefined && stringifyJson(after[name]) !== stringifyJson(value));
}

/**
 * Returns the consequence of an outcome that svc could not record: the entries stay open. Undefined for an outcome without a consequence.
 */
function stillOpen(numbers: readonly number[], outcome: Outcome): string | undefined {
  const [first] = numbers;
  const isOne = numbers.length === 1;
  const which = isOne ? `entry ${first} stays open` : `${numbers.length} entries, from number ${first}, stay open`;
  if (outcome === 'done')
    return `So ${which}, although the service completed the ${isOne ? 'write' : 'writes'}. To resolve: svc outbox send`;
  if (outcome !== 'refused' && outcome !== 'dropped') return undefined;
  return `So ${which}, although the service did nothing. To send again: svc outbox send. To drop the entry: svc outbox drop ${first}`;
}

export function givenKey(request: ApiRequest): string | undefined {
  return headerOf(request, 'idempotency-key') ?? request.idempotencyKey;
}

function headerOf({ headers = {} }: ApiRequest, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** Returns a request with the bytes, key and ETag of the first attempt. @throws UsageError if the journal lacks the body. */
export function resendRequest(entry: JournalEntry): JournaledRequest {
  const { number, method, path, body, bodyWithheld, key, etagSeen } = entry;
  if (bodyWithheld) {
    throw new UsageError(`svc cannot send entry ${number} again. The journal does not store a body of more than 1 MiB, and no file.`, {
      hint: 'Run the command of the entry again, with the same file.',
    });
  }
  return {
    method,
    path,
    ...(body !== undefined && { body: { raw: body } }),
    ...(method === 'POST' && { idempotencyKey: key }),
    ...(etagSeen !== undefined && { ifMatch: etagSeen }),
    note: { entry: number, mustBeRecorded: true },
  };
}
