import { z } from 'zod';
import type { Files } from '../../deps.ts';
import { SvcError } from '../../errors.ts';

/** Returns the file name of a resource. svc uses no name from a directory, which may come from anybody. */
export function dataFile(noun: string): string {
  return `${noun}.ndjson`;
}

/** Returns the name of an unfinished file: of a resource, or of its part with this index, from 0. */
export function partFile(noun: string, part?: number): string {
  return `${dataFile(noun)}.part${part === undefined ? '' : `-${part + 1}`}`;
}

const below = z.object({
  /** The parent resource. */
  parent: z.string(),
  asked: z.number(),
  /** Parents that svc did not ask, because their counter is 0. */
  empty: z.number(),
  /** Parents that were deleted after their export. */
  gone: z.number(),
  refused: z.number(),
  /** The last refusal. */
  reason: z.string().optional(),
});

const collection = z.object({
  noun: z.string(),
  path: z.string(),
  /** Names and values of the query. */
  query: z.array(z.tuple([z.string(), z.string()])).readonly(),
  file: z.string(),
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string(),
  /** The time of the first page by the service's clock. */
  as_of: z.string(),
  /** Counts of parents, for child records. */
  below: below.optional(),
});

const leftOut = z.array(z.object({ noun: z.string(), reason: z.string() }));
const notCollections = z.array(z.object({ path: z.string(), reason: z.string() }));
/** Child records that another file has. */
const heldElsewhere = z.array(z.object({ path: z.string(), in: z.string() }));

const manifest = z.object({
  version: z.literal(1),
  host: z.string(),
  /** The user, since each user may see other records. Absent if the service does not show it. */
  user_id: z.number().optional(),
  started_at: z.string(),
  finished_at: z.string(),
  collections: z.array(collection),
  /** Resources that svc could not read, with the reason. */
  left_out: leftOut,
  /** Entries of discovery that are no lists. */
  not_collections: notCollections.default([]),
  held_elsewhere: heldElsewhere.default([]),
});

/** Counts of parents, by the answer about their child records. */
export type NestedProgress = z.infer<typeof below>;

/** One exported resource. */
export type ExportedCollection = z.infer<typeof collection>;

/** The content of `manifest.json`. */
export type Manifest = z.infer<typeof manifest>;

const query = z.array(z.tuple([z.string(), z.string()])).readonly();

/** The progress of an unfinished file. Only the same query resumes it. */
const checkpoint = z.object({
  noun: z.string(),
  /** The file name in the directory. */
  file: z.string(),
  query,
  rows: z.number(),
  bytes: z.number(),
  next: z.string().optional(),
  as_of: z.string(),
  /** The count of the first page, if the others are read by page number. */
  counted: z.object({ total: z.number(), at: z.number() }).optional(),
  /** Whether the file is complete. */
  done: z.boolean().optional(),
  /** Counts of finished parents, for child records. */
  below: below.optional(),
});

/** A resource that svc reads in parts. */
const split = z.object({
  noun: z.string(),
  /** The query for all records. */
  query,
  /** The number of rows at the count. */
  total: z.number(),
  /** Rows created before this time existed at the count. */
  before: z.string(),
  as_of: z.string(),
  /** Ranges of the time of creation, in the order of {@link partFile}. Reading by cursor covers the time before them. */
  parts: z.array(z.object({ query })),
});

const state = z.object({
  version: z.literal(3),
  /** Host, user and flags: only the same export resumes. */
  subject: z.string(),
  started_at: z.string(),
  collections: z.array(collection),
  left_out: leftOut,
  not_collections: notCollections,
  under_way: z.array(checkpoint),
  splits: z.array(split),
});

/** The progress of a file. */
export type FileCheckpoint = z.infer<typeof checkpoint>;

/** A resource in parts. Its own file, read by cursor, and its parts have all rows. */
export type Split = z.infer<typeof split>;

/** The progress of an unfinished export. */
export type ExportState = z.infer<typeof state>;

/** Reads the manifest of a directory; undefined without a valid one. @throws SvcError for a link or another special file, and above 16 MiB. */
export async function readManifest(files: Files, directory: string): Promise<Manifest | undefined> {
  return manifest.safeParse(await readJson(files, `${directory}/manifest.json`)).data;
}

export async function writeManifest(files: Files, directory: string, content: Manifest): Promise<void> {
  await files.writeAtomic(`${directory}/manifest.json`, `${JSON.stringify(content, null, 2)}\n`);
}

/** Reads the state of an unfinished export, for the given resources. Undefined without a valid state. */
export async function readState(files: Files, directory: string, nouns: readonly string[]): Promise<ExportState | undefined> {
  // An unreadable file counts as absent. The next write replaces a link.
  const { data } = state.safeParse(await readJson(files, statePath(directory)).catch(() => undefined));
  if (data === undefined) return undefined;
  const known = <Each extends { readonly noun: string }>(list: readonly Each[]) => list.filter(({ noun }) => nouns.includes(noun));
  const collections = known(data.collections).filter(({ noun, file }) => file === dataFile(noun));
  return { ...data, collections, under_way: known(data.under_way), splits: known(data.splits) };
}

export async function writeState(files: Files, directory: string, content: ExportState): Promise<void> {
  await files.writeAtomic(statePath(directory), JSON.stringify(content));
}

/** Removes the state of a finished export at once: after a power cut, an old state would resume a finished export. */
export async function removeState(files: Files, directory: string): Promise<void> {
  await files.remove(statePath(directory), 'now');
}

const statePath = (directory: string) => `${directory}/.svc-export.json`;

/** The most bytes of a manifest or a state. */
const MOST_BYTES = 16 * 1024 * 1024;

async function readJson(files: Files, path: string): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of files.readPlain(path)) {
      pieces.push(piece);
      size += piece.byteLength;
      if (size > MOST_BYTES)
        throw new SvcError(`${path} is larger than 16 MiB, so svc did not write it.`, { hint: 'Export into another directory.' });
    }
    return JSON.parse(Buffer.concat(pieces).toString());
  } catch (error) {
    if (error instanceof SvcError) throw error;
    return undefined;
  }
}
