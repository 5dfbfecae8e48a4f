import type { Resource } from '../../catalog/define.ts';
import { isToMany } from '../../catalog/define.ts';
import { requestCost } from '../../client/cost.ts';
import { type Position, rows } from '../../client/pages.ts';
import { InterruptedError, SvcError } from '../../errors.ts';
import { parseInteger } from '../../values/integer.ts';
import type { Context } from '../context.ts';
import { type CommandSpec, defineCommand, type Options, type OptionValues, parsed, repeated, text, toggle } from '../define.ts';
import { printRows, viewOf } from '../print.ts';
import { shellWord } from '../shell-word.ts';
import { placeholderOf } from './body.ts';
import { examplesOf } from './examples.ts';
import { buildListQuery, splitNames } from './query.ts';

const COMMON = {
  filter: repeated('--filter <field[.op]=value>', 'Filter by a field; op: gte, lte, lt, in, null; may be repeated', { group: 'Filter' }),
  search: text('--search <text>', 'Search in the text (2 units more)', { group: 'Filter' }),
  trashed: text('--trashed <which>', 'Deleted records too, as the service allows', { group: 'Filter' }),
  sort: text('--sort <field>', 'Sort by a field; -field descending, where the service takes it', { group: 'Rows' }),
  include: text('--include <a,b>', 'Add related records', { group: 'Rows' }),
  view: text('--view <view>', 'How much of each record', { group: 'Rows', choices: ['summary', 'detail'] }),
  limit: parsed('-L, --limit <n>', 'At most so many rows; all if not given', (value) => parseInteger(value, { min: 1 }), { group: 'Rows' }),
  perPage: parsed('--per-page <n>', 'Rows a request; the most allowed if not given', parseInteger, { group: 'Rows' }),
  page: parsed('--page <n>', 'Start at this page number', parseInteger, { group: 'Rows' }),
  cursor: text('--cursor <cursor>', 'Go on from where a list was cut short', { group: 'Rows' }),
  withTotal: toggle('--with-total', 'Say how many rows there are (2 units more, unless they are counted anyway)', { group: 'Rows' }),
} as const satisfies Options;

/** The flags of every `list`. */
export type ListOptions = OptionValues<typeof COMMON>;

/** `svc <noun> list`: every row, streamed as the pages come. */
export function listCommand(resource: Resource): CommandSpec {
  const shortcuts: Record<string, Options[string]> = {};
  for (const { flag, summary, takes } of resource.shortcuts ?? []) {
    const placeholder = takes === 'year' ? 'yyyy' : takes && placeholderOf({ kind: takes });
    shortcuts[flag] =
      placeholder === undefined
        ? toggle(`--${flag}`, summary, { group: 'Filter' })
        : text(`--${flag} <${placeholder}>`, summary, { group: 'Filter' });
  }
  const { search, page, ...others } = COMMON;
  const options = { ...shortcuts, ...others, ...(resource.search !== false && { search }), ...(resource.counted && { page }) };
  return defineCommand({
    name: 'list',
    summary: `List ${resource.noun.replaceAll('-', ' ')}`,
    description: resource.notes?.join(' '),
    options,
    examples: examplesOf(resource, 'list'),
    run: (context, input) => list(context, resource, input.options as ListOptions, input.options),
  });
}

async function list(
  context: Context,
  resource: Resource,
  options: ListOptions,
  shortcuts: Readonly<Record<string, unknown>>,
): Promise<void> {
  const query = await buildListQuery(context, resource, options, shortcuts);
  const toMany = new Set(splitNames(options.include).filter((path) => isToMany(resource, path)));
  const client = await context.client();
  const request = { method: 'GET', path: resource.path, query, cost: requestCost({ method: 'GET', query, collection: true, toMany }) };
  const stream = rows(client, request, { limit: options.limit });
  try {
    await printRows(context, stream, viewOf(resource));
  } catch (error) {
    throw stoppedHalfWay(context, error, stream.position(), options.limit);
  }
  const { rows: count, total, more, cursor, page } = stream.position();
  if (options.withTotal && total !== undefined) await context.notice(`${total} rows in all.`);
  const onward = resumeCommand(context.argv, { cursor, page });
  if (more && onward !== undefined)
    await context.notice(`There are more than these ${count}${total === undefined ? '' : ` of ${total}`}. To go on: ${onward}`);
}

/** A failure that left rows behind says how many, and how to go on. */
function stoppedHalfWay(context: Context, error: unknown, position: Position, limit: number | undefined): unknown {
  if (!(error instanceof SvcError) || position.rows === 0) return error;
  const left = limit === undefined ? undefined : limit - position.rows;
  // Rows of a page that was begun would come again, so going on starts with that page's number of them left out.
  const resume = resumeCommand(context.argv, { cursor: position.cursor, page: position.page, limit: left });
  const written =
    position.skip === 0 || error instanceof InterruptedError === false
      ? `${position.rows} rows were written before this.`
      : `${position.rows} rows were written; the first ${position.skip} of what follows are among them.`;
  const details = { ...error.details, resume, lines: [...(error.details.lines ?? []), written] };
  return Object.assign(Object.create(Object.getPrototypeOf(error)), error, { message: error.message, details });
}

/** The same command, from a cursor or page on. */
export function resumeCommand(
  argv: readonly string[],
  at: { readonly cursor?: string | undefined; readonly page?: string | undefined; readonly limit?: number | undefined },
): string | undefined {
  if (at.cursor === undefined && at.page === undefined) return undefined;
  const replaced = new Set(['--cursor', '--page', ...(at.limit === undefined ? [] : ['--limit', '-L'])]);
  const words: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (replaced.has(word.split('=', 1)[0] ?? word)) index += word.includes('=') ? 0 : 1;
    else words.push(word);
  }
  if (at.limit !== undefined) words.push('--limit', String(at.limit));
  words.push(...(at.cursor === undefined ? ['--page', at.page ?? ''] : ['--cursor', at.cursor]));
  return ['svc', ...words.map(shellWord)].join(' ');
}
