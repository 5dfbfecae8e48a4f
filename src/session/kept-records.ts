import { createHash } from 'node:crypto';
import type { KnownRecord } from '../cli/complete/candidate.ts';
import { isJsonObject, parseJson, stringifyJson } from '../values/json.ts';
import type { Needs } from './context.ts';
import { tokenInEnvironment } from './environment.ts';

/** What a shell may complete of one noun: an id or key, and a name, for each record. */
export interface KeptRecords {
  /** When the service was asked, in milliseconds since 1970. */
  readonly at: number;
  /** The record that they belong to, of what belongs to one. */
  readonly of?: string;
  readonly records: readonly KnownRecord[];
}

/** What the statuses are kept under that a work item may go to; `of` is that work item. */
export const MOVES = 'moves';

/** Younger than this, nothing is asked again. */
export const FRESH_MS = 5 * 60_000;
/** Older than this, it is not shown any more. */
const SHOWN_MS = 24 * 60 * 60_000;
/** So long after the service was asked in vain, or is being asked, it is left alone. */
const PATIENCE_MS = 60_000;

/**
 * The names that completion has of one account of one host: a file for each noun, in a directory of the host (or of the
 * token in `SVC_TOKEN`), which {@link forgetKeptRecords} empties whenever the sign-in changes. So nothing here needs the
 * keychain to be opened. Ids and names only, readable by the person alone, shown for a day at most.
 */
export interface KeptFiles {
  read(noun: string): Promise<KeptRecords | undefined>;
  write(noun: string, kept: KeptRecords): Promise<void>;
  /**
   * Whether nobody was sent lately to ask in vain, or is asking; from now on, somebody was. `before`: what came last of what belongs to
   * a record, by which somebody who was sent for it was answered.
   */
  claim(noun: string, before?: { readonly of: string; readonly at: number }): Promise<boolean>;
}

/** The files of the host that the command line means. Rejects where it means none. */
export async function openKeptFiles(
  context: Needs<'clock' | 'env' | 'files' | 'host' | 'paths'> & Partial<Needs<'isOffline'>>,
): Promise<KeptFiles> {
  const { files, clock } = context;
  const directory = await keptDirectory(context);
  return {
    async read(noun) {
      const kept = readKept(await files.readText(`${directory}/${noun}.json`));
      const age = clock.now() - (kept?.at ?? 0);
      return age >= 0 && age < SHOWN_MS ? kept : undefined;
    },
    async write(noun, kept) {
      // What a copy holds is no news.
      if (await context.isOffline?.()) return;
      await files.writeAtomic(`${directory}/${noun}.json`, stringifyJson({ ...kept, records: kept.records.map(tupleOf) }));
    },
    async claim(noun, { of, at: answered } = { of: '', at: 0 }) {
      const path = `${directory}/${noun}.asked`;
      const [at, asked = ''] = ((await files.readText(path)) ?? '').split(' ');
      const age = clock.now() - Number(at);
      if (age >= 0 && age < PATIENCE_MS && asked === of && answered < Number(at)) return false;
      await files.writeAtomic(path, `${clock.now()} ${of}`.trim());
      return true;
    },
  };
}

/** Where names and the like are kept of the account that the command line means. Rejects where it means no host. */
export async function keptDirectory(context: Needs<'env' | 'host' | 'paths'>): Promise<string> {
  return directoryOf(context, (await context.host()).origin, tokenInEnvironment(context.env));
}

/** Throws away what completion kept of a host's account: at sign-in and sign-out. */
export async function forgetKeptRecords(context: Needs<'files' | 'paths'>, origin: string): Promise<void> {
  const { files } = context;
  const directory = directoryOf(context, origin, undefined);
  // That they stay is no reason for a sign-in to fail; they are not shown for longer than a day.
  for (const name of await files.list(directory).catch(() => [])) await files.remove(`${directory}/${name}`).catch(() => false);
}

function directoryOf(context: Needs<'paths'>, origin: string, token: string | undefined): string {
  const id = createHash('sha256')
    .update(origin)
    .update('\0')
    .update(token ?? '')
    .digest('hex')
    .slice(0, 32);
  return `${context.paths.cache}/completion/${id}`;
}

function tupleOf({ value, about, name }: KnownRecord): string[] {
  return [value, about, ...(name === undefined ? [] : [name])];
}

function readKept(text: string | undefined): KeptRecords | undefined {
  if (text === undefined) return undefined;
  try {
    const value = parseJson(text);
    if (!isJsonObject(value) || typeof value['at'] !== 'number' || !Array.isArray(value['records'])) return undefined;
    const records = value['records'].flatMap((tuple) => {
      const [id, about, name] = Array.isArray(tuple) ? tuple : [];
      return typeof id === 'string' && typeof about === 'string' ? [{ value: id, about, ...(typeof name === 'string' && { name }) }] : [];
    });
    const { at, of } = value;
    return { at: Number(at), ...(typeof of === 'string' && { of }), records };
  } catch {
    return undefined;
  }
}
