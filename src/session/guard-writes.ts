import { unwrapRecord } from '../client/record.ts';
import type { CredentialRequest, CredentialSource } from '../credential.ts';
import { ForbiddenError, UsageError } from '../errors.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { apiPath, requestDigest } from '../journal/request-digest.ts';
import { writtenBody } from '../journal/written-values.ts';
import { startOfDay, today } from '../values/dates.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownEntry } from '../values/json.ts';
import { isStrongEtag } from '../values/request-headers.ts';
import type { Context, Needs } from './context.ts';
import { once } from './once.ts';
import { requestMe } from './own-record.ts';
import { type ActivePolicy, comparableText, type PolicyRule, ruleText } from './policy.ts';

type Guarding = 'account' | 'catalog' | 'client' | 'dates' | 'journal';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' };

interface GuardedWrite {
  readonly method: string;
  /** The path relative to the API, with the query. */
  readonly path: string;
  /** The resource as the user types it. Undefined for a path that svc does not understand. */
  readonly resource: string | undefined;
  readonly verb: string;
  /** The path of the record that the write changes. Undefined for a create, and for a path that svc does not understand. */
  readonly record: string | undefined;
  readonly bytes: Uint8Array | undefined;
  /** The fields of the body. Undefined if the body is not a JSON object. */
  readonly body: JsonObject | undefined;
}

/**
 * Returns credentials only for requests that every policy allows. For a refused request, the source rejects with ForbiddenError, so svc
 * never sends the request. This function alone enforces policies, because every request of every command needs a credential.
 */
export function guardedBy(source: CredentialSource, policies: readonly ActivePolicy[], context: () => Needs<Guarding>): CredentialSource {
  /** The policy rules that allow a write before svc checks `per_day`. svc stores the rules, so that svc reads a record only once. */
  const fitting = new Map<string, ReturnType<typeof fittingRules>>();

  return async (request) => {
    const etags: (string | undefined)[] = [];
    for (const policy of policies) etags.push(await check(policy, request));
    return { ...(await source(request)), ifMatch: etags.find((etag) => etag !== undefined) };
  };

  /** Returns the ETag of the record, if the policy depends on the record’s values. */
  async function check(policy: ActivePolicy, request: CredentialRequest): Promise<string | undefined> {
    const { handedOut, method, target } = request;
    if (handedOut) throw refusal(policy, 'print a token', undefined, 'Other programs do not follow the policy.');
    if (READING.has(method.toUpperCase())) {
      checkRead(policy, request);
      return undefined;
    }
    if (policy.allow.length === 0) throw refusal(policy, `${method} ${target === undefined ? '' : apiPath(target.url)}`.trim());
    // A command can check for a token before the command has a request. svc checks the request later.
    if (target === undefined) return undefined;
    const write = writeOf(request, target);
    const key = `${policies.indexOf(policy)} ${digestOf(write)}`;
    const found = fitting.get(key) ?? fittingRules(policy, write, context());
    fitting.set(key, found);
    const { rules, closest, etag } = await found;
    const over: string[] = [];
    for (const rule of rules) {
      const why = await overSum(rule, write, context());
      if (why === undefined) return etag;
      over.push(why);
    }
    const [rule] = rules;
    throw refusal(policy, wordsOf(write), rule === undefined ? closest : { rule, why: over[0] ?? '' });
  }
}

function checkRead(policy: ActivePolicy, { target }: CredentialRequest): void {
  const { reads } = policy;
  if (reads === undefined || target === undefined) return;
  const parts = segmentsOf(apiPath(target.url)) ?? [''];
  const names = [parts[0], parts.length > 2 ? `${parts[0]} ${parts[2]}` : parts[0]];
  // Every policy allows discovery and `/me`, because svc itself needs the list of resources and the user.
  if (parts.length === 0 || parts[0] === 'me' || names.some((name) => reads.includes(name ?? ''))) return;
  throw refusal(policy, `read ${parts[0]}`, undefined, `The policy allows reads of: ${reads.join(', ')}.`);
}

/** The rule that comes closest to allowing a write, and the reason why the rule refuses the write. */
interface Closest {
  readonly rule: PolicyRule;
  readonly why: string;
}

