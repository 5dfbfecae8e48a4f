import { createHash, randomUUID } from 'node:crypto';
import type { ApiBody, ApiResponse } from '../client/api-client.ts';
import { requestUrl } from '../client/origin.ts';
import { unwrapRecord } from '../client/record.ts';
import type { ByteSource } from '../deps.ts';
import { ConflictError, NotFoundError, RefusedError, type SvcError, UnavailableError, UsageError } from '../errors.ts';
import type { JournaledRequest } from '../journal/journaled-client.ts';
import { UPLOAD_TICKET } from '../journal/undo-plan.ts';
import type { Needs } from '../session/context.ts';
import { differenceOf, integrityInRecord } from '../transfer/integrity.ts';
import type { KnownOperation } from '../transfer/known-operation.ts';
import { type FormPart, multipart } from '../transfer/multipart.ts';
import { type Members, membersFor, type UploadWay } from '../transfer/plan-upload.ts';
import { readTicket, type Ticket } from '../transfer/read-ticket.ts';
import { type JsonObject, parsedJson, scalarTexts, stringifyJson } from '../values/json.ts';
import type { LocalFile } from './local-file.ts';

export type Uploading = 'account' | 'client' | 'clock' | 'files' | 'globals' | 'host' | 'notice' | 'paths';

export interface Upload {
  readonly way: UploadWay;
  readonly operations: readonly KnownOperation[];
  readonly file: LocalFile;
  readonly place: JsonObject;
  readonly given: JsonObject;
  /** The path of the list that will contain the file, if known: `/work-items/ABC-12/attachments`. */
  readonly collection?: string | undefined;
  /** Receives the number of further bytes that svc sent. Negative if svc sends bytes again. */
  readonly onBytes: (count: number) => void;
}

export function uploadMembers({ way, file, place, given }: Pick<Upload, 'file' | 'given' | 'place' | 'way'>): Members {
  const members = membersFor(way.operation, file, way.isBelow ? {} : place, given);
  if (members.missing.length === 0) return members;
  throw new UsageError(`The service needs more fields for a file: ${members.missing.join(', ')}.`, {
    hint: `Add each field: ${members.missing.map((name) => `-F ${name}=…`).join(' ')}`,
  });
}

/**
 * Uploads a file. If the answer has no id, the returned record has no id.
 * @throws UnavailableError if the service reports another size or digest.
 */
export async function uploadFile(context: Needs<Uploading>, upload: Upload): Promise<JsonObject> {
  const { way, file } = upload;
  const response = way.kind === 'direct' ? await sendDirect(context, upload) : await sendByTicket(context, upload);
  const record = unwrapRecord(response.body()) ?? {};
  const difference = differenceOf(integrityInRecord(record), file);
  if (difference === undefined) return { file_name: file.name, ...record };
  throw new UnavailableError(`The service did not store ${file.typed} unchanged: ${difference}.`, {
    hint: 'Delete the incomplete file, and send the file again with --again.',
    details: { request_id: response.requestId, lines: [`The service made: ${stringifyJson(record).slice(0, 300)}`] },
  });
}

async function sendDirect(context: Needs<Uploading>, upload: Upload): Promise<ApiResponse> {
  const { way } = upload;
  const { values, filePart, inQuery } = uploadMembers(upload);
  const isForm = way.kind === 'direct' && way.isForm;
  const form = { fields: scalarTexts(values), filePart };
  return send(context, upload, {
    method: way.operation.method,
    path: way.path,
    ...(inQuery && { query: Object.entries(scalarTexts(values)) }),
    body: isForm ? formBody(upload, form) : bareBody(upload, bareType(upload)),
  });
}

/** Returns the media type of a body that is only the file. */
function bareType({ way, file }: Pick<Upload, 'file' | 'way'>): string {
  const { contentType } = way.operation;
  return contentType?.includes('*') === false ? contentType : file.mediaType;
}

