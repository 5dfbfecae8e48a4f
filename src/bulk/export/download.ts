import { assumedFilters } from '../../client/assumed.ts';
import type { LanedClient } from '../../client/lanes.ts';
import { type Page, pages } from '../../client/pages.ts';
import { type Counted, pagesAtOnce, UnprovenError } from '../../client/pages-at-once.ts';
import type { Files } from '../../deps.ts';
import { RefusedError } from '../../errors.ts';
import { stringifyJson } from '../../values/json.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { readExportedRecords } from './lines.ts';

export interface Checkpoint {
  readonly rows: number;
  readonly bytes: number;
  /** The URL of the next page. Undefined before the first page and after the last page. */
  readonly next?: string | undefined;
  /** The time of the first page by the service’s clock, as `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly as_of: string;
  /** The number of rows in the whole list, as the first page shows. Undefined if svc reads the list by cursor. */
  readonly counted?: Counted | undefined;
}

export interface Download {
  readonly client: LanedClient;
  readonly files: Files;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly file: string;
  readonly from: Checkpoint | undefined;
  /** The fewest rows to read before the download ends. The last page is always complete. Default: all rows. */
  readonly limit?: number | undefined;
  /** Returns true if the download can end after a page. If this function exists, svc requests no page in advance. */
  readonly isEnough?: ((page: Page) => boolean) | undefined;
  readonly signal: AbortSignal;
  /** Stores a checkpoint after the checkpoint’s page is on disk. */
  readonly keep: (checkpoint: Checkpoint) => Promise<void>;
  /** Returns the current time in milliseconds, for an answer without a `Date` header. */
  readonly now: () => number;
  /** The function that svc calls at each start and restart, with the number of rows in the file. */
  readonly onStart: (rows: number) => void;
  /** The function that svc calls after svc has written a page to the file. `rows` is the number of rows in the file. */
  readonly onPage: (page: Page, rows: number) => void;
}

/**
 * Downloads a list into a file. svc writes each page of rows, and then the page’s checkpoint. After an interruption, svc cuts off the rows
 * after the last checkpoint.
 *
 * @returns the checkpoint of the last page.
 */
export async function download(task: Download): Promise<Checkpoint> {
  const size = (await task.files.stat(task.file))?.size ?? 0;
  // svc can’t resume a file that is shorter than its checkpoint.
  if (task.from?.next === undefined || size < task.from.bytes) return walk(task, undefined);
  try {
    return await walk(task, task.from);
  } catch (error) {
    // The cursor has expired, or changed rows possibly moved to another page. svc reads all rows again, by cursor.
    const isOver = error instanceof UnprovenError || (error instanceof RefusedError && error.details.type === 'invalid-cursor');
    if (isOver) return walk(task, undefined);
    throw error;
  }
}

async function walk(
  { client, files, path, query, file, limit = Number.POSITIVE_INFINITY, isEnough, signal, keep, now, onStart, onPage }: Download,
  from: Checkpoint | undefined,
): Promise<Checkpoint> {
  let at: Checkpoint | undefined = from;
  onStart(from?.rows ?? 0);
  await files.truncate(file, from?.bytes ?? 0);
  const whole = { method: 'GET', path, query, assumed: assumedFilters(query), signal };
  const { next, counted } = from ?? {};
  const byCursor = () =>
    pages(client, next === undefined ? whole : { method: 'GET', path: next, signal }, {
      limit: limit - (from?.rows ?? 0),
      patient: isEnough !== undefined,
    });
  const byNumber = next !== undefined && counted && pagesAtOnce(client, whole, { next, counted, rows: readExportedRecords(files, file) });
  for await (const page of byNumber || byCursor()) {
    const text = page.rows.map((row) => `${stringifyJson(row)}\n`).join('');
    if (text !== '') await files.append(file, text);
    at = {
      rows: (at?.rows ?? 0) + page.rows.length,
      bytes: (at?.bytes ?? 0) + Buffer.byteLength(text),
      ...(page.next !== undefined && { next: page.next }),
      ...(counted !== undefined && { counted }),
      as_of: at?.as_of ?? utcSeconds(Date.parse(page.response.headers['date'] ?? '') || now()),
    };
    if (page.next !== undefined) await keep(at);
    onPage(page, at.rows);
    if (isEnough?.(page) === true) break;
  }
  return at ?? { rows: 0, bytes: 0, as_of: utcSeconds(now()) };
}
