import type { ApiClient } from '../../client/api-client.ts';
import { pages } from '../../client/pages.ts';
import type { Files } from '../../deps.ts';
import { RefusedError } from '../../errors.ts';
import { stringifyJson } from '../../values/json.ts';

/** How far the download of a collection has come: what is in its file, and where it goes on. */
export interface Checkpoint {
  readonly rows: number;
  readonly bytes: number;
  /** The address of the next page; undefined before the first, and after the last. */
  readonly next?: string | undefined;
  /** The service's clock at the first page, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly as_of: string;
}

export interface Download {
  readonly client: ApiClient;
  readonly files: Files;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** Where the rows go. */
  readonly file: string;
  readonly from: Checkpoint | undefined;
  /** Keeps a checkpoint; the page before it is on disk. */
  readonly keep: (checkpoint: Checkpoint) => Promise<void>;
  /** The time to take where the service tells none. */
  readonly now: () => number;
  /** Told how many rows are there already, whenever it begins. */
  readonly onStart: (rows: number) => void;
  /** Told of each page: its rows, and those of the whole collection where the service counts them. */
  readonly onRows: (count: number, total: number | undefined) => void;
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
    // A cursor does not live for ever; the collection is then read anew.
    if (error instanceof RefusedError && error.details.type === 'invalid-cursor') return walk(task, undefined);
    throw error;
  }
}

async function walk(
  { client, files, path, query, file, keep, now, onStart, onRows }: Download,
  from: Checkpoint | undefined,
): Promise<Checkpoint> {
  let at: Checkpoint | undefined = from;
  onStart(from?.rows ?? 0);
  await files.truncate(file, from?.bytes ?? 0);
  const request = from?.next === undefined ? { method: 'GET', path, query } : { method: 'GET', path: from.next };
  for await (const page of pages(client, request)) {
    const text = page.rows.map((row) => `${stringifyJson(row)}\n`).join('');
    if (text !== '') await files.append(file, text);
    at = {
      rows: (at?.rows ?? 0) + page.rows.length,
      bytes: (at?.bytes ?? 0) + Buffer.byteLength(text),
      ...(page.next !== undefined && { next: page.next }),
      as_of: at?.as_of ?? utcSecond(Date.parse(page.response.headers['date'] ?? '') || now()),
    };
    if (page.next !== undefined) await keep(at);
    onRows(page.rows.length, page.total);
  }
  return at ?? { rows: 0, bytes: 0, as_of: utcSecond(now()) };
}

/** The form that filters take (rule 2.17). */
export function utcSecond(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
