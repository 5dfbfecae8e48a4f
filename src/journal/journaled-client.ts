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

export interface WriteDetails extends Pick<NewEntry, 'noun' | 'group' | 'before' | 'collection' | 'undoes' | 'row'> {
  /** The entry to send, recorded before: one that waited or is unconfirmed. Its key must be the request's. */
  readonly entry?: number | undefined;
  /** Refuses to send the write unless the journal can record it. Only its entry shows that it was sent, so svc would send it again. */
  readonly mustBeRecorded?: true;
  /** The write's name in the journal where the request has no key: that of a plan, to find it again. */
  readonly key?: string | undefined;
  readonly keepOffline?: boolean | undefined;
}

export interface JournaledRequest extends ApiRequest {
  readonly note?: WriteDetails;
  readonly asTyped?: true;
}

export interface JournaledClient extends ApiClient {
  /**
   * A successful write is resolved by {@link resolve}. So a person who saw nothing of it can type the same command again.
   *
   * @throws ConflictError when svc need not send {@link WriteDetails.entry} any more.
   */
  send(request: JournaledRequest): Promise<ApiResponse>;
  /** Resolves the writes that succeeded since the last call: to be called once the records are printed. Never rejects. */
  resolve(): Promise<void>;
}

export interface FailedWrite {
  readonly error: unknown;
  readonly entry: number | undefined;
  readonly key: string;
  /** Whether the service knows it by its key: a POST (rule 6.12). */
  readonly isKeyed: boolean;
  /** Whether the journal has the whole request, so that `svc outbox send` can send it again. */
  readonly isStored: boolean;
  readonly outcome: Resolution['outcome'];
}

export interface JournaledClientOptions {
  readonly journal: () => Promise<Journal>;
  readonly attempts: Pick<AttemptWatch, 'mayHaveRun'>;
  readonly command: readonly string[];
  /** Prints a line for the person; must not reject. */
  readonly notice: (line: string) => Promise<void>;
  /** Returns the error to throw for a failed write; default the failure itself. */
  readonly explain?: ((failed: FailedWrite) => unknown) | undefined;
}

interface StartedEntry {
  readonly number: number;
  readonly was: Outcome | undefined;
}

/** The journal keeps bodies up to this many bytes. */
const LARGEST_BODY = 1024 * 1024;

/** Records every write of a client in the journal. Reads pass, and open no journal. A journal that cannot be written stops no write. */
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
    const started = await begin(note, { ...entry, method, path, key, command }, givenKey(given) === undefined);
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
      // Nobody reads the answer to a delete; the page of a proxy must not pass for one.
      if (method === 'DELETE' && response.error === undefined) response.body();
      const outcome = await resolveAs(resolution, response.error);
      return explained(response, (error) => explain({ error, ...failed, outcome }));
    } catch (error) {
      const outcome = await resolveAs(outcomeOfError(error, mayHaveRun()), error);
      throw explain({ error, ...failed, outcome });
    }
  }

  /** Returns undefined when svc cannot use the journal. @param isNamedHere Whether nobody else knows the key. */
  async function begin({ entry, mustBeRecorded }: WriteDetails, write: NewEntry, isNamedHere: boolean): Promise<StartedEntry | undefined> {
    try {
      const journal = await options.journal();
      if (entry === undefined) return { number: await journal.begin(write, 'sent', isNamedHere ? 'now' : 'soon'), was: undefined };
      const before = await journal.resend(entry);
      if (before !== undefined) return { number: entry, was: before.outcome };
    } catch (error) {
      // The next import would log a row again that is not recorded.
      if (!(error instanceof JournalError) || write.row !== undefined || mustBeRecorded) throw error;
      await checkOvertaken(write, entry);
      if (!hasReported) await options.notice(`${error.message} svc cannot list or undo your writes from now on. ${error.hint ?? ''}`);
      hasReported = true;
      return undefined;
    }
    throw new ConflictError(`svc does not send entry ${entry} of the journal: the entry is resolved, or another svc is sending it now.`, {
      hint: 'See its state: svc history',
    });
  }

  /**
   * Refuses a change to fields that an open journal entry also changes. svc would send that entry later, and undo the newer change.
   *
   * @throws ConflictError if such an entry is open.
   */
  async function checkOvertaken({ method, path, body }: NewEntry, entry: number | undefined): Promise<void> {
    if (method !== 'PATCH') return;
    // A journal that cannot be read shows no open change.
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

  /** @param consequence The effect of an outcome that cannot be recorded. Undefined when it changes nothing. */
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

/** The answer with its failure explained. The failure is known at once, or shows when the body is read. */
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

/** The bytes that the client sends; for a body that is read while it is sent, its digest. */
export function bytesOf(body: ApiBody | undefined): Uint8Array | undefined {
  if (body === undefined) return undefined;
  if ('json' in body) return Buffer.from(stringifyJson(body.json));
  if ('source' in body) return Buffer.from(`${body.digest} ${body.source.size}`);
  return typeof body.raw === 'string' ? Buffer.from(body.raw) : body.raw;
}

/** Returns the path of a request in the form of the journal. A named address is kept without its query, which may be enough to use the address. */
export function journalPath({ path, query, ownOrigin }: ApiRequest): string {
  return apiPath(ownOrigin === true ? (path.split(/[?#]/, 1)[0] ?? '') : withQuery(path, query));
}

function withQuery(path: string, query: Query = []): string {
  if (query.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`;
}

/** A write that did not run waits if it waited before, or if the caller asked for that; any other one is dropped. */
function finalResolution(resolution: Resolution, error: unknown, was: Outcome | undefined, { keepOffline }: WriteDetails): Resolution {
  if (resolution.outcome !== 'dropped') return resolution;
  const isOffline = error instanceof NetworkError;
  return was === 'waiting' || (isOffline && keepOffline === true) ? { outcome: 'waiting' } : resolution;
}

/** Whether a change sent after another one leaves a field other than that one did. */
function undoes(earlier: Uint8Array | undefined, later: Uint8Array | undefined): boolean {
  const [before, after] = [writtenBody({ body: earlier }), writtenBody({ body: later })];
  if (before === undefined || after === undefined) return true;
  return Object.entries(before).some(([name, value]) => after[name] !== undefined && stringifyJson(after[name]) !== stringifyJson(value));
}

/** The entries stay sent, as if nobody had seen the answer, and the outbox handles them later. */
function stillOpen(numbers: readonly number[], outcome: Outcome): string | undefined {
  const [first] = numbers;
  const isOne = numbers.length === 1;
  const which = isOne ? `entry ${first} stays open` : `${numbers.length} entries, from number ${first}, stay open`;
  if (outcome === 'done') return `So ${which}, although the service did ${isOne ? 'it' : 'them'}. To resolve: svc outbox send`;
  if (outcome !== 'refused' && outcome !== 'dropped') return undefined;
  return `So ${which}, although the service did nothing. To send again: svc outbox send. To drop the entry: svc outbox drop ${first}`;
}

export function givenKey(request: ApiRequest): string | undefined {
  return headerOf(request, 'idempotency-key') ?? request.idempotencyKey;
}

function headerOf({ headers = {} }: ApiRequest, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** The same bytes under the same key, with the ETag of the first time. @throws UsageError when the journal has not kept its body. */
export function resendRequest(entry: JournalEntry): JournaledRequest {
  const { number, method, path, body, bodyWithheld, key, etagSeen } = entry;
  if (bodyWithheld) {
    throw new UsageError(`svc cannot send entry ${number} again, because its body was too large for the journal.`, {
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
