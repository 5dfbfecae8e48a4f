import { ForbiddenError, UsageError } from '../../errors.ts';
import { type JsonObject, ownEntry } from '../../values/json.ts';
import { matchesIn, type SearchTerm } from '../../values/search-words.ts';
import type { TableState } from '../local-database.ts';
import { readRecords } from '../offline/answer.ts';
import type { DatabaseSnapshot } from '../offline/open-snapshot.ts';
import { searchedTexts, TITLE_FIELDS } from './record-words.ts';

/**
 * A record that a search found. Values that a record does not have are null.
 *
 * - `title`: the key and the name of the record.
 * - `field`: the field of a text with a match.
 * - `snippet`: the part of this text around the first match, on one line.
 * - `matches`: the matching words of the title and the snippet, spelled as in the record.
 */
export interface FoundRecord {
  readonly resource: string;
  readonly id: number;
  readonly title: string | null;
  readonly field: string | null;
  readonly snippet: string | null;
  readonly matches: readonly string[];
  readonly web_url: string | null;
}

/** The best records, and the number of all found records (`total`). `hidden`: the resources that the role must not read. */
export interface FoundRecords {
  readonly rows: readonly FoundRecord[];
  readonly total: number;
  readonly searched: readonly TableState[];
  readonly hidden: readonly string[];
}

export interface SearchRequest {
  readonly terms: readonly SearchTerm[];
  /** The resources to search. Undefined for all resources. */
  readonly nouns: readonly string[] | undefined;
  readonly limit: number;
}

/**
 * Searches the records of a local database or team database.
 *
 * @param name the name of the database for messages.
 * @throws UsageError without an index; ForbiddenError for a requested table that the role must not read.
 */
export async function findRecords(snapshot: DatabaseSnapshot, name: string, { terms, nouns, limit }: SearchRequest): Promise<FoundRecords> {
  const wanted = [...snapshot.states.values()].filter(({ noun }) => nouns === undefined || nouns.includes(noun));
  const readable = await Promise.all(wanted.map(async (state) => ({ state, may: await snapshot.canRead(state.table) })));
  const hidden = readable.flatMap(({ state, may }) => (may ? [] : [state.noun]));
  if (nouns !== undefined && hidden.length > 0)
    throw new ForbiddenError(`Your role must not read ${hidden.join(', ')} in ${name}.`, { hint: `Leave out --resource ${hidden[0]}` });
  const searched = readable.flatMap(({ state, may }) => (may ? [state] : []));
  if (snapshot.findHits === undefined)
    throw new UsageError(`An older svc filled ${name}, so the database has no search index.`, {
      hint: `To build the index: ${snapshot.update}`,
    });
  const { hits, total } = await snapshot.findHits(terms, searched, limit);
  const rows = new Map<string, FoundRecord>();
  for (const state of searched) {
    const ids = hits.flatMap(({ noun, id }) => (noun === state.noun ? [id] : []));
    for (const record of ids.length === 0 ? [] : await readRecords(snapshot, state, ids)) {
      const row = foundRecord(state.noun, record, terms);
      rows.set(`${row.resource} ${row.id}`, row);
    }
  }
  return { rows: hits.flatMap(({ noun, id }) => rows.get(`${noun} ${id}`) ?? []), total, searched, hidden };
}

function foundRecord(resource: string, record: JsonObject, terms: readonly SearchTerm[]): FoundRecord {
  const texts = searchedTexts(record).map(({ field, text }) => {
    const line = text.replace(/\s+/g, ' ').trim();
    return { field, line, ranges: matchesIn(line, terms), isTitle: TITLE_FIELDS.includes(field) };
  });
  const names = texts.filter(({ isTitle }) => isTitle);
  const hasTwo = ['issue_key', 'first_name'].includes(names[0]?.field ?? '');
  const title =
    names
      .slice(0, hasTwo ? 2 : 1)
      .map(({ line }) => line)
      .join(' ') || null;
  // The result also has the title, so the snippet comes from another text if possible.
  const found = texts.filter(({ ranges }) => ranges.length > 0);
  const best = found.find(({ isTitle }) => !isTitle) ?? found[0];
  const snippet = best === undefined ? null : snippetOf(best.line, best.ranges[0]?.start ?? 0);
  const matches = [title ?? '', snippet ?? ''].flatMap((text) => matchesIn(text, terms).map(({ start, end }) => text.slice(start, end)));
  const url = ownEntry(record, 'web_url');
  const { field = null } = best ?? {};
  return {
    ...{ resource, id: Number(record['id']), title, field, snippet, matches: [...new Set(matches)] },
    web_url: typeof url === 'string' ? url : null,
  };
}

/** The most characters of a snippet (`LONGEST`), and of the part before the first match (`BEFORE`). */
const LONGEST = 160;
const BEFORE = 40;

/** Cuts a line around a match, between words if there are blanks. */
function snippetOf(line: string, at: number): string {
  const blank = line.indexOf(' ', at - BEFORE);
  const begin = at <= BEFORE ? 0 : blank >= 0 && blank < at ? blank + 1 : at - BEFORE;
  const rest = line.slice(begin, begin + LONGEST).toWellFormed();
  const isCut = begin + LONGEST < line.length;
  return `${begin > 0 ? '…' : ''}${isCut ? `${rest.replace(/(?<=.{80}) \S*$/, '')}…` : rest}`;
}
