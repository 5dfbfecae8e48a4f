import { z } from 'zod';
import type { Files } from '../../deps.ts';
import { SvcError } from '../../errors.ts';

/** The file with the position of `svc changes --split`. Its directory has files with the names of an export. */
export const SPLIT_STATE = '.svc-changes.json';

/** Returns the name of a resource’s file. svc takes no name from a directory, because other users can write to the directory. */
export function dataFile(noun: string): string {
  return `${noun}.ndjson`;
}

/**
 * Returns the name of the partial file of a resource, or of one range of its rows.
 *
 * @param part The index of the range, from 0. Default: the whole resource.
 */
export function partFile(noun: string, part?: number): string {
  return `${dataFile(noun)}.part${part === undefined ? '' : `-${part + 1}`}`;
}

const below = z.object({
  parent: z.string(),
  asked: z.number(),
  /** The number of parents without children, as a counter or a relation shows. svc did not request their lists of children. */
  empty: z.number(),
  /** The number of parents that were deleted after the export of the parents. */
  gone: z.number(),
  refused: z.number(),
  reason: z.string().optional(),
});

const collection = z.object({
  noun: z.string(),
  path: z.string(),
  query: z.array(z.tuple([z.string(), z.string()])).readonly(),
  file: z.string(),
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string(),
  as_of: z.string(),
  below: below.optional(),
});

const leftOut = z.array(z.object({ noun: z.string(), reason: z.string() }));
const notCollections = z.array(z.object({ path: z.string(), reason: z.string() }));
/** The child records that svc did not export, because the file of another resource has the same records. */
const inOtherFiles = z.array(z.object({ path: z.string(), in: z.string() }));

const manifest = z.object({
  version: z.literal(1),
  host: z.string(),
  /** The id of the signed-in user, because users can see different records. Absent if the service does not show the id. */
  user_id: z.number().optional(),
  started_at: z.string(),
  finished_at: z.string(),
  collections: z.array(collection),
  left_out: leftOut,
  not_collections: notCollections.default([]),
  held_elsewhere: inOtherFiles.default([]),
});

export type ChildProgress = z.infer<typeof below>;

export type ExportedCollection = z.infer<typeof collection>;

export type Manifest = z.infer<typeof manifest>;

const query = z.array(z.tuple([z.string(), z.string()])).readonly();

/** The progress of an unfinished file. Only an export with the same query resumes the file. */
const checkpoint = z.object({
  noun: z.string(),
  file: z.string(),
  query,
  rows: z.number(),
  bytes: z.number(),
  next: z.string().optional(),
  as_of: z.string(),
  /** The number of rows in the whole list, as the first page shows. Undefined if svc reads the list by cursor. */
  counted: z.object({ total: z.number(), at: z.number() }).optional(),
  done: z.boolean().optional(),
  below: below.optional(),
});

const split = z.object({
  noun: z.string(),
  query,
  total: z.number(),
  /** A time shortly before the count. All rows with an earlier creation time existed at the count. */
  before: z.string(),
  as_of: z.string(),
  /**
   * One query per range of creation time. The index of a query is the `part` of {@link partFile}. A read by cursor covers the time before
   * the first range.
   */
  parts: z.array(z.object({ query })),
});

const state = z.object({
  version: z.literal(3),
  /**
   * The host, the user, the resources, the view and the other choices of the export, as JSON. Only an export with an equal subject resumes.
   */
  subject: z.string(),
  started_at: z.string(),
  collections: z.array(collection),
  left_out: leftOut,
  not_collections: notCollections,
  under_way: z.array(checkpoint),
  splits: z.array(split),
});

export type FileCheckpoint = z.infer<typeof checkpoint>;

/** The plan of a read in parts. The resource’s own file, read by cursor, and the parts together have all rows. */
export type Split = z.infer<typeof split>;

export type ExportState = z.infer<typeof state>;

/**
 * Reads the manifest of an export. Returns undefined for a missing or invalid manifest.
 *
 * @throws SvcError for a link or another special file, and for a file above 16 MiB.
 */
export async function readManifest(files: Files, directory: string): Promise<Manifest | undefined> {
  return manifest.safeParse(await readJson(files, `${directory}/manifest.json`)).data;
}

export async function writeManifest(files: Files, directory: string, content: Manifest): Promise<void> {
  await files.writeAtomic(`${directory}/manifest.json`, `${JSON.stringify(content, null, 2)}\n`);
}

/** Reads the state of an unfinished export, limited to the given resources. Returns undefined without a valid state. */
export async function readState(files: Files, directory: string, nouns: readonly string[]): Promise<ExportState | undefined> {
  // svc treats an unreadable file as absent. The next write replaces the file.
  const { data } = state.safeParse(await readJson(files, statePath(directory)).catch(() => undefined));
  if (data === undefined) return undefined;
  const known = <Each extends { readonly noun: string }>(list: readonly Each[]) => list.filter(({ noun }) => nouns.includes(noun));
  const collections = known(data.collections).filter(({ noun, file }) => file === dataFile(noun));
  return { ...data, collections, under_way: known(data.under_way), splits: known(data.splits) };
}

export async function writeState(files: Files, directory: string, content: ExportState): Promise<void> {
  await files.writeAtomic(statePath(directory), JSON.stringify(content));
}

/** Removes the state of an export, and flushes the removal to disk. After a power cut, svc would otherwise resume the finished export. */
export async function removeState(files: Files, directory: string): Promise<void> {
  await files.remove(statePath(directory), 'now');
}

const statePath = (directory: string) => `${directory}/.svc-export.json`;

const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Reads a JSON file that svc wrote. Returns undefined for a missing or invalid file.
 *
 * @throws SvcError for a link or another special file, and above 16 MiB.
 */
export async function readJson(files: Pick<Files, 'readPlain'>, path: string): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    for await (const piece of files.readPlain(path)) {
      text += decoder.decode(piece, { stream: true });
      size += piece.byteLength;
      if (size > MOST_BYTES)
        throw new SvcError(`${path} is larger than 16 MiB, so the file is not from svc.`, { hint: 'Export into another directory.' });
    }
    return JSON.parse(text + decoder.decode());
  } catch (error) {
    if (error instanceof SvcError) throw error;
    return undefined;
  }
}
