import type { Resource } from '../../catalog/define.ts';
import { relationOf } from '../../catalog/rules.ts';
import type { Query } from '../../client/cost.ts';
import { type Page, readPage } from '../../client/pages.ts';
import { ForbiddenError, NotFoundError, RefusedError } from '../../errors.ts';
import { isSame, learnOrders, learnRelations, learnSummary } from '../../mirror/offline/learn.ts';
import { KEPT, keptJson, type Manner, refusalOf, type SeenRelation, type SortManner } from '../../mirror/offline/manner.ts';
import { type Copy, openCopy } from '../../mirror/offline/open-copy.ts';
import { recordIn, summaries } from '../../mirror/offline/show-record.ts';
import { idOf } from '../../mirror/record-id.ts';
import { quoted } from '../../mirror/sql-values.ts';
import { askMe } from '../../session/who-am-i.ts';
import type { JsonObject } from '../../values/json.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import type { Choice } from '../export/collections.ts';
import { PER_PAGE } from '../export/pieces.ts';
import { isDeclined } from '../is-declined.ts';
import { childrenPath } from '../read-below.ts';
import { learnQueries, learnSorting } from './learn-queries.ts';
import type { SyncRun } from './run.ts';

/** What a sync had before it: what discovery lists, and the tables that it found changed. */
export interface ToLearn {
  readonly entries: readonly JsonObject[];
  /** All that discovery lists. */
  readonly choice: Choice;
  /** Collections that were to be kept. */
  readonly wanted: Choice['collections'];
  /** Nouns of the tables that it brought up to date. */
  readonly looked: ReadonlySet<string>;
  readonly touched: ReadonlySet<string>;
}

/** A collection whose answers are to be known. */
interface Known {
  /** As discovery writes it. */
  readonly path: string;
  readonly table: string;
  readonly noun: string;
  readonly key: string | undefined;
  readonly resource: Resource | undefined;
}

/** Records that show what a relation looks like. */
const ROWS_WITH_RELATIONS = 25;

/** So many parents show how what lies below them is ordered. */
const PARENTS = 3;

/**
 * Keeps beside the tables what a copy must know to answer in the service's place: its default order and its summary view, from the first
 * page of each table that changed, and once what relations look like. That costs a unit for each such table; nothing where nothing changed.
 */
export async function learnManners(run: SyncRun, path: string, { entries, choice, wanted, looked, touched }: ToLearn): Promise<void> {
  const { context, mirror } = run;
  const copy = await openCopy(path, (await context.host()).name);
  if (copy === undefined) return;
  try {
    const at = utcSeconds(context.clock.now());
    await mirror.keep(KEPT.discovery, JSON.stringify({ at, body: { data: entries, links: { next: null } } }));
    // How old it is tells how old the answers are that name who asks.
    if (copy.kept(KEPT.me) === undefined || looked.has('users')) await keepMe(run, at);
    const paths = [...choice.collections, ...choice.nested].map((each) => each.path);
    await mirror.keep(KEPT.surroundings, JSON.stringify({ paths }));
    const learnt = new Map<string, Manner>();
    const collections = await collectionsIn(run, copy, choice);
    for (const known of collections) {
      const before = keptJson<Manner>(copy, KEPT.manner(known.path));
      // An order that people arranged may be another without any record being so.
      const isArranged = before?.orders?.length === 0 && known.key === undefined;
      if (before?.orders !== undefined && !isArranged && !touched.has(known.noun)) {
        // What a sync that was ended had not come to.
        if (isHalfLearnt(before, known)) learnt.set(known.path, before);
        continue;
      }
      const seen = await learnOne(run, copy, known);
      if (seen === undefined) continue;
      const manner: Manner = { ...(before && lasting(before)), ...seen };
      learnt.set(known.path, manner);
      await mirror.keep(KEPT.manner(known.path), JSON.stringify(manner));
    }
    await learnTheRest(run, copy, collections, learnt);
    await learnHowItSorts(run, copy, collections, learnt);
    for (const { noun, path: missing } of wanted) if (!copy.states.has(noun)) await keepRefusal(run, copy, missing, noun);
  } finally {
    copy.close();
  }
}

async function keepMe({ client, mirror }: SyncRun, at: string): Promise<void> {
  try {
    await mirror.keep(KEPT.me, JSON.stringify({ at, body: JSON.parse((await askMe(client)).text()) }));
  } catch (error) {
    if (!(error instanceof ForbiddenError) && !(error instanceof NotFoundError)) throw error;
    await mirror.keep(KEPT.me, JSON.stringify({ at }));
  }
}