/** Returns the rules that allow the write if its sums stay within their `per_day` limits. */
async function fittingRules({ allow }: ActivePolicy, write: GuardedWrite, context: Needs<Guarding>) {
  const rules: PolicyRule[] = [];
  let closest: (Closest & { readonly met: number }) | undefined;
  let etag: string | undefined;
  const readBefore = once(async () => {
    const read = await (await context.client()).send({ method: 'GET', path: write.record ?? '', headers: { 'cache-control': 'no-cache' } });
    if (read.etag !== undefined && isStrongEtag(read.etag)) etag = read.etag;
    return unwrapRecord(read.body()) ?? {};
  });
  for (const rule of allow) {
    const [met, why] = await unmet(rule, write, context, readBefore);
    if (why === undefined) rules.push(rule);
    else if (met > (closest?.met ?? -1)) closest = { rule, why, met };
  }
  return { rules, closest, etag };
}

/**
 * Returns a score, and the reason why a rule refuses a write. The score rises with the conditions that the write met before the refusal.
 * Returns no reason if the rule allows the write.
 */
async function unmet(
  rule: PolicyRule,
  write: GuardedWrite,
  context: Needs<Guarding>,
  readBefore: () => Promise<JsonObject>,
): Promise<readonly [met: number, why?: string]> {
  const { verbs, fields, where = {}, per_day: perDay = {} } = rule;
  const { body, bytes, verb } = write;
  if (rule.resource !== write.resource) return [verbs.includes(verb) ? 0.5 : 0, `it is about ${rule.resource}`];
  if (!verbs.includes(verb)) return [1, `it allows ${verbs.join(', ')}`];
  const isUnread = bytes !== undefined && body === undefined;
  if (isUnread && [fields, rule.where, rule.per_day].some((part) => part !== undefined))
    return [2, 'svc cannot read the fields of the body'];
  const named = new Set([...(fields ?? []), ...Object.keys(where), ...Object.keys(perDay)]);
  for (const [name, value] of Object.entries(body ?? {}))
    if (fields !== undefined && !named.has(name) && !(await isOwnDefault(context, write, name, value)))
      return [2, `it does not allow the field ${name}`];
  const before = Object.keys(where).length === 0 || write.record === undefined ? undefined : await readBefore();
  for (const [field, values] of Object.entries(where)) {
    const wanted = await Promise.all(values.map((value) => (value === 'me' ? ownUserId(context) : value)));
    const sent = ownEntry(body ?? {}, field);
    // For a new record without a user, the service uses the sender.
    const isMine = field === 'user_id' && values.includes('me') && verb === 'create';
    const has = [before === undefined ? undefined : fieldOf(before, field), sent].filter((value) => value !== undefined);
    if ((has.length === 0 && !isMine) || has.some((value) => !wanted.includes(comparableText(value))))
      return [3, `it needs ${field} = ${values.join(' or ')}`];
  }
  return [4];
}

/** Returns true if svc itself sets a field to the given value, such as the current date for hours. */
async function isOwnDefault(
  context: Needs<Guarding>,
  { resource = '', verb }: GuardedWrite,
  name: string,
  value: JsonValue,
): Promise<boolean> {
  if (verb !== 'create') return false;
  const field = ownEntry((await context.catalog.find(resource))?.fields ?? {}, name);
  return field?.default === 'today' && value === today(await context.dates());
}

async function ownUserId(context: Needs<Guarding>): Promise<string> {
  const known = (await context.account())?.user_id;
  return comparableText(known ?? unwrapRecord((await requestMe(await context.client())).body())?.['id'] ?? 'me');
}

/** Returns the value of a field, or the id of the related record in the answer: `user.id` for `user_id`. */
function fieldOf(record: JsonObject, field: string): JsonValue | undefined {
  const relation = ownEntry(record, field.replace(/_id$/, ''));
  return ownEntry(record, field) ?? (isJsonObject(relation) && field.endsWith('_id') ? ownEntry(relation, 'id') : undefined);
}

/**
 * Returns the reason why the sums of a rule refuse a write. Undefined if the sums allow the write.
 * The journal contains this machine’s writes of the day. svc records this write before sending, so processes that write at the same time
 * share the sum.
 */
