import type { Resource } from '../../catalog/define.ts';
import { reachOf, relationOf, singularName } from '../../catalog/rules.ts';
import { pluralOf } from '../../cli/words.ts';
import { assumedIn } from '../../client/assumed.ts';
import type { Query } from '../../client/cost.ts';
import { ForbiddenError, NotFoundError } from '../../errors.ts';
import { dateTimeDisplay, type ShowDateTime } from '../../output/cell.ts';
import { htmlToPage } from '../../output/html-text.ts';
import { neutraliseLine } from '../../output/neutralise.ts';
import { type Part, type RecordPage, renderPages, type Section } from '../../output/record-page.ts';
import { hasFewRecords, type Naming, resourcesToRead } from '../../records/cached-names.ts';
import { childRows, createKeyNamer, namedRows, type Reference, uncountedRows } from '../../records/named-rows.ts';
import { itemPath } from '../../records/paths.ts';
import { recordToSee } from '../../records/record-at.ts';
import type { Needs } from '../../session/context.ts';
import { isOn } from '../../session/environment.ts';
import { pagerCommand, showPaged } from '../../session/paging.ts';
import type { Printing } from '../../session/print.ts';
import { presentDay } from '../../session/time-zone.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { capitalised, compareTexts, counted } from '../../values/text.ts';
import { eachFound, type Missing, notAllFound } from './each-found.ts';
import { type PageChoice, recordPage } from './record-facts.ts';
import { MOST_NAMES } from './table-view.ts';

export type Viewing = Printing | Naming | 'clock' | 'isOffline' | 'seen';

export interface ViewOptions {
  readonly paths: readonly string[];
  /** The ids of the records in the form that the user typed. */
  readonly ids: readonly string[];
  readonly query: Query;
  readonly include: readonly string[];
  /** The cost of one record without names, in rate-limit units. */
  readonly cost: number;
  readonly comments?: true | undefined;
  readonly all?: true | undefined;
}

export async function viewRecords(context: Needs<Viewing>, resource: Resource, options: ViewOptions): Promise<void> {
  const { paths, ids, query, include, cost, comments = false } = options;
  const missing: Missing[] = [];
  const references = await referencesOf(context, resource, include);
  const remarks = comments ? paths.map((path) => readRemarks(context, resource, path)) : [];
  // If the record is missing, svc ignores a failure to read its child records.
  for (const one of remarks) one.catch(() => undefined);
  /** Returns the child records of an existing record. `index` is the position of the record among the existing records. */
  const remarksOf = (index: number) => remarks.filter((_, place) => !missing.some((one) => one.index === place))[index];
  const nameKeys = createKeyNamer(context, resource);
  const few = references.filter(({ noun }) => hasFewRecords(noun)).map(({ relation }) => relation);
  const open = (added: readonly string[]) => {
    const relations = [...include, ...added];
    const widened: Query =
      relations.length === 0 ? query : [...query.filter(([name]) => name !== 'include'), ['include', relations.join(',')]];
    const read = async (path: string) => {
      const { record } = await recordToSee(context, path, widened, { cost: cost + added.length, assumed: assumedIn(added) });
      return nameKeys(path, record, [...few, ...added]);
    };
    missing.length = 0;
    return uncountedRows(async function* () {
      for await (const record of eachFound(paths, read, missing)) yield [record];
    });
  };
  const rows = await namedRows(context, { path: paths[0] ?? resource.path, references, requested: include, open });
  if (!(await showPages(context, pagesOf(context, resource, rows.batches(), options.all === true, remarksOf)))) return;
  if (missing.length > 0) throw paths.length === 1 ? missing[0]?.error : notAllFound(resource, missing, ids);
}

export async function viewRecord(context: Needs<Viewing>, resource: Resource, record: JsonObject): Promise<void> {
  const { id } = record;
  const nameKeys = createKeyNamer(context, resource);
  const rows = async function* () {
    yield [typeof id === 'number' ? await nameKeys(itemPath(resource, String(id)), record, []) : record];
  };
  await showPages(context, pagesOf(context, resource, rows(), false));
}

/** Prints the detail views of records, with a pager if the output is a screen. @returns False if the user left the pager before the end. */
async function showPages(context: Needs<Viewing>, pages: AsyncIterable<RecordPage>): Promise<boolean> {
  const { stdout } = context.stdio;
  const { color, width = 80, isSpoken } = await context.presentation();
  const texts = renderPages(pages, { color, width, blocks: isSpoken });
  const pager = await pagerCommand(context);
  if (pager !== undefined) return showPaged(context, pager, texts);
  for await (const text of texts) await stdout.write(text);
  return true;
}

async function* pagesOf(
  context: Needs<Viewing>,
  resource: Resource,
  batches: AsyncIterable<readonly JsonObject[]>,
  all: boolean,
  remarksOf: (index: number) => Promise<readonly Remarks[]> | undefined = () => undefined,
): AsyncGenerator<RecordPage> {
  let choice: PageChoice | undefined;
  let shown = 0;
  for await (const batch of batches) {
    // svc reads the time zone after the first record, because that record can change the time zone.
    choice ??= { all, day: await presentDay(context), showDateTime: dateTimeDisplay(await context.timeZone()) };
    for (const record of batch) {
      const page = recordPage(resource, record, choice);
      const more = await remarksOf(shown);
      const { showDateTime } = choice;
      yield { ...page, sections: [...page.sections, ...(more ?? []).map((remarks) => sectionOf(remarks, showDateTime))] };
      shown += 1;
    }
  }
}

