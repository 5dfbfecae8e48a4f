import type { Resource } from '../catalog/define.ts';
import { goesByName } from '../catalog/rules.ts';
import type { KnownRecord } from '../cli/complete/candidate.ts';
import { RefusedError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { tokenInEnvironment } from '../session/environment.ts';
import { type KeptRecords, MOVES, openKeptFiles } from '../session/kept-records.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { together } from '../values/together.ts';
import { collectRows } from './all-rows.ts';
import { namesOf } from './name-of.ts';
import { itemPath } from './paths.ts';
import { recordNow } from './record-at.ts';
import { allStatuses, legalTargets } from './statuses.ts';

/** The most records of a resource that are kept, the latest: more would be no help in a list that a person looks through. */
const MOST = 300;

/**
 * Reads the records of a resource from the service, and keeps what completion needs of them.
 *
 * @param isFew The service has few of these records. Then svc sends no order, which might be refused.
 */
export async function askRecords(context: Needs<Keeping>, noun: string, isFew = false): Promise<void> {
  const resource = await context.catalog.find(noun);
  if (resource === undefined || resource.parent !== undefined) return;
  await keep(context, noun, async () => ({
    records: (await (isFew ? read(context, resource) : latest(context, resource))).flatMap((record) => candidateOf(resource, record)),
  }));
}

/** Reads the statuses that the workflow allows next for a work item (rules 5.10, 9.31), and keeps their names. */
export async function askMoves(context: Needs<Keeping>, workItem: string): Promise<void> {
  const resource = await context.catalog.find('work-items');
  if (resource === undefined) return;
  const path = itemPath(resource, workItem);
  await keep(context, MOVES, async () => {
    const [{ record }, statuses] = await together(recordNow(context, path), allStatuses(context));
    const targets = new Set(await legalTargets(context, Number(scalarText(record['workflow_status_id'] ?? null))));
    const names = new Set(statuses.filter(({ id }) => targets.has(id)).map(({ name }) => name));
    return { of: workItem, records: [...names].map((name) => ({ value: name, about: '' })) };
  });
}

type Keeping = 'accounts' | 'catalog' | 'client' | 'clock' | 'env' | 'files' | 'host' | 'paths';

async function keep(context: Needs<Keeping>, noun: string, ask: () => Promise<Omit<KeptRecords, 'at'>>): Promise<void> {
  const files = await openKeptFiles(context);
  const before = await accountId(context);
  const kept = await ask();
  // Somebody else may have signed in during the request: these names are not theirs.
  if ((await accountId(context)) === before) await files.write(noun, { at: context.clock.now(), ...kept });
}

async function accountId(context: Needs<'accounts' | 'env' | 'host'>): Promise<string | undefined> {
  if (tokenInEnvironment(context.env) !== undefined) return undefined;
  const found = await (await context.accounts()).find((await context.host()).name);
  return String(found?.record.account?.user_id ?? found?.record.grant?.issued_at);
}

/** The newest first, where the service sorts that way (which is not documented); else as it gives them. */
async function latest(context: Needs<'client'>, resource: Resource): Promise<JsonObject[]> {
  try {
    return await collectRows(context, resource.path, [['sort', '-id']], { limit: MOST, assumed: ['sort=-id'] });
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return read(context, resource);
  }
}

async function read(context: Needs<'client'>, resource: Resource): Promise<JsonObject[]> {
  return collectRows(context, resource.path, [], { limit: MOST });
}

function candidateOf(resource: Resource, record: JsonObject): KnownRecord[] {
  const value = (resource.keyed && scalarText(record['issue_key'] ?? null)) || scalarText(record['id'] ?? null);
  const name = ['name', 'title', 'number'].map((field) => scalarText(record[field] ?? null)).find((text) => text !== '');
  const about = namesOf(record).join(' ').slice(0, 80);
  return value === '' ? [] : [{ value, about, ...(name !== undefined && goesByName(resource) && { name }) }];
}
