import { shellCommand } from '../../cli/shell-word.ts';
import type { Position } from '../../client/pages.ts';

/** Where a list was begun and what bounds it, as typed. */
export interface StartedList {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  readonly limit?: number | undefined;
  /** The most rows that a page of this list may have. */
  readonly largest: number;
}

/** Where the rows after those that were printed begin; nothing where no cursor or page number says it. */
export interface Onward {
  readonly cursor?: string;
  readonly page?: number;
  /** The size that its pages must have for that number, where it is another than before. */
  readonly perPage?: number;
  /** Relations of the query, where svc had added some for a table: a cursor may only go on in the same query (rule 8.10). */
  readonly include?: readonly string[];
}

/** The service's page size where none is asked for, and its last page number (rules 8.2, 8.12). */
const DEFAULT_PER_PAGE = 25;
const MAX_PAGE = 1000;

/**
 * Where a list that was cut short goes on, so that no row comes twice. A cursor stands between two rows; a page number stands
 * before a whole page, so a list that ends within one goes on in pages of another size, where one fits.
 */
export function onwardOf(
  { cursor, page, rows, skip, perPage: chosen }: Position,
  { page: first = 1, perPage = DEFAULT_PER_PAGE, limit = 1, largest }: StartedList,
): Onward {
  if (cursor !== undefined) return skip === 0 ? { cursor } : {};
  if (page === undefined) return {};
  if (skip === 0) return Number(page) <= MAX_PAGE ? { page: Number(page), ...(chosen !== undefined && { perPage: chosen }) } : {};
  const before = (first - 1) * perPage + rows;
  for (let size = Math.min(before, largest); size >= Math.min(limit, largest); size -= 1) {
    if (before % size === 0 && before / size < MAX_PAGE) return { page: before / size + 1, perPage: size };
  }
  return {};
}

/** The same command from there on; undefined where there is no such place. */
export function goOnCommand(argv: readonly string[], { cursor, page, perPage, include = [] }: Onward, limit?: number): string | undefined {
  if (cursor === undefined && page === undefined) return undefined;
  const replaced = new Set(['--cursor', '--page']);
  if (perPage !== undefined) replaced.add('--per-page');
  if (limit !== undefined) for (const flag of ['--limit', '-L']) replaced.add(flag);
  const isWider = cursor !== undefined && include.length > 0;
  if (isWider) replaced.add('--include');
  const words: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (replaced.has(word.split('=', 1)[0] ?? word)) index += word.includes('=') ? 0 : 1;
    // `-L4`, the value beside its letter.
    else if (!(replaced.has('-L') && /^-L\d+$/.test(word))) words.push(word);
  }
  if (isWider) words.push('--include', include.join(','));
  if (limit !== undefined) words.push('--limit', String(limit));
  if (perPage !== undefined) words.push('--per-page', String(perPage));
  words.push(...(cursor === undefined ? ['--page', String(page)] : ['--cursor', cursor]));
  return shellCommand(words);
}