/** Why a collection that discovery lists has no table. */
async function keepRefusal({ client, mirror, context }: SyncRun, copy: Copy, path: string, noun: string): Promise<void> {
  if (copy.kept(KEPT.manner(path)) !== undefined) return;
  await mirror.keep(KEPT.manner(path), JSON.stringify({ noun, ...(await refusalAt({ client, context }, path)) } satisfies Manner));
}

async function refusalAt({ client, context }: Pick<SyncRun, 'client' | 'context'>, path: string): Promise<Pick<Manner, 'refused'>> {
  try {
    await client.send({ method: 'GET', path, query: [['per_page', '1']], signal: context.signal });
    return {};
  } catch (error) {
    if (error instanceof RefusedError) return {};
    if (!(error instanceof ForbiddenError || error instanceof NotFoundError)) throw error;
    const because = error instanceof ForbiddenError ? 'forbidden' : 'missing';
    return { refused: { because, ...refusalOf(error) } };
  }
}

/** Every collection that a table answers for: its own, and what lies below records and is listed at the top too. */
async function collectionsIn({ context }: SyncRun, copy: Copy, { collections, nested }: Choice): Promise<readonly Known[]> {
  const known: Known[] = [];
  for (const { noun, path } of collections) {
    const table = copy.states.get(noun)?.table;
    if (table !== undefined) known.push({ path, table, noun, key: undefined, resource: await context.catalog.find(noun) });
  }
  for (const { noun, path, parent, segment, key, sameAs } of nested) {
    const own = copy.states.get(noun) ?? (sameAs === undefined ? undefined : copy.states.get(sameAs));
    if (own === undefined) continue;
    const resource = (await context.catalog.find(parent))?.nested?.find((each) => each.noun === segment);
    known.push({ path, table: own.table, noun: own.noun, key, resource });
  }
  return known;
}

/** Looks at the first page of a collection. @returns undefined where there is none to look at. */
async function learnOne(run: SyncRun, copy: Copy, known: Known): Promise<Manner | undefined> {
  const { client, context } = run;
  const { path, table, noun, key, resource } = known;
  const parents = key === undefined ? [undefined] : parentsIn(copy, table, key);
  let manner: Manner | undefined;
  const pairs: [JsonObject, JsonObject][] = [];
  for (const parent of parents) {
    const at = childrenPath({ path }, parent ?? null);
    let page: Page;
    try {
      const query = [['per_page', String(PER_PAGE)] as const];
      page = readPage(client, at, await client.send({ method: 'GET', path: at, query, signal: context.signal }));
    } catch (error) {
      if (isDeclined(error)) return undefined;
      throw error;
    }
    const ids = page.rows.flatMap((row) => idOf(row) ?? []);
    const below = key === undefined || parent === undefined ? undefined : { key, parent };
    const listed = { table, below, ids, isAll: page.next === undefined };
    for (const row of page.rows) {
      const record = recordIn(copy, noun, idOf(row) ?? -1);
      // One that changed in between says nothing of the view.
      if (record !== undefined && record['updated_at'] === (row['updated_at'] ?? record['updated_at'])) pairs.push([row, record]);
    }
    const counted = page.total !== undefined;
    manner ??= { noun, ...(key !== undefined && { key }), counted };
    if (!isSame(copy, listed)) return { ...manner, orders: [] };
    const kinds = Object.fromEntries(Object.entries(resource?.fields ?? {}).map(([name, { kind }]) => [name, kind]));
    const fits = resource?.reorderable ? [] : learnOrders(copy, listed, kinds);
    const earlier = manner.orders;
    const orders =
      earlier === undefined ? fits : fits.filter((order) => earlier.some((other) => JSON.stringify(other) === JSON.stringify(order)));
    manner = { ...manner, orders, ...(orders.length === 0 && listed.isAll && key === undefined && { listed: ids }) };
  }
  if (manner === undefined) return undefined;
  const summary = learnSummary(pairs);
  return { ...manner, ...(summary !== undefined && { summary }) };
}

/** Those with the most rows below them. */
function parentsIn(copy: Copy, table: string, key: string): readonly number[] {
  const column = quoted(key);
  const sql = `SELECT ${column} AS parent FROM ${quoted(table)} WHERE ${column} IS NOT NULL GROUP BY ${column} ORDER BY count(*) DESC LIMIT ${PARENTS}`;
  return copy.all<{ readonly parent: number }>(sql).map(({ parent }) => Number(parent));
}

/** What is found out once. */
function lasting({ noun: _, key, counted, summary, orders, listed, refused, ...lasts }: Manner): Partial<Manner> {
  return lasts;
}

