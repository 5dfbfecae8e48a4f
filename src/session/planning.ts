import { randomUUID } from 'node:crypto';
import type { ApiClient, ApiRequest, ApiResponse } from '../client/api-client.ts';
import { unwrapRecord } from '../client/record.ts';
import { ConflictError, UsageError } from '../errors.ts';
import { bytesOf, givenKey, journalPath } from '../journal/journaled-client.ts';
import { checkPlanSize, decodePlan, encodeHead, encodeWrite, type PlanHead, type PlannedWrite } from '../journal/plan-file.ts';
import { parseJson } from '../values/json.ts';
import type { Needs } from './context.ts';
import type { Reads } from './journaling.ts';
import { readAccount, requestMe } from './own-record.ts';

export type Planning = 'account' | 'files' | 'notice' | 'plan';

/**
 * Returns a function that adds a write to a plan. The function returns the body of the write instead of an answer.
 * @throws UsageError for a write that a plan can’t contain.
 */
export function planWrites(
  context: Needs<Planning>,
  client: ApiClient,
  reads: Reads,
  { file, command }: { readonly file: string; readonly command: readonly string[] },
): (request: ApiRequest) => Promise<ApiResponse> {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;

  async function append(request: ApiRequest, planning: Promise<PlannedWrite>): Promise<ApiResponse> {
    const write = await planning;
    // The first write checks the plan, and later writes only append to the plan.
    if (count === 0) count = await addToPlan(context, client, file, [write]);
    else {
      await context.files.append(file, encodeWrite(write));
      count += 1;
    }
    await context.notice(`Planned as write ${count} of ${file}; svc did not send the write. To send the plan: svc apply ${file}`);
    return answerOf(request, 202);
  }

  async function plannedWrite(request: ApiRequest): Promise<PlannedWrite> {
    const method = request.method.toUpperCase();
    const path = journalPath(request);
    if ((method !== 'POST' && method !== 'PATCH' && method !== 'DELETE') || request.upload)
      throw new UsageError(`A plan cannot contain a ${request.upload ? 'file' : method}.`, { hint: 'Leave out --plan and SVC_PLAN.' });
    return {
      method,
      path,
      body: textOf(bytesOf(request.body)),
      key: givenKey(request) ?? randomUUID(),
      ifMatch: request.ifMatch ?? (await etagOf(method, path)),
      noun: whatIsWritten(path).noun,
      command,
    };
  }

  async function etagOf(method: string, path: string): Promise<string | undefined> {
    const at = changedRecord(method, path);
    if (at === undefined) return undefined;
    return (reads.get(at) ?? (await client.send({ method: 'GET', path: at }))).etag;
  }

  return (request) => {
    const planning = plannedWrite(request);
    // The code that awaits `planning` reports the failure.
    planning.catch(() => undefined);
    // svc appends one line after another, because two simultaneous writes could mix their lines.
    const next = last.then(() => append(request, planning));
    last = next.catch(() => undefined);
    return next;
  };
}

/**
 * Adds writes to a plan, and creates the file if necessary. Returns the number of all writes of the plan.
 * @throws ConflictError if the plan is for another account; UsageError if the file is not a valid plan, or if the plan would be too large.
 */
export async function addToPlan(
  context: Needs<Planning>,
  client: ApiClient,
  file: string,
  writes: readonly PlannedWrite[],
): Promise<number> {
  const head = await planHead(context, client);
  const text = (await context.files.readText(file)) ?? '';
  const there = text === '' ? undefined : decodePlan(Buffer.from(text));
  if (there !== undefined && (there.origin !== head.origin || there.account !== head.account))
    throw new ConflictError(`The plan ${file} is for another account: ${there.account} of ${there.origin}.`, {
      hint: 'Name another file.',
    });
  const more = writes.map(encodeWrite).join('');
  checkPlanSize(Buffer.byteLength(text) + Buffer.byteLength(more));
  if (there === undefined) await context.files.writeAtomic(file, encodeHead(head) + more);
  else await context.files.append(file, more);
  return (there?.writes.length ?? 0) + writes.length;
}

export function changedRecord(method: string, path: string): string | undefined {
  const bare = path.split('?', 1)[0] ?? '';
  const action = bare.indexOf('/actions/');
  if (action > 0) return bare.slice(0, action);
  return method === 'POST' ? undefined : bare;
}

export async function planHead(context: Needs<'account'>, client: ApiClient): Promise<PlanHead> {
  const stored = await context.account();
  const known = stored?.user_id === undefined ? readAccount(unwrapRecord((await requestMe(client)).body())) : stored;
  const { user_id: account = '', user_name: madeBy } = known;
  return { origin: client.host.origin, account: String(account), ...(madeBy !== undefined && { madeBy }) };
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new UsageError('A plan can contain only text.', { hint: 'Leave out --plan and SVC_PLAN.', cause });
  }
}

export function answerOf(request: ApiRequest, status: number): ApiResponse {
  const bytes = () => bytesOf(request.body) ?? new Uint8Array();
  const text = () => Buffer.from(bytes()).toString();
  return {
    status,
    url: request.path,
    headers: {},
    etag: undefined,
    requestId: undefined,
    error: undefined,
    bytes,
    text,
    body: () => (text() === '' ? undefined : parseJson(text())),
  };
}

/** Returns the resource in a path: `work-items` for `/work-items/ABC-12/actions/transition`. Empty for an unknown path. */
export function whatIsWritten(path: string): { readonly noun?: string } {
  const noun = collectionsOf(path).at(-1);
  return noun !== undefined && /^[a-z]+(?:-[a-z]+)*$/.test(noun) ? { noun } : {};
}

/** Returns the path of the changed record. Undefined for a create, and for an action that svc can’t undo. */
export function writtenRecordPath(method: string, path: string): string | undefined {
  const bare = path.split('?', 1)[0] ?? '';
  if (method === 'PATCH' || method === 'DELETE') return bare;
  return method === 'POST' && bare.endsWith(TRANSITION) ? bare.slice(0, -TRANSITION.length) : undefined;
}

/** Returns true if a POST creates the same record at any later time. A timer is different, because the timer would start later. */
export function isCreation(path: string): boolean {
  return !path.includes('/actions/') && !/^\/timers(?:$|[/?])/.test(path);
}

const TRANSITION = '/actions/transition';

/** Returns the resource names in a path, which alternate with ids up to an action. */
function collectionsOf(path: string): string[] {
  const parts = (path.split('?', 1)[0] ?? '').split('/').slice(1);
  const action = parts.indexOf('actions');
  return (action < 0 ? parts : parts.slice(0, action)).filter((_, index) => index % 2 === 0);
}