async function sendByTicket(context: Needs<Uploading>, upload: Upload): Promise<ApiResponse> {
  const { file, way } = upload;
  const { values } = uploadMembers(upload);
  const { origin } = await context.host();
  const account = String((await context.account())?.user_id ?? '');
  const path = ticketFile(context, [origin, account, way.path, `${stringifyJson(values)}\n${file.sha256}`]);
  const stored = context.globals.again ? undefined : await storedTicket(context, path);
  if (stored !== undefined)
    await context.notice(
      `${file.name}: svc continues with the upload ticket of an earlier run that got no answer. To start again: --again`,
    );
  const { ticket, key } = stored ?? { ticket: await askTicket(context, upload, values), key: randomUUID() };
  if (stored === undefined) await keepTicket(context, path, { ticket, key });
  const { headers: { 'content-type': wanted, ...headers } = {}, form, method, address } = ticket;
  try {
    const response = await send(context, upload, {
      method,
      path: address,
      ownOrigin: true,
      headers,
      body: form === undefined ? bareBody(upload, wanted ?? file.mediaType) : formBody(upload, form),
      idempotencyKey: key,
    });
    await forgetTicket(context, path);
    return response;
  } catch (error) {
    if (!isJudged(error)) throw error;
    await forgetTicket(context, path);
    throw stored === undefined ? error : usedUp(error, file);
  }
}

async function askTicket(context: Needs<'client'>, { way, operations }: Upload, values: JsonObject): Promise<Ticket> {
  const client = await context.client();
  const request: JournaledRequest = {
    method: way.operation.method,
    path: way.path,
    body: { json: values },
    // Uploads need a personal access token. If svc has no such token, svc sends no request (rule 13.75).
    upload: true,
    note: { noun: UPLOAD_TICKET, group: undefined },
  };
  const response = await client.send(request);
  const ticket = readTicket(unwrapRecord(response.body()), response.headers['location'], operations);
  if (ticket !== undefined) return ticket;
  throw new UnavailableError('The upload ticket names no address that the imported API spec describes.', {
    hint: `Import a newer API spec: svc schema import <file>. To see the ticket: svc api ${way.operation.method} ${way.path}`,
    details: { status: response.status, request_id: response.requestId },
  });
}

async function send(context: Needs<'client'>, { collection }: Upload, request: JournaledRequest): Promise<ApiResponse> {
  const client = await context.client();
  const note = collection === undefined ? {} : { collection };
  return client.send({ ...request, upload: true, transfer: true, note });
}

/** Returns true if the service refused the upload, so that svc does not send the file with this ticket again. */
function isJudged(error: unknown): error is SvcError {
  return [RefusedError, NotFoundError, ConflictError, UsageError].some((type) => error instanceof type);
}

function usedUp(error: SvcError, file: LocalFile): SvcError {
  if (error instanceof RefusedError || error instanceof UsageError) return error;
  return new ConflictError(`The upload ticket of an earlier run is used or has expired, so that run may have sent ${file.name}.`, {
    hint: 'Check whether the file exists. To send the file again, run the same command again.',
    details: error.details,
    cause: error,
  });
}

function bareBody({ file, onBytes }: Upload, contentType: string): ApiBody {
  return { source: counted(file.source, onBytes), contentType, digest: `sha-256 ${file.sha256}` };
}

function formBody({ file, onBytes }: Upload, form: NonNullable<Ticket['form']>): ApiBody {
  const fields = Object.entries(form.fields).map(([name, text]): FormPart => ({ name, text }));
  const part: FormPart = { name: form.filePart, fileName: file.name, mediaType: file.mediaType, source: counted(file.source, onBytes) };
  // The file comes last, because some services stop reading after the file.
  const { contentType, source } = multipart([...fields, part], file.sha256.slice(0, 40));
  return { source, contentType, digest: `form ${stringifyJson(form.fields)} sha-256 ${file.sha256}` };
}