/**
 * Returns the references to related records, most important first. `includes` is true for the references whose names svc requests with the
 * record. Each of these names costs a rate-limit unit.
 */
async function referencesOf(context: Needs<Naming>, resource: Resource, include: readonly string[]): Promise<readonly Reference[]> {
  const fields = new Set([...resource.columns, ...(resource.wide ?? []), ...Object.keys(resource.fields)]);
  const all = [...fields].flatMap((field) => {
    const relation = relationOf(resource, field);
    return relation === undefined ? [] : [{ field, relation, noun: resource.fields[field]?.ref }];
  });
  const isIncluded = ({ relation }: { readonly relation: string }) => reachOf(resource, relation) === 'one' && !include.includes(relation);
  const others = all.filter((reference) => !isIncluded(reference)).flatMap(({ noun }) => noun ?? []);
  const left = MOST_NAMES - (await resourcesToRead(context, others)).length;
  const chosen = new Set(all.filter(isIncluded).slice(0, Math.max(0, left)));
  return all.map((reference) => ({ ...reference, includes: chosen.has(reference) }));
}

const SHOWN_CHILDREN = ['subtasks', 'comments'];

/** Reads the child records for the detail view. A resource that is forbidden or missing becomes a note instead of an error. */
async function readRemarks(
  context: Needs<Naming | 'env' | 'globals' | 'notice'>,
  resource: Resource,
  path: string,
): Promise<readonly Remarks[]> {
  const nested = (resource.nested ?? []).filter(({ noun }) => SHOWN_CHILDREN.includes(noun));
  const found = nested
    .sort((one, other) => SHOWN_CHILDREN.indexOf(one.noun) - SHOWN_CHILDREN.indexOf(other.noun))
    .map((child) => readOne(context, child, path));
  // Without this handler, a rejected read could end the process before svc awaits the read.
  for (const one of found) one.catch(() => undefined);
  const all: Remarks[] = [];
  for (const one of found) all.push(await one);
  if (context.globals.debug || isOn(context.env['SVC_DEBUG'])) {
    const counts = all.map(({ child, rows }) => counted(rows.length, singularName(child)));
    const units = all.reduce((sum, one) => sum + one.units, 0);
    await context.notice(`svc: ${path}: ${counts.join(', ')}, ${counted(units, 'rate-limit unit')} in all`);
  }
  return all;
}

interface Remarks {
  readonly child: Resource;
  readonly rows: readonly JsonObject[];
  readonly units: number;
  readonly why?: string;
}

async function readOne(context: Needs<Naming>, child: Resource, path: string): Promise<Remarks> {
  const person = child.fields['assignee_id'] === undefined ? 'user' : 'assignee';
  try {
    const { rows, units } = await childRows(context, {
      path: `${path}/${child.noun}`,
      references: [{ field: `${person}_id`, relation: person, noun: 'users', includes: true }],
    });
    return { child, rows, units };
  } catch (error) {
    if (!(error instanceof ForbiddenError) && !(error instanceof NotFoundError)) throw error;
    return { child, rows: [], units: 1, why: error.message };
  }
}

function sectionOf({ child, rows, why }: Remarks, showDateTime: ShowDateTime): Section {
  const heading = capitalised(pluralOf(child));
  if (why !== undefined) return { heading, parts: [{ text: neutraliseLine(`Not shown: ${why}`) }] };
  if (rows.length === 0) return { heading: `${heading} (none)`, parts: [] };
  const isComment = child.noun === 'comments';
  const parts = (isComment ? inTime(rows) : rows).map((row) => (isComment ? commentOf(row, showDateTime) : stepOf(row)));
  const done = rows.filter((row) => row['is_done'] === true).length;
  const isKnown = rows.every((row) => typeof row['is_done'] === 'boolean');
  return { heading: `${heading} (${rows.length}${!isComment && isKnown ? `, ${done} done` : ''})`, parts };
}

/** Returns the comments, oldest first. If a comment has no time, the order stays unchanged. */
function inTime(rows: readonly JsonObject[]): readonly JsonObject[] {
  const at = (row: JsonObject) => scalarText(row['created_at']);
  if (rows.some((row) => at(row) === '')) return rows;
  return [...rows].sort((one, other) => compareTexts(at(one), at(other)));
}

function commentOf(row: JsonObject, showDateTime: ShowDateTime): Part {
  const who = scalarText(row['user']);
  const when = scalarText(row['created_at']);
  const head = [who, when === '' ? '' : showDateTime(when)].filter((part) => part !== '').join(' · ');
  return { head: neutraliseLine(head || `#${scalarText(row['id'])}`), text: htmlToPage(scalarText(row['body'])) };
}

function stepOf(row: JsonObject): Part {
  const { is_done: done, assignee } = row;
  const mark = done === true ? '[x]' : done === false ? '[ ]' : '[?]';
  const who = scalarText(assignee);
  return { text: neutraliseLine(`- ${mark} ${scalarText(row['title'])}${who === '' ? '' : ` · ${who}`}`) };
}
