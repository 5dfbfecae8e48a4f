import { shellCommand } from '../../cli/shell-word.ts';
import type { Position } from '../../client/pages.ts';

export interface StartedList {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  readonly limit?: number | undefined;
  readonly largest: number;
}

/** The place where a list continues. Empty if neither a cursor nor a page number marks that place. */
export interface NextRows {
  readonly cursor?: string;
  readonly page?: number;
  /** The page size for which `page` starts at that place. Absent if the page size stays the same. */
  readonly perPage?: number;
  /**
   * All relations of the query, if svc added relations for a table. A cursor is valid only for the same query (rule 8.10). Default: none.
   */
  readonly include?: readonly string[];
}

/** The service’s default page size, and its last page number (rules 8.2, 8.12). */
const DEFAULT_PER_PAGE = 25;
const MAX_PAGE = 1000;

/**
 * Returns the place where a list continues. If the list ends within a page, svc chooses a page size for which a page starts at that place.
 */
export function nextRowsAfter(
  { cursor, page, rows, skip, perPage: chosen }: Position,
  { page: first = 1, perPage = DEFAULT_PER_PAGE, limit = 1, largest }: StartedList,
): NextRows {
  if (cursor !== undefined) return skip === 0 ? { cursor } : {};
  if (page === undefined) return {};
  if (skip === 0) return Number(page) <= MAX_PAGE ? { page: Number(page), ...(chosen !== undefined && { perPage: chosen }) } : {};
  const before = (first - 1) * perPage + rows;
  for (let size = Math.min(before, largest); size >= Math.min(limit, largest); size -= 1) {
    if (before % size === 0 && before / size < MAX_PAGE) return { page: before / size + 1, perPage: size };
  }
  return {};
}

export function continueCommand(
  argv: readonly string[],
  { cursor, page, perPage, include = [] }: NextRows,
  limit?: number,
): string | undefined {
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
    // A short flag can have its value attached: `-L4`.
    else if (!(replaced.has('-L') && /^-L\d+$/.test(word))) words.push(word);
  }
  if (isWider) words.push('--include', include.join(','));
  if (limit !== undefined) words.push('--limit', String(limit));
  if (perPage !== undefined) words.push('--per-page', String(perPage));
  words.push(...(cursor === undefined ? ['--page', String(page)] : ['--cursor', cursor]));
  return shellCommand(words);
}