/** Counts the sent bytes of a file. Each read from the start counts from zero. */
function counted({ size, open }: ByteSource, onBytes: (count: number) => void): ByteSource {
  let bytes = 0;
  return {
    size,
    async *open() {
      onBytes(-bytes);
      bytes = 0;
      for await (const piece of open()) {
        yield piece;
        bytes += piece.byteLength;
        onBytes(piece.byteLength);
      }
    },
  };
}

/**
 * Describes the requests of an upload for `--dry-run`, without sending a request. Text in angle brackets stands for the contents, the size
 * of the form, or a value of an earlier answer.
 */
export async function describeUpload(context: Needs<'host'>, upload: Upload): Promise<JsonObject[]> {
  const { way, file } = upload;
  const { values, filePart, inQuery } = uploadMembers(upload);
  const host = await context.host();
  const contents = `<the ${file.size} bytes of ${file.name}>`;
  const token = 'a personal access token with Write';
  const { method } = way.operation;
  const first = {
    method,
    url: requestUrl(host, way.path, inQuery ? Object.entries(scalarTexts(values)) : []),
    token,
    cost: { write: 1, read: 1 },
  };
  if (way.kind === 'ticket')
    return [
      { step: 'ticket', ...first, headers: { 'Content-Type': 'application/json' }, body: values },
      { step: 'contents', method: '<method of that operation>', url: '<address in the ticket>', token, body: contents },
    ];
  const body = way.isForm ? { ...scalarTexts(values), [filePart]: contents } : contents;
  const headers = way.isForm
    ? { 'Content-Type': 'multipart/form-data', 'Content-Length': '<size of the form>' }
    : { 'Content-Type': bareType(upload), 'Content-Length': String(file.size) };
  return [{ step: 'contents', ...first, headers, body }];
}

/** An upload ticket that svc stores until the contents have arrived. After a crash, the next run continues with the ticket. */
interface StoredTicket {
  readonly ticket: Ticket;
  /** The Idempotency-Key of the contents. The service stores contents with the same key once. */
  readonly key: string;
}

/**
 * Returns the path of the ticket’s file beside the journal. The file has mode 0600, because the ticket’s address alone may grant access.
 */
function ticketFile({ paths }: Needs<'paths'>, of: readonly string[]): string {
  const name = createHash('sha256').update(of.join('\n')).digest('hex').slice(0, 32);
  return `${paths.state}/uploads/${name}.json`;
}

/** The assumed lifetime of a ticket without an expiry time, in milliseconds. svc does not use a ticket that expires within a minute. */
const ASSUMED_LIFETIME = 60 * 60 * 1000;
const TOO_LATE = 60 * 1000;

async function storedTicket(context: Needs<'clock' | 'files'>, path: string): Promise<StoredTicket | undefined> {
  const text = await context.files.readText(path).catch(() => undefined);
  if (text === undefined) return undefined;
  const stored = parse(text);
  if (stored !== undefined && context.clock.now() + TOO_LATE < stored.until) return stored;
  await forgetTicket(context, path);
  return undefined;
}

/** Stores a ticket. If svc can’t store the ticket, svc still uses the ticket. */
async function keepTicket(context: Needs<'clock' | 'files'>, path: string, stored: StoredTicket): Promise<void> {
  const until = stored.ticket.expiresAt ?? context.clock.now() + ASSUMED_LIFETIME;
  await context.files.writeAtomic(path, JSON.stringify({ ...stored, until }), 0o600).catch(() => undefined);
}

async function forgetTicket({ files }: Needs<'files'>, path: string): Promise<void> {
  await files.remove(path).catch(() => false);
}

function parse(text: string): (StoredTicket & { readonly until: number }) | undefined {
  const { ticket, key, until } = (parsedJson(text) ?? {}) as Partial<StoredTicket & { until: number }>;
  const isWhole = typeof ticket?.address === 'string' && typeof ticket.method === 'string' && typeof ticket.headers === 'object';
  return isWhole && typeof key === 'string' && typeof until === 'number' ? { ticket, key, until } : undefined;
}