async function overSum(rule: PolicyRule, write: GuardedWrite, context: Needs<Guarding>): Promise<string | undefined> {
  const limits = Object.entries(rule.per_day ?? {}).filter(([field]) => ownEntry(write.body ?? {}, field) !== undefined);
  if (limits.length === 0) return undefined;
  const [dates, journal] = await Promise.all([context.dates(), context.journal()]);
  const since = Date.parse(startOfDay(today(dates), dates));
  const entries = (await journal.history({ sentSince: since })).reverse();
  const isThis = ({ outcome, request }: JournalEntry) => (outcome === 'sent' || outcome === 'unknown') && request === digestOf(write);
  const own = entries.findLastIndex(isThis);
  const written = new Map<string, JsonObject>();
  for (const entry of own < 0 ? entries : entries.slice(0, own)) {
    const other = writeOf(entry, { url: entry.path, body: entry.body });
    if (entry.undoneBy !== undefined || entry.outcome === 'refused' || entry.outcome === 'dropped' || other.resource !== write.resource)
      continue;
    const record = other.record ?? (entry.recordId === undefined ? `#${entry.number}` : `${other.path.split('?', 1)[0]}/${entry.recordId}`);
    if (other.verb === 'delete') written.delete(record);
    else written.set(record, { ...written.get(record), ...other.body });
  }
  if (write.record !== undefined) written.delete(write.record);
  for (const [field, most] of limits) {
    const sum = [...written.values(), write.body ?? {}].reduce(
      (total, body) => total + Math.abs(Number(comparableText(body[field] ?? 0))),
      0,
    );
    if (!(sum <= most)) return `it allows ${most} ${field} a day, and this would be ${sum}`;
  }
  return undefined;
}

function digestOf({ method, path, bytes }: GuardedWrite): string {
  return requestDigest(method, path, bytes);
}

function writeOf(
  { method: typed, upload }: Pick<CredentialRequest, 'method'> & { readonly upload?: boolean },
  { url, body: bytes }: NonNullable<CredentialRequest['target']>,
): GuardedWrite {
  const method = typed.toUpperCase();
  const path = apiPath(url);
  const parts = segmentsOf(path);
  const action = parts?.indexOf('actions') ?? -1;
  const place = action < 0 ? parts : parts?.slice(0, action);
  const names = place?.filter((_, index) => index % 2 === 0);
  const isKnown = names !== undefined && names.length > 0 && names.every((name) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name));
  return {
    method,
    path,
    resource: isKnown ? names.join(' ') : undefined,
    verb: upload ? 'upload' : action < 0 ? (VERBS[method] ?? method) : (parts?.slice(action + 1).join(' ') ?? ''),
    record: place !== undefined && place.length % 2 === 0 ? `/${place.map(encodeURIComponent).join('/')}` : undefined,
    bytes,
    body: writtenBody({ body: bytes }),
  };
}

/** Returns the parts of a path within the API. Undefined for a path that svc does not understand. */
function segmentsOf(path: string): string[] | undefined {
  try {
    return (path.split('?', 1)[0] ?? '')
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function wordsOf({ method, path, resource, verb }: GuardedWrite): string {
  return resource === undefined ? `${method} ${path}` : `${verb} ${resource}`;
}

function refusal({ source, allow }: ActivePolicy, what: string, closest?: Closest, hint?: string): ForbiddenError {
  if (source === 'SVC_PLAN_ONLY')
    return new ForbiddenError(`svc is read-only here (${source}), so svc sent nothing.`, {
      hint: 'Add the write to a plan, which a person can apply: --plan <file>',
    });
  if (allow.length === 0)
    return new ForbiddenError(`svc is read-only here (${source}), so svc sent nothing.`, {
      hint: 'To see the request, add --dry-run. Ask the person who set read-only.',
    });
  const rule = closest === undefined ? '' : `The closest rule is: ${ruleText(closest.rule)}; but ${closest.why}.`;
  return new ForbiddenError(`The policy (${source}) does not allow svc to ${what}, so svc sent nothing.`, {
    hint: `${hint ?? rule} To see all rules: svc policy show`,
  });
}

/**
 * Returns credentials for a command that plans its writes. A write gets a placeholder as its token, because svc never sends these writes.
 */
export function planningOnly(source: CredentialSource): CredentialSource {
  return async (request) => (READING.has(request.method.toUpperCase()) ? source(request) : { token: 'planned-not-sent', kind: 'oauth' });
}

/** Returns a client for `--dry-run` that refuses writes. A command that can’t show a write must not send the write. */
export function withoutWrites<C extends Pick<Awaited<ReturnType<Context['client']>>, 'send'>>(client: C): C {
  return {
    ...client,
    async send(request: Parameters<C['send']>[0]) {
      if (READING.has(request.method.toUpperCase())) return client.send(request);
      throw new UsageError('This command has no --dry-run, so svc sent no write.', { hint: 'Leave out --dry-run.' });
    },
  };
}
