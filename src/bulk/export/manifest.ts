import { z } from 'zod';
import type { Files } from '../../deps.ts';
import { SvcError } from '../../errors.ts';

/** The name of the file that an exported collection is in. What a directory holds names no file: it may come from anybody. */
export function dataFile(noun: string): string {
  return `${noun}.ndjson`;
}

/** The name of the file that a collection is read into, or the part of that index (from 0) where it is read side by side. */
export function partFile(noun: string, part?: number): string {
  return `${dataFile(noun)}.part${part === undefined ? '' : `-${part + 1}`}`;
}

const below = z.object({
  /** The noun of the records. */
  parent: z.string(),
  asked: z.number(),
  /** Their own counters said that nothing is there, so they were not asked. */
  empty: z.number(),
  /** They were there when they were exported, and no longer. */
  gone: z.number(),
  refused: z.number(),
  /** The last refusal. */
  reason: z.string().optional(),
});

const collection = z.object({
  noun: z.string(),
  path: z.string(),
  /** Names and values, in order. */
  query: z.array(z.tuple([z.string(), z.string()])).readonly(),
  file: z.string(),
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string(),
  /** The service's clock when the first page was asked for. */
  as_of: z.string(),
  /** Of what lies below records: what came of asking them. */
  below: below.optional(),
});

const leftOut = z.array(z.object({ noun: z.string(), reason: z.string() }));
const notCollections = z.array(z.object({ path: z.string(), reason: z.string() }));
/** What lies below records and is in another file already. */
const heldElsewhere = z.array(z.object({ path: z.string(), in: z.string() }));

const manifest = z.object({
  version: z.literal(1),
  host: z.string(),
  /** Whose export it is: what a person may see differs. Not there where the service would not say. */
  user_id: z.number().optional(),
  started_at: z.string(),
  finished_at: z.string(),
  collections: z.array(collection),
  /** What could not be read, and why. */
  left_out: leftOut,
  /** What discovery lists and is no collection. */
  not_collections: notCollections.default([]),
  held_elsewhere: heldElsewhere.default([]),
});

/** What came of asking each of many records for what lies below it. */
export type NestedProgress = z.infer<typeof below>;

/** One exported collection. */
export type ExportedCollection = z.infer<typeof collection>;

/** What an export holds: `manifest.json`. */
export type Manifest = z.infer<typeof manifest>;

const query = z.array(z.tuple([z.string(), z.string()])).readonly();

/** A file under way: what of it counts, and the address of the next page; only the same query goes on. */
const checkpoint = z.object({
  noun: z.string(),
  /** Its name in the directory. */
  file: z.string(),
  query,
  rows: z.number(),
  bytes: z.number(),
  next: z.string().optional(),
  as_of: z.string(),
  /** What the first page counted, where the others are read by their numbers. */
  counted: z.object({ total: z.number(), at: z.number() }).optional(),
  /** It has all that it is to have. */
  done: z.boolean().optional(),
  /** Of what lies below records: what came of those that are done with. */
  below: below.optional(),
});

/** A collection that is read in pieces side by side. */
const split = z.object({
  noun: z.string(),
  /** The query for all of it. */
  query,
  /** Rows that were there when they were counted. */
  total: z.number(),
  /** Records stamped before this were there then. */
  before: z.string(),
  as_of: z.string(),
  /** By when records were made, after those that the walk by cursor has. {@link partFile} names them, in this order. */
  parts: z.array(z.object({ query })),
});

const state = z.object({
  version: z.literal(3),
  /** Host, person and flags: only the same export goes on. */
  subject: z.string(),
  started_at: z.string(),
  collections: z.array(collection),
  left_out: leftOut,
  not_collections: notCollections,
  under_way: z.array(checkpoint),
  splits: z.array(split),
});

/** How far a file is. */
export type FileCheckpoint = z.infer<typeof checkpoint>;

/** A collection in pieces: its own file, begun by cursor, and its parts hold all of it. */
export type Split = z.infer<typeof split>;

/** Where an unfinished export stands. */
export type ExportState = z.infer<typeof state>;

/** The manifest in a directory; undefined when there is none that can be read. @throws SvcError for a link, and for what is no regular file. */
export async function readManifest(files: Files, directory: string): Promise<Manifest | undefined> {
  return manifest.safeParse(await readJson(files, `${directory}/manifest.json`)).data;
}

export async function writeManifest(files: Files, directory: string, content: Manifest): Promise<void> {
  await files.writeAtomic(`${directory}/manifest.json`, `${JSON.stringify(content, null, 2)}\n`);
}

/** The state of an unfinished export, of the collections that this one reads too; undefined when there is none. */
export async function readState(files: Files, directory: string, nouns: readonly string[]): Promise<ExportState | undefined> {
  // What is no file of svc's says nothing; a link is replaced as soon as the state is written.
  const { data } = state.safeParse(await readJson(files, statePath(directory)).catch(() => undefined));
  if (data === undefined) return undefined;
  const known = <Each extends { readonly noun: string }>(list: readonly Each[]) => list.filter(({ noun }) => nouns.includes(noun));
  const collections = known(data.collections).filter(({ noun, file }) => file === dataFile(noun));
  return { ...data, collections, under_way: known(data.under_way), splits: known(data.splits) };
}

export async function writeState(files: Files, directory: string, content: ExportState): Promise<void> {
  await files.writeAtomic(statePath(directory), JSON.stringify(content));
}

/** Ends an export: what a power cut brought back would be gone on with, and what changed since left out. */
export async function removeState(files: Files, directory: string): Promise<void> {
  await files.remove(statePath(directory), 'now');
}

const statePath = (directory: string) => `${directory}/.svc-export.json`;

async function readJson(files: Files, path: string): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of files.readPlain(path)) pieces.push(piece);
    return JSON.parse(Buffer.concat(pieces).toString());
  } catch (error) {
    if (error instanceof SvcError) throw error;
    return undefined;
  }
}
