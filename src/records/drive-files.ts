import { NotFoundError } from '../errors.ts';
import type { DescribedResource } from '../schema/described.ts';
import { storedIndex, storedResource } from '../schema/stored-schema.ts';
import type { Needs } from '../session/context.ts';
import type { KnownOperation } from '../transfer/known-operation.ts';
import { type DownloadWay, planDownload } from '../transfer/plan-download.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { allRows } from './all-rows.ts';
import { recordAt } from './record-at.ts';

export type FindingFiles = KnowingOperations | 'client';

export interface FoundFile {
  readonly item: string;
  readonly id: string;
  /** The untrusted name that the service sent. Undefined if svc did not read the name. */
  readonly name: string | undefined;
  readonly record: JsonObject | undefined;
  readonly way: DownloadWay;
}

const ITEM = ['drive-items', '{}'];
const FILE = [...ITEM, 'files', '{}'];

/**
 * Finds the files of an item with the imported API spec, or with absolute URLs in the records.
 * @throws NotFoundError if the item has no files, or if svc finds no address of the files.
 */
export async function filesOf(context: Needs<FindingFiles>, item: string): Promise<FoundFile[]> {
  const described = await describedOperations(context, 'drive-items');
  const operations = described ?? [];
  const { record } = await recordAt(context, `/drive-items/${item}`);
  const whole = planDownload(operations, ITEM, [item], record);
  if (whole !== undefined) return [{ item, id: item, name: nameOf(record), record, way: whole }];
  const found: FoundFile[] = [];
  let rows = 0;
  for await (const row of allRows(context, `/drive-items/${item}/files`, [])) {
    rows += 1;
    const id = scalarText(row['id']);
    const way = planDownload(operations, FILE, [item, id], row);
    if (way !== undefined) found.push({ item, id, name: nameOf(row), record: row, way });
  }
  if (found.length > 0) return found;
  if (rows === 0) throw new NotFoundError(`Drive item ${item} has no files.`, { hint: `See the drive item: svc drive-items get ${item}` });
  throw await unknownWay(context, {
    what: 'gives the contents of files',
    byHand: 'request the path of the contents with svc api',
    isImported: described !== undefined,
  });
}

function nameOf(record: JsonObject): string | undefined {
  const names = [record['file_name'], record['filename'], record['original_name'], record['name']].map(scalarText);
  return names.find((name) => name.trim() !== '');
}

export type KnowingOperations = 'files' | 'host' | 'notice' | 'paths';

/** The resources that may send or receive files, in addition to the resource that the files belong to. */
const FILE_RESOURCES = ['upload-tickets', 'uploads', 'upload-urls', 'files', 'attachments'];

/**
 * Returns the operations of a resource, and the file operations, from the imported API spec. Leaves out deprecated operations. Undefined
 * without an imported API spec. Sends no request.
 */
export async function describedOperations(context: Needs<KnowingOperations>, noun: string): Promise<KnownOperation[] | undefined> {
  const host = await context.host();
  const index = await storedIndex(context, host);
  if (index === undefined) return undefined;
  const nouns = await Promise.all([noun, ...FILE_RESOURCES].map((name) => storedResource(context, host, index, name)));
  return nouns.flatMap((found) => (found === undefined ? [] : operationsIn(found)));
}

function operationsIn({ operations, nested = [] }: DescribedResource): KnownOperation[] {
  const own = operations
    .filter(({ deprecated }) => deprecated !== true)
    .map(({ method, path, body, query, contentType }): KnownOperation => {
      const known = {
        ...(body !== undefined && { body }),
        ...(query !== undefined && { query }),
        ...(contentType !== undefined && { contentType }),
      };
      return { method: method.toUpperCase(), path, ...known };
    });
  return [...own, ...nested.flatMap(operationsIn)];
}

/** Creates the error for a file command if no operation describes the request. svc guesses no address, method or form. */
export async function unknownWay(
  context: Needs<'host'>,
  { what, byHand, isImported }: { readonly what: string; readonly byHand: string; readonly isImported: boolean },
): Promise<NotFoundError> {
  const { name } = await context.host();
  const why = isImported ? 'its imported API spec does not describe the operation' : 'svc has no API spec of this organisation';
  return new NotFoundError(`svc does not know how ${name} ${what}: ${why}.`, {
    hint: `Import its API spec: svc schema import <file>; or by hand: ${byHand}`,
  });
}