/** Whether nobody has asked yet for what is found out once. */
function isHalfLearnt({ filters, refusedRelations }: Manner, { resource }: Known): boolean {
  return refusedRelations === undefined || (resource !== undefined && filters === undefined);
}

/** Asks once of each collection what the relations that the catalog has look like there, and what it takes of filters and sorts. */
async function learnTheRest(run: SyncRun, copy: Copy, collections: readonly Known[], learnt: Map<string, Manner>): Promise<void> {
  const own = (await run.context.account())?.user_id;
  const style = {};
  const included = new Set(keptJson<readonly string[]>(copy, KEPT.included));
  const before = included.size;
  const show = summaries({ ...copy, kept: (name) => keptAmong(learnt, name) ?? copy.kept(name) });
  for (const { path, table, key, resource } of collections) {
    const manner = learnt.get(path);
    if (manner === undefined) continue;
    const [parent] = key === undefined ? [] : parentsIn(copy, table, key);
    const at = childrenPath({ path }, parent ?? null);
    if (key !== undefined && parent === undefined) continue;
    const taken =
      resource && manner.filters === undefined ? await learnQueries(run, { copy, path: at, table, resource, own, style }) : undefined;
    const asked = relationsOf(resource);
    const answer = manner.fields === undefined ? await withRelations(run, at, Object.keys(asked)) : undefined;
    const shown = (of: string, id: number) => {
      const record = recordIn(copy, of, id);
      return record && show(of, record);
    };
    const found = answer === undefined || answer.rows.length === 0 ? undefined : learnRelations(answer.rows, asked, shown);
    if (taken === undefined && answer === undefined) continue;
    learnt.set(path, { ...manner, ...taken, ...found, ...(answer !== undefined && { refusedRelations: answer.refused }) });
    for (const { of, seen } of Object.values(found?.relations ?? {})) if (seen) included.add(of);
    await run.mirror.keep(KEPT.manner(path), JSON.stringify(learnt.get(path)));
  }
  if (included.size > before) await run.mirror.keep(KEPT.included, JSON.stringify([...included]));
}

/** Once, by whatever table shows it; where none did, by those that came since. */
async function learnHowItSorts(
  run: SyncRun,
  copy: Copy,
  collections: readonly Known[],
  learnt: ReadonlyMap<string, Manner>,
): Promise<void> {
  const known = keptJson<SortManner>(copy, KEPT.sorting);
  if (known?.ascending !== undefined) return;
  const tables = collections.flatMap(({ path, table, key, resource }) => {
    if (known !== undefined && !learnt.has(path)) return [];
    const sorts = (learnt.get(path) ?? keptJson<Manner>(copy, KEPT.manner(path)))?.sorts;
    return key === undefined && resource !== undefined && sorts !== undefined ? [{ path, table, resource, sorts }] : [];
  });
  const found = await learnSorting(run, copy, tables, known);
  if (found !== undefined) await run.mirror.keep(KEPT.sorting, JSON.stringify(found));
}

function keptAmong(learnt: ReadonlyMap<string, Manner>, name: string): string | undefined {
  const found = [...learnt].find(([path]) => KEPT.manner(path) === name);
  return found && JSON.stringify(found[1]);
}

/** What may be added of one record: each reference to another, by the name that relations have. */
function relationsOf(resource: Resource | undefined): Readonly<Record<string, Omit<SeenRelation, 'seen'>>> {
  if (resource === undefined) return {};
  const entries = Object.entries(resource.fields).flatMap(([key, { ref: of }]) => {
    const name = relationOf(resource, key);
    return of === undefined || name === undefined ? [] : [[name, { of, key }] as const];
  });
  return Object.fromEntries(entries);
}

/** Some records with the relations that the service adds; all of them at once, else without those that it refuses. */
async function withRelations({ client, context }: SyncRun, path: string, names: readonly string[]) {
  const ask = async (some: readonly string[], rest: Query) => {
    const include: Query = some.length === 0 ? [] : [['include', some.join(',')]];
    try {
      const request = { method: 'GET', path, query: [...rest, ...include], signal: context.signal };
      return readPage(client, path, await client.send(request)).rows;
    } catch (error) {
      if (isDeclined(error)) return undefined;
      throw error;
    }
  };
  const whole: Query = [
    ['view', 'detail'],
    ['per_page', String(ROWS_WITH_RELATIONS)],
  ];
  const all = await ask(names, whole);
  if (all !== undefined || names.length === 0) return { rows: all ?? [], refused: [] };
  const refused: string[] = [];
  for (const name of names) if ((await ask([name], [['per_page', '1']])) === undefined) refused.push(name);
  const taken = names.filter((name) => !refused.includes(name));
  return { rows: (await ask(taken, whole)) ?? [], refused };
}
