import { resourceOfTable } from '../bulk/sync/sync-into.ts';
import type { Resource } from '../catalog/define.ts';
import { builtInCatalog } from '../catalog/index.ts';
import { pseudonymKey } from '../config/pseudonym-key.ts';
import { hostTyped } from '../config/resolve-host.ts';
import { readAllRecords, STORED_NAMES } from '../database/offline/answer.ts';
import type { DatabaseSnapshot } from '../database/offline/open-snapshot.ts';
import { pseudonymiser } from '../database/pseudonyms.ts';
import { SvcError, UsageError } from '../errors.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import type { Needs } from '../session/context.ts';
import { type OpeningDatabase, openAccountDatabase } from '../session/offline-client.ts';
import { type JsonObject, jsonObjectIn } from '../values/json.ts';
import { hostsOf } from '../values/sign-in-names.ts';
import { ageText } from '../values/temporal.ts';
import { counted } from '../values/text.ts';

/** The source of the records of a sandbox, as `--output json` shows the source. Child records have names such as `work-items comments`. */
export interface RecordsReport {
  readonly host: string;
  readonly user_id: number;
  readonly pseudonyms: boolean;
  /** The time at which the oldest table was complete, by the service’s clock: `2026-11-22T14:00:00Z`. */
  readonly read_at: string;
  /** The number of records of each resource. */
  readonly records: Readonly<Record<string, number>>;
  /** The resources that the organisation has and the local database lacks. */
  readonly missing: readonly { readonly resource: string; readonly reason: string }[];
  /** The resources whose latest sync read only changes. These resources can have records that the organisation deleted. */
  readonly incomplete: readonly { readonly resource: string; readonly complete_at: string }[];
  /** The resources of the local database that the sandbox cannot serve. */
  readonly unsupported: readonly string[];
}

type StoredRecord = JsonObject & { readonly id: number };
type Reading = OpeningDatabase | 'accounts';

interface Choice {
  readonly from: string;
  readonly pseudonyms: boolean;
  /** Returns the resource of the sandbox for a table. Undefined if the sandbox has no such resource. */
  readonly served: (list: string) => string | undefined;
}

/**
 * Reads the tables of an organisation’s local database, except tables that the sandbox cannot serve. Does not change the database. The keys
 * of `lists` are names such as `work-items.comments`.
 *
 * @throws UsageError without a local database, or if the database lacks your own record.
 * @throws SvcError for an id that the sandbox cannot store, DatabaseError for a database that svc cannot read.
 */
export async function readLocalRecords(context: Needs<Reading>, { from, pseudonyms, served }: Choice) {
  const host = await hostTyped(from, async () => hostsOf(await (await context.accounts()).names()));
  const hint = `To store the records: svc sync --host ${host.name}`;
  const { catalog: own, clock, env, files, notice, paths, storedAccount, system, teamDatabase, timeZone } = context;
  const around = { catalog: own, clock, env, files, notice, paths, storedAccount, system, teamDatabase, timeZone };
  const database = await openAccountDatabase({ ...around, host: async () => host });
  if (database === undefined) throw new UsageError(`There is no complete local database of ${host.name}.`, { hint });
  const { snapshot, account } = database;
  try {
    const catalog = builtInCatalog();
    const pseudonym = pseudonyms ? pseudonymiser(await pseudonymKey(context, paths.state, host.origin)) : undefined;
    const lists = new Map<string, readonly StoredRecord[]>();
    const states = [...snapshot.states.values()];
    for (const state of states.filter(({ noun }) => served(noun) !== undefined)) {
      const resource = await resourceOfTable({ catalog }, state.noun);
      const rows: StoredRecord[] = [];
      for await (const record of readAllRecords(snapshot, state)) {
        if (!Number.isSafeInteger(record['id']))
          throw new SvcError(`${inWords(state.noun)} has an id that the sandbox cannot store.`, {
            hint: `Leave out the resource: svc config set sync-exclude ${state.noun}`,
          });
        rows.push((pseudonym?.(record, resource) ?? record) as StoredRecord);
      }
      lists.set(state.noun, rows);
    }
    const userId = account?.user_id ?? snapshot.user;
    if (userId === undefined || !lists.get('users')?.some(({ id }) => id === userId))
      throw new UsageError('The local database does not contain your own record, so nobody could sign in to the sandbox.', { hint });
    const report: RecordsReport = {
      host: host.name,
      user_id: userId,
      pseudonyms,
      read_at: database.oldestCompleteAt,
      records: Object.fromEntries([...lists].map(([noun, rows]) => [inWords(noun), rows.length])),
      missing: await missingFrom(snapshot, await catalog.all(), { served, pseudonyms }),
      incomplete: states.flatMap(({ noun, as_of: read, whole_at: whole }) =>
        whole < read ? [{ resource: inWords(noun), complete_at: whole }] : [],
      ),
      unsupported: states.flatMap(({ noun }) => (served(noun) === undefined ? [inWords(noun)] : [])),
    };
    const lastIds: Record<string, number> = {};
    for (const [list, rows] of lists)
      for (const name of [list, served(list) ?? list])
        lastIds[name] = rows.reduce((last, { id }) => Math.max(last, id), lastIds[name] ?? 0);
    return { given: { userId, lists }, report, lastIds };
  } finally {
    await database.close();
  }
}

async function missingFrom(snapshot: DatabaseSnapshot, all: readonly Resource[], { served, pseudonyms }: Omit<Choice, 'from'>) {
  const discovery = jsonObjectIn((await snapshot.stored(STORED_NAMES.discovery)) ?? '');
  const refused = jsonObjectIn((await snapshot.stored(STORED_NAMES.refused)) ?? '');
  const listed = discovery?.['nouns'];
  const known = new Set([...snapshot.states.keys()].map(served));
  return all.flatMap(({ noun, parent }) => {
    const list = parent === undefined ? noun : `${parent.noun}.${noun}`;
    const name = served(list);
    if (name === undefined || known.has(name) || (Array.isArray(listed) && !listed.includes(parent?.noun ?? noun))) return [];
    known.add(name);
    const said = refused?.[list];
    // The reason that the service gave can contain names.
    const refusal = pseudonyms ? 'The service refused to show the records.' : said;
    return [{ resource: inWords(list), reason: typeof said === 'string' ? String(refusal) : 'No sync has stored the records.' }];
  });
}

const inWords = (list: string) => list.replace('.', ' ');

/** Returns the lines that `svc sandbox` prints about the source of its records. */
export function reportLines(report: RecordsReport, now: number): readonly string[] {
  const { host, user_id, pseudonyms, read_at, records, missing, incomplete, unsupported } = report;
  const sizes = Object.values(records);
  const count = sizes.reduce((sum, size) => sum + size, 0);
  return [
    `Records of:       ${host}, as user ${user_id} could read them${pseudonyms ? ', with pseudonyms' : ''}`,
    `                  ${counted(count, 'record')} of ${counted(sizes.length, 'resource')}, complete at ${read_at}, ${ageText(now - Date.parse(read_at))} ago`,
    ...section(
      `Resources that the local database lacks (svc sync --host ${host}):`,
      missing,
      ({ resource, reason }) => `${resource}: ${reason}`,
    ),
    ...section('Resources that may have deleted records:', incomplete, (each) => `${each.resource}: last complete at ${each.complete_at}`),
    ...section('Resources that the sandbox does not offer:', unsupported, (resource) => resource),
    '',
  ];
}

function section<Item>(title: string, items: readonly Item[], line: (item: Item) => string): string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `  ${neutraliseLine(line(item))}`)];
}
