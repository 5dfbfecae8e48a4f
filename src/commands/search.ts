import { isNamed } from '../bulk/export/collections.ts';
import { shellCommand } from '../cli/shell-word.ts';
import { defineCommand, parsed, repeated } from '../cli/spec.ts';
import type { FoundRecord, FoundRecords } from '../database/search/find-records.ts';
import { UsageError } from '../errors.ts';
import { FORMATS } from '../output/format.ts';
import type { Column } from '../output/writer.ts';
import type { AccountDatabase } from '../session/account-database.ts';
import type { Needs } from '../session/context.ts';
import { type Printing, printRows, toAsync } from '../session/print.ts';
import { withoutPassword } from '../values/addresses.ts';
import { parseInteger } from '../values/scalars.ts';
import { matchesIn, readSearch, type SearchTerm } from '../values/search-words.ts';
import { didYouMean } from '../values/suggest.ts';

const LIMIT = 25;

/** The most words and phrases of a search. SQLite limits the size of a query. */
const MOST_TERMS = 50;

export const search = defineCommand({
  showsGlobals: ['host', 'output', 'fields', 'quiet', 'database'],
  description:
    'svc searches the texts of all records in the local database that svc sync stores: names, titles, keys, descriptions, comments, e-mail addresses. svc sends no request. With --database, svc searches a team database.\n\nA record matches if it has all words, in any of its texts. svc ignores case and accents: muller finds Müller, strasse finds Straße, istanbul finds İstanbul. A word of three letters or more also finds longer words that begin with it. svc finds words in double quotes only in this order, side by side. In Chinese, Japanese, Thai and other scripts without spaces, svc finds words of any length, also within other words. Punctuation separates words and means nothing else.\n\nsvc does not search addresses of web pages, secrets, dates, amounts, and fixed values such as a status. For dates, amounts and fixed values, use the filters of list. svc searches the first 100,000 characters of a record.\n\nThe best records come first: words in a name or a key count more than words in other texts. svc prints how old the tables are, and which resources are not stored.',
  args: [{ name: 'words', summary: 'The words to find. Put a phrase in double quotes within single quotes', variadic: true }],
  fields: ['resource', 'id', 'title', 'field', 'snippet', 'matches', 'rank', 'web_url'],
  options: {
    resource: repeated('--resource <resource>', 'Search only this resource, such as projects or work-items.comments'),
    limit: parsed('-L, --limit <n>', `Print at most this many records (default: ${LIMIT})`, (value) => parseInteger(value, { min: 1 }), {
      type: 'integer',
    }),
  },
  examples: [
    { args: 'search invoice aurora', does: 'Find records with both words' },
    { args: `search '"annual plan"' --resource projects --resource work-items`, does: 'Find a phrase in two resources' },
    { args: 'search login --resource work-items -o ids', does: 'Print the ids of work items, for another command' },
    { args: 'search Müller --database postgres://ada@db.example.com/reports', does: 'Search a team database' },
  ],
  async run(context: Needs<Printing | 'accountDatabase' | 'catalog'>, { args: typed, options }) {
    const { resource: named = [], limit = LIMIT } = options;
    if (context.globals.maxAge !== undefined)
      throw new UsageError('svc search reads only a database, of any age.', {
        hint: 'Leave out --max-age. To update the local database: svc sync',
      });
    const terms = readSearch(typed.join(' '));
    if (terms.length === 0)
      throw new UsageError('There is no word to search for.', {
        hint: 'Type letters or digits. To search one field, use SQL. To list the fields: svc sql --schema',
      });
    if (terms.length > MOST_TERMS) throw new UsageError(`A search has at most ${MOST_TERMS} words.`, { hint: 'Leave out some words.' });
    const { format, width = WIDE } = await context.presentation();
    const isIds = format === 'ids' && context.globals.jq === undefined && context.globals.fields === undefined;
    if (isIds && named.length !== 1)
      throw new UsageError('An id alone does not show its resource.', {
        hint: 'Name one resource: --resource work-items. To print resources and ids: --output tsv --fields resource,id',
      });
    const database = await context.accountDatabase();
    const nouns = named.length === 0 ? undefined : named.map((name) => storedNoun(database, name));
    const found = await database.search({ terms, nouns, limit });
    const isMarked = FORMATS[format].reader === 'person' && context.globals.jq === undefined;
    const rows = found.rows.map((row, index) => ({ ...row, ...(isMarked && markedRow(row, terms)), rank: index + 1 }));
    const hasLinks = width >= WIDE && found.rows.some(({ web_url }) => web_url !== null);
    await printRows(context, toAsync(rows), { columns: hasLinks ? [...COLUMNS, { path: 'web_url', header: 'LINK' }] : COLUMNS });
    await printNotices(context, database, found, typed, named);
  },
});

const COLUMNS: readonly Column[] = [
  ...[{ path: 'resource' }, { path: 'id', kind: 'id' as const }, { path: 'title' }, { path: 'snippet', header: 'TEXT' }],
];
/** The least width of the output, in characters, at which svc also prints addresses. */
const WIDE = 120;

/** Returns the row of a table. Marks the matches, and leaves out a snippet that the title contains. */
function markedRow(row: FoundRecord, terms: readonly SearchTerm[]): Pick<FoundRecord, 'title' | 'snippet'> {
  const marked = (text: string | null) =>
    matchesIn(text ?? '', terms).reduceRight<string | null>(
      (line, { start, end }) => line && `${line.slice(0, start)}«${line.slice(start, end)}»${line.slice(end)}`,
      text,
    );
  const isShown = row.snippet !== null && row.title?.includes(row.snippet) === true;
  return { title: marked(row.title), snippet: isShown ? null : marked(row.snippet) };
}

/** Finds the stored resource that the user typed: `work-items` for `work-item`. @throws UsageError for a resource without a table. */
function storedNoun({ nouns }: AccountDatabase, name: string): string {
  const noun = nouns.find((each) => isNamed(each, name));
  if (noun !== undefined) return noun;
  throw new UsageError(`The database has no table for ${name}.`, { hint: didYouMean(name, nouns, 'List the tables: svc sql --schema') });
}

async function printNotices(
  context: Needs<'catalog' | 'globals' | 'notice'>,
  { unstored }: AccountDatabase,
  { rows, total, searched, hidden }: FoundRecords,
  typed: readonly string[],
  named: readonly string[],
): Promise<void> {
  const { database } = context.globals;
  if (total === 0) await context.notice('No stored record has these words.');
  if (rows.length < total) {
    const flags = [
      ...named.flatMap((name) => ['--resource', name]),
      ...(database === undefined ? [] : ['--database', withoutPassword(database)]),
    ];
    const command = shellCommand(['search', ...typed, '--limit', String(Math.min(total, 4 * Math.max(LIMIT, rows.length))), ...flags]);
    await context.notice(`svc printed the best ${rows.length} of ${total} records. For more: ${command}`);
  }
  if (hidden.length > 0) await context.notice(`Your role must not read these resources, so svc did not search them: ${hidden.join(', ')}`);
  const missing = unstored.filter((noun) => context.catalog.nouns.some((each) => each.noun === noun));
  if (named.length > 0 || missing.length === 0) return;
  const stored = searched.map(({ noun }) => noun).toSorted();
  await context.notice(
    missing.length <= stored.length
      ? `The database does not have these resources, so svc did not search them: ${missing.join(', ')}`
      : `The database has only a part of the resources, so svc searched only: ${stored.join(', ')}`,
  );
}
