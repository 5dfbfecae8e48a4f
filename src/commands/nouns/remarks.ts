import type { Resource } from '../../catalog/define.ts';
import { thingOf } from '../../catalog/rules.ts';
import { pluralOf } from '../../cli/words.ts';
import { ForbiddenError, NotFoundError } from '../../errors.ts';
import { htmlToPage } from '../../output/html-text.ts';
import { neutraliseLine } from '../../output/neutralise.ts';
import type { Part, Section } from '../../output/record-page.ts';
import { belowRecord } from '../../records/below-record.ts';
import type { Naming } from '../../records/kept-names.ts';
import type { Needs } from '../../session/context.ts';
import { isOn } from '../../session/environment.ts';
import { counted } from '../../values/counted.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import type { PageChoice } from './record-facts.ts';

/** What stands beside a record, to be laid out once it is known how. */
export interface Remarks {
  sections(choice: Pick<PageChoice, 'showDateTime'>): readonly Section[];
}

/** What is shown below a record: its steps, and then what people wrote. */
const NOUNS = ['subtasks', 'comments'];

/**
 * What people wrote about a record, and its steps, all of them. What may not be seen is said in their place. Never rejects for that.
 *
 * @param path Of the record.
 */
export async function readRemarks(
  context: Needs<Naming | 'env' | 'globals' | 'notice'>,
  resource: Resource,
  path: string,
): Promise<Remarks> {
  const nested = (resource.nested ?? []).filter(({ noun }) => NOUNS.includes(noun));
  const found = nested
    .sort((one, other) => NOUNS.indexOf(one.noun) - NOUNS.indexOf(other.noun))
    .map((below) => readOne(context, below, path));
  // Another of them may fail first; each is looked at in its turn.
  for (const one of found) one.catch(() => undefined);
  const all: Found[] = [];
  for (const one of found) all.push(await one);
  if (context.globals.debug || isOn(context.env['SVC_DEBUG'])) {
    const counts = all.map(({ below, rows }) => counted(rows.length, thingOf(below)));
    const units = all.reduce((sum, one) => sum + one.units, 0);
    await context.notice(`svc: ${path}: ${counts.join(', ')}, ${counted(units, 'unit')} in all`);
  }
  return { sections: (choice) => all.map((one) => sectionOf(one, choice)) };
}

interface Found {
  readonly below: Resource;
  readonly rows: readonly JsonObject[];
  readonly units: number;
  /** Why they are not shown. */
  readonly why?: string;
}

async function readOne(context: Needs<Naming>, below: Resource, path: string): Promise<Found> {
  const person = below.fields['assignee_id'] === undefined ? 'user' : 'assignee';
  try {
    const { rows, units } = await belowRecord(context, {
      path: `${path}/${below.noun}`,
      references: [{ field: `${person}_id`, relation: person, noun: 'users', includes: true }],
    });
    return { below, rows, units };
  } catch (error) {
    if (!(error instanceof ForbiddenError) && !(error instanceof NotFoundError)) throw error;
    return { below, rows: [], units: 1, why: error.message };
  }
}

function sectionOf({ below, rows, why }: Found, choice: Pick<PageChoice, 'showDateTime'>): Section {
  const heading = pluralOf(below).replace(/^./, (letter) => letter.toUpperCase());
  if (why !== undefined) return { heading, parts: [{ text: neutraliseLine(`Not shown: ${why}`) }] };
  if (rows.length === 0) return { heading: `${heading} (none)`, parts: [] };
  const isComment = below.noun === 'comments';
  const parts = (isComment ? inTime(rows) : rows).map((row) => (isComment ? commentOf(row, choice) : stepOf(row)));
  const done = rows.filter((row) => row['is_done'] === true).length;
  const isKnown = rows.every((row) => typeof row['is_done'] === 'boolean');
  return { heading: `${heading} (${rows.length}${!isComment && isKnown ? `, ${done} done` : ''})`, parts };
}

/** The oldest first, where all of them tell when they were written. */
function inTime(rows: readonly JsonObject[]): readonly JsonObject[] {
  const at = (row: JsonObject) => scalarText(row['created_at'] ?? null);
  if (rows.some((row) => at(row) === '')) return rows;
  return [...rows].sort((one, other) => (at(one) < at(other) ? -1 : at(one) > at(other) ? 1 : 0));
}

function commentOf(row: JsonObject, { showDateTime }: Pick<PageChoice, 'showDateTime'>): Part {
  const who = scalarText(row['user'] ?? null);
  const when = scalarText(row['created_at'] ?? null);
  const head = [who, when === '' ? '' : showDateTime(when)].filter((part) => part !== '').join(' · ');
  return { head: neutraliseLine(head || `#${scalarText(row['id'] ?? null)}`), text: htmlToPage(scalarText(row['body'] ?? null)) };
}

function stepOf(row: JsonObject): Part {
  const { is_done: done, assignee } = row;
  const mark = done === true ? '[x]' : done === false ? '[ ]' : '[?]';
  const who = scalarText(assignee ?? null);
  return { text: neutraliseLine(`- ${mark} ${scalarText(row['title'] ?? null)}${who === '' ? '' : ` · ${who}`}`) };
}
