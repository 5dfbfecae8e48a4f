import { NotFoundError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type DownloadWay, planDownload } from '../transfer/plan-download.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { allRows } from './all-rows.ts';
import { describedOperations, type KnowingOperations, unknownWay } from './known-operations.ts';
import { recordAt } from './record-at.ts';

/** The parts of a context that finding the files of drive items needs. */
export type FindingFiles = KnowingOperations | 'client';

/** A file that can be downloaded. */
export interface FoundFile {
  /** The drive item that it is, or belongs to. */
  readonly item: string;
  readonly id: string;
  /** As the service sent it, not trusted. Undefined where svc did not read it. */
  readonly name: string | undefined;
  readonly record: JsonObject | undefined;
  readonly way: DownloadWay;
}

const ITEM = ['drive-items', '{}'];
const FILE = [...ITEM, 'files', '{}'];

/**
 * The contents of a drive item, else the files that belong to it. svc finds them by the imported API spec, else by whole addresses
 * in the records.
 *
 * @throws NotFoundError when neither shows where they are.
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
  if (rows === 0) throw new NotFoundError(`Drive item ${item} has no files.`, { hint: `See what it is: svc drive-items get ${item}` });
  throw await unknownWay(context, {
    what: 'gives the contents of files',
    byHand: 'svc api <path> > <file>',
    isImported: described !== undefined,
  });
}

function nameOf(record: JsonObject): string | undefined {
  const told = [record['file_name'], record['filename'], record['original_name'], record['name']].map(scalarText);
  return told.find((name) => name.trim() !== '');
}
