import type { Resource } from '../../catalog/define.ts';
import { reachOf, relationOf } from '../../catalog/rules.ts';
import { assumedIn } from '../../client/assumed.ts';
import type { Query } from '../../client/cost.ts';
import { dateTimeDisplay } from '../../output/cell.ts';
import { type RecordPage, renderPages } from '../../output/record-page.ts';
import { type Naming, nounsToAsk } from '../../records/kept-names.ts';
import { namedRows, type Reference } from '../../records/named-rows.ts';
import { recordAt } from '../../records/record-at.ts';
import type { Needs } from '../../session/context.ts';
import { pagerCommand, showPaged } from '../../session/paging.ts';
import { presentDay } from '../../session/present-day.ts';
import type { Printing } from '../../session/print.ts';
import type { JsonObject } from '../../values/json.ts';
import { eachFound, type Missing, notAllFound } from './each-found.ts';
import { type PageChoice, recordPage } from './record-facts.ts';
import { type Remarks, readRemarks } from './remarks.ts';
import { MOST_NAMES } from './table-view.ts';

/** What showing records to a person needs of a context. */
export type Viewing = Printing | Naming | 'clock';

/** Records to show, by their paths. */
export interface ViewOptions {
  readonly paths: readonly string[];
  /** What was typed for them. */
  readonly ids: readonly string[];
  readonly query: Query;
  readonly include: readonly string[];
  /** Units of one of them without names. */
  readonly cost: number;
  readonly comments?: true | undefined;
  readonly all?: true | undefined;
}

/** Shows records to a person, one after the other, with the names of what they refer to. @throws NotFoundError for those that are not there. */
export async function viewRecords(context: Needs<Viewing>, resource: Resource, options: ViewOptions): Promise<void> {
  const { paths, ids, query, include, cost, comments = false } = options;
  const missing: Missing[] = [];
  const references = await referencesOf(context, resource, include);
  const remarks = comments ? paths.map((path) => readRemarks(context, resource, path)) : [];
  // Of a record that is not there nobody asks for them.
  for (const one of remarks) one.catch(() => undefined);
  /** What stands beside the record that is shown as number `index`: those before it are there, or known to be missing. */
  const remarksOf = (index: number) => remarks.filter((_, place) => !missing.some((gone) => gone.index === place))[index];
  const open = (added: readonly string[]) => {
    const widened: Query = [...query.filter(([name]) => name !== 'include'), ...includeOf([...include, ...added])];
    const read = async (path: string) =>
      (await recordAt(context, path, widened, { cost: cost + added.length, assumed: assumedIn(added) })).record;
    missing.length = 0;
    const batches = async function* () {
      for await (const record of eachFound(paths, read, missing)) yield [record];
    };
    return { batches, count: async () => undefined, position: () => NOWHERE };
  };
  const rows = await namedRows(context, {
    path: paths[0] ?? resource.path,
    references,
    asked: include,
    goesOn: false,
    open,
    onIncluded: () => undefined,
  });
  if (!(await showPages(context, pagesOf(context, resource, rows.batches(), { all: options.all === true, remarksOf })))) return;
  if (missing.length > 0) throw paths.length === 1 ? missing[0]?.error : notAllFound(resource, missing, ids);
}

/** Shows one record that is at hand. */
export async function viewRecord(context: Needs<Viewing>, resource: Resource, record: JsonObject): Promise<void> {
  const rows = async function* () {
    yield [record];
  };
  await showPages(context, pagesOf(context, resource, rows(), { all: false, remarksOf: () => undefined }));
}

/** @returns false when the person left before the end. */
async function showPages(context: Needs<Viewing>, pages: AsyncIterable<RecordPage>): Promise<boolean> {
  const { stdout } = context.stdio;
  const { color, width = 80, isSpoken } = await context.presentation();
  const texts = renderPages(pages, { color, width, blocks: isSpoken });
  const pager = await pagerCommand(context);
  if (pager !== undefined) return showPaged(context, pager, texts);
  for await (const text of texts) await stdout.write(text);
  return true;
}

const NOWHERE = { rows: 0, total: undefined, more: false, cursor: undefined, page: undefined, skip: 0 };

interface Shown {
  readonly all: boolean;
  readonly remarksOf: (index: number) => Promise<Remarks> | undefined;
}

async function* pagesOf(
  context: Needs<Viewing>,
  resource: Resource,
  batches: AsyncIterable<readonly JsonObject[]>,
  { all, remarksOf }: Shown,
): AsyncGenerator<RecordPage> {
  let choice: PageChoice | undefined;
  let shown = 0;
  for await (const batch of batches) {
    // The record itself may have told of another zone.
    choice ??= { all, day: await presentDay(context), showDateTime: dateTimeDisplay(await context.timeZone()) };
    for (const record of batch) {
      const page = recordPage(resource, record, choice);
      const more = await remarksOf(shown);
      yield more === undefined ? page : { ...page, sections: [...page.sections, ...more.sections(choice)] };
      shown += 1;
    }
  }
}

/** What a record refers to, the most important first: so many are named by the service as names cost a unit each, the others as far as kept. */
async function referencesOf(context: Needs<Naming>, resource: Resource, include: readonly string[]): Promise<readonly Reference[]> {
  const fields = new Set([...resource.columns, ...(resource.wide ?? []), ...Object.keys(resource.fields)]);
  const all = [...fields].flatMap((field) => {
    const relation = relationOf(resource, field);
    return relation === undefined ? [] : [{ field, relation, noun: resource.fields[field]?.ref }];
  });
  const isIncluded = ({ relation }: { readonly relation: string }) => reachOf(resource, relation) === 'one' && !include.includes(relation);
  const others = all.filter((reference) => !isIncluded(reference)).flatMap(({ noun }) => noun ?? []);
  const left = MOST_NAMES - (await nounsToAsk(context, others)).length;
  const chosen = new Set(all.filter(isIncluded).slice(0, Math.max(0, left)));
  return all.map((reference) => ({ ...reference, includes: chosen.has(reference) }));
}

function includeOf(names: readonly string[]): Query {
  return names.length === 0 ? [] : [['include', names.join(',')]];
}
