import { countRows } from '../../client/pages.ts';
import { RefusedError, type SvcError, UnavailableError } from '../../errors.ts';
import { startProgress } from '../../session/progress.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import type { Collection } from './collections.ts';
import { download } from './download.ts';
import { fingerprint } from './lines.ts';
import type { ExportedCollection } from './manifest.ts';
import { mergeById } from './merge.ts';
import { type Run, save, wholeQuery } from './run.ts';

/** Reads one collection at the top into `<noun>.ndjson`: all of it, or what changed. */
export async function readCollection(run: Run, { noun, path }: Collection): Promise<ExportedCollection> {
  const { context, client, directory } = run;
  const { files, clock } = context;
  const file = `${directory}/${noun}.ndjson`;
  const part = `${file}.part`;
  const before = run.last?.collections.find((done) => done.noun === noun);
  const whole = wholeQuery(run);
  const { current } = run.state;
  let asked = whole;
  let begun = 0;
  let total: number | undefined;
  const progress = startProgress(context, {
    what: `rows of ${noun}`,
    total: () => total,
    count: (signal) => countRows(client, path, asked, signal),
    before: () => begun,
    limits: client.limits,
  });
  const read = (query: [string, string][]) => {
    asked = query;
    return download({
      client,
      files,
      path,
      query,
      file: part,
      from: current?.noun === noun && JSON.stringify(current.query) === JSON.stringify(query) ? current : undefined,
      keep: (checkpoint) => save(run, { current: { noun, query, ...checkpoint } }, 'keeps current'),
      now: () => clock.now(),
      onStart(rows) {
        begun = rows;
      },
      onRows(count, all) {
        total = all;
        progress.add(count);
      },
    });
  };
  const readWhole = async () => {
    const done = await read(whole);
    await files.rename(part, file);
    return done;
  };
  try {
    const done = before === undefined ? await readWhole() : await readChanges(run, before, { whole, part, read, readWhole });
    const { rows, bytes, sha256 } = await fingerprint(files, file);
    if (before === undefined && (rows !== done.rows || bytes !== done.bytes)) throw spoiled(file);
    return { noun, path, query: whole, file: `${noun}.ndjson`, rows, bytes, sha256, as_of: done.as_of };
  } finally {
    progress.end();
  }
}

/** The two ways to read a collection. */
interface Reading {
  /** The query for all of it. */
  readonly whole: [string, string][];
  /** Where `read` puts what it reads. */
  readonly part: string;
  read(query: [string, string][]): ReturnType<typeof download>;
  /** Reads all of it, and puts it in its place. */
  readWhole(): ReturnType<typeof download>;
}

/** The records that changed since `before`, merged into what it holds; everything anew where the service cannot tell. */
async function readChanges(run: Run, before: ExportedCollection, { whole, part, read, readWhole }: Reading): ReturnType<typeof download> {
  const { files } = run.context;
  const file = `${run.directory}/${before.file}`;
  if ((await fingerprint(files, file).catch(() => undefined))?.sha256 !== before.sha256) {
    await run.context.notice(`${file} is not as the last export left it, so ${before.noun} is read whole.`);
    return readWhole();
  }
  // Records in two views beside each other would look as if fields had been emptied.
  if (JSON.stringify(before.query) !== JSON.stringify(whole)) {
    await run.context.notice(`The last export holds ${before.noun} in another view, so it is read whole.`);
    return readWhole();
  }
  let done: Awaited<ReturnType<typeof download>>;
  try {
    done = await read([...whole, ['filter[updated_at][gte]', earlier(before.as_of)]]);
  } catch (error) {
    const cannotTell = error instanceof RefusedError && error.details.status === 400;
    if (!cannotTell) throw error;
    return readWhole();
  }
  await mergeById(files, file, part, `${file}.merged`);
  // Killed after this, the next run finds another file than the last export left, and reads it whole.
  await files.rename(`${file}.merged`, file);
  await files.remove(part);
  return done;
}

/**
 * So much earlier than the last export began changes are asked for: the clock that stamps records may not be the one that
 * answers (rule 18.35). What comes twice is put over itself.
 */
const OVERLAP = 5 * 60_000;

function earlier(moment: string): string {
  return utcSeconds(Date.parse(moment) - OVERLAP);
}

export function spoiled(file: string): SvcError {
  return new UnavailableError(`${file} is not what was written to it.`, {
    hint: 'Something else changes it, or the disk fails; export with --restart.',
  });
}
