import type { LanedClient } from '../../client/lanes.ts';
import { type Page, pages } from '../../client/pages.ts';
import { type Counted, pagesAtOnce, UnprovenError } from '../../client/pages-at-once.ts';
import type { Files } from '../../deps.ts';
import { RefusedError } from '../../errors.ts';
import { stringifyJson } from '../../values/json.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import { readExportedRecords } from './lines.ts';

/** How far the download of a collection has come: what is in its file, and where it goes on. */
export interface Checkpoint {
  readonly rows: number;
  readonly bytes: number;
  /** The address of the next page; undefined before the first, and after the last. */
  readonly next?: string | undefined;
  /** The service's clock at the first page, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly as_of: string;
  /** What the first page counted, where the pages after it are read by their numbers. */
  readonly counted?: Counted | undefined;
}

export interface Download {
  readonly client: LanedClient;
  readonly files: Files;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** Where the rows go. */
  readonly file: string;
  readonly from: Checkpoint | undefined;
  /** Rows that the file is to have in all, whole pages; default all there are. */
  readonly limit?: number | undefined;
  /** Whether a page is the last that is wanted; it then asks for none before it knows. */
  readonly isEnough?: ((page: Page) => boolean) | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Keeps a checkpoint; the page before it is on disk. */
  readonly keep: (checkpoint: Checkpoint) => Promise<void>;
  /** The time to take where the service tells none. */
  readonly now: () => number;
  /** Told how many rows are there already, whenever it begins. */
  readonly onStart: (rows: number) => void;
  /** Told of each page that is in the file. */
  readonly onPage: (page: Page) => void;
}

/**
 * Writes a collection into a file, page by page: first the page, then the checkpoint. Whatever came after the last
 * checkpoint is cut off when it goes on, so that an interruption at any moment leaves nothing twice and nothing out.
 */
export async function download(task: Download): Promise<Checkpoint> {
  const size = (await task.files.stat(task.file))?.size ?? 0;
  // Without the bytes that the checkpoint counts there is nothing to go on from.
  if (task.from?.next === undefined || size < task.from.bytes) return walk(task, undefined);
  try {
    return await walk(task, task.from);
  } catch (error) {
    // A cursor does not live for ever, and what changed meanwhile may have moved rows from page to page: all of it is read again, by cursor.
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
  const whole = { method: 'GET', path, query, signal };
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
    onPage(page);
    if (isEnough?.(page) === true) break;
  }
  return at ?? { rows: 0, bytes: 0, as_of: utcSeconds(now()) };
}
