import type { Files } from '../../deps.ts';
import { createWriter } from '../../output/create-writer.ts';
import { columnsOf } from './columns.ts';
import { readExportedRecords } from './lines.ts';

/** So many characters are written at once. */
const PIECE = 256 * 1024;

/** An exported collection as CSV beside its NDJSON: every field that any record has is a column. */
export async function writeCsv(files: Files, source: string, target: string): Promise<void> {
  const fields = [...(await columnsOf(readExportedRecords(files, source))).keys()];
  const writer = await createWriter('csv', { fields, color: false, pretty: false });
  const part = `${target}.part`;
  await files.truncate(part, 0);
  let text = writer.begin();
  for await (const record of readExportedRecords(files, source)) {
    text += writer.row(record);
    if (text.length < PIECE) continue;
    await files.append(part, text);
    text = '';
  }
  await files.append(part, text + writer.end());
  await files.rename(part, target);
}
