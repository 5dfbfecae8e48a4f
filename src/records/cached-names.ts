import type { Resource } from '../catalog/define.ts';
import { isNameable } from '../catalog/rules.ts';
import type { KnownRecord } from '../cli/complete/candidate.ts';
import { RefusedError, undefinedFor } from '../errors.ts';
import type { ShowDateTime } from '../output/cell.ts';
import { htmlToLine } from '../output/html-text.ts';
import { type CachedRecords, openCachedRecords, TRANSITIONS } from '../session/cached-records.ts';
import type { Needs } from '../session/context.ts';
import { tokenInEnvironment } from '../session/environment.ts';
import { formatDuration } from '../values/duration.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { signInName } from '../values/sign-in-names.ts';
import { together } from '../values/together.ts';
import { collectRows } from './all-rows.ts';
import { itemPath } from './paths.ts';
import { recordNow } from './record-at.ts';
import { allowedTargets, allStatuses } from './workflows.ts';

export type Naming = 'accounts' | 'catalog' | 'client' | 'clock' | 'env' | 'files' | 'globals' | 'host' | 'paths';

export type KnownNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The resources with few records in an organisation. svc reads their names if the names are not in the cache. */
const FEW: ReadonlySet<string> = new Set([
  'workflow-statuses',
  'workflows',
  'contact-roles',
  'customer-categories',
  'subscription-types',
  'work-types',
  'company-branches',
]);

export function hasFewRecords(noun: string | undefined): boolean {
  return noun !== undefined && FEW.has(noun);
}

export async function resourcesToRead(context: Needs<Naming>, nouns: readonly string[]): Promise<readonly string[]> {
  const files = await openCachedRecords(context);
  const few = [...new Set(nouns)].filter((noun) => FEW.has(noun));
  const cached = await Promise.all(few.map((noun) => files.read(noun).catch(() => undefined)));
  return few.filter((_, index) => cached[index] === undefined);
}

/**
 * Returns the cached names of the records of the given resources, by resource. For small resources, and for all resources offline, svc
 * also reads names that are not in the cache. A resource whose names svc can’t read has no names in the result.
 */
export async function cachedNames(context: Needs<Naming> & Partial<Needs<'isOffline'>>, nouns: readonly string[]): Promise<KnownNames> {
  const files = await openCachedRecords(context);
  const wanted = [...new Set(nouns)];
  const isOffline = (await context.isOffline?.()) === true;
  // A dry run sends no requests, because the dry run only shows the list request.
  const isRead = (noun: string) => !context.globals.dryRun && (isOffline || FEW.has(noun));
  const read = async (noun: string) => (await files.read(noun)) ?? (isRead(noun) ? cacheRecords(context, noun, true) : undefined);
  const known = wanted.map(async (noun) => {
    const cached = await read(noun).catch(() => undefined);
    return [noun, new Map(cached?.records.map(({ value, about }) => [value, about]))] as const;
  });
  return new Map(await Promise.all(known));
}

/** The most records per resource that svc caches. More records would not help a person to choose from a list. */
const MOST = 300;

/**
 * Reads and caches the names of a resource’s latest records. Undefined for a child resource.
 * @param isFew true if the resource has few records. svc then requests no order, because the service might refuse an order. Default: false.
 */
export async function cacheRecords(context: Needs<Keeping>, noun: string, isFew = false): Promise<CachedRecords | undefined> {
  const resource = await context.catalog.find(noun);
  if (resource === undefined || resource.parent !== undefined) return undefined;
  return keep(context, noun, async () => ({
    records: (await (isFew ? read(context, resource) : latest(context, resource))).flatMap((record) => candidateOf(resource, record)),
  }));
}

/** Reads the workflow statuses to which a work item can change next (rules 5.10, 9.31), and caches their names. */
export async function cacheTransitions(context: Needs<Keeping>, workItem: string): Promise<void> {
  const resource = await context.catalog.find('work-items');
  if (resource === undefined) return;
  const path = itemPath(resource, workItem);
  await keep(context, TRANSITIONS, async () => {
    const [{ record }, statuses] = await together(recordNow(context, path), allStatuses(context));
    const targets = new Set(await allowedTargets(context, Number(scalarText(record['workflow_status_id'] ?? null))));
    const names = new Set(statuses.filter(({ id }) => targets.has(id)).map(({ name }) => name));
    return { of: workItem, records: [...names].map((name) => ({ value: name, about: '' })) };
  });
}

type Keeping = 'accounts' | 'catalog' | 'client' | 'clock' | 'env' | 'files' | 'host' | 'paths';

async function keep(context: Needs<Keeping>, noun: string, ask: () => Promise<Omit<CachedRecords, 'at'>>): Promise<CachedRecords> {
  const files = await openCachedRecords(context);
  const before = await accountId(context);
  const cached = { at: context.clock.now(), ...(await ask()) };
  // svc stores no names if another user signed in during the request, because the names belong to the earlier user.
  if ((await accountId(context)) === before) await files.write(noun, cached);
  return cached;
}

async function accountId(context: Needs<'accounts' | 'env' | 'host'>): Promise<string | undefined> {
  if (tokenInEnvironment(context.env) !== undefined) return undefined;
  const found = await (await context.accounts()).find(signInName(await context.host()));
  return String(found?.record.account?.user_id ?? found?.record.grant?.issued_at);
}

/** Reads the newest records first. Reads the records in the service’s order if the service refuses this undocumented order. */
async function latest(context: Needs<'client'>, resource: Resource): Promise<JsonObject[]> {
  const sorted = collectRows(context, resource.path, [['sort', '-id']], { limit: MOST, assumed: ['sort=-id'] });
  return (await sorted.catch(undefinedFor(RefusedError))) ?? read(context, resource);
}

async function read(context: Needs<'client'>, resource: Resource): Promise<JsonObject[]> {
  return collectRows(context, resource.path, [], { limit: MOST });
}

function candidateOf(resource: Resource, record: JsonObject): KnownRecord[] {
  const value = (resource.keyed && scalarText(record['issue_key'] ?? null)) || scalarText(record['id'] ?? null);
  const name = ['name', 'title', 'number'].map((field) => scalarText(record[field] ?? null)).find((text) => text !== '');
  const about = namesOf(record).join(' ').slice(0, 80);
  return value === '' ? [] : [{ value, about, ...(name !== undefined && isNameable(resource) && { name }) }];
}

/**
 * Returns the number, name, title and file name of a record, for a person. For a record without names, returns the date, times, minutes,
 * type, status and texts.
 * @param showDateTime formats a date-time for a person, and returns any other text unchanged. Default: changes no text.
 */
export function namesOf(record: JsonObject, showDateTime: ShowDateTime = (utc) => utc): string[] {
  const names = textsOf(record, ['number', 'name', 'title', 'file_name']);
  if (names.length > 0) return names;
  return textsOf(record, ['date', 'start', 'end', 'minutes', 'type', 'status', 'description', 'body']).map(showDateTime);
}

function textsOf(record: JsonObject, fields: readonly string[]): string[] {
  return fields.flatMap((field) => {
    const value = scalarText(record[field] ?? null);
    return value === '' ? [] : [field === 'minutes' ? formatDuration(Number(value)) : htmlToLine(value)];
  });
}
