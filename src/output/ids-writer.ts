import { UsageError } from '../errors.ts';
import { scalarText } from '../values/json.ts';
import { fieldValue } from './fields.ts';
import { neutraliseLine } from './neutralise.ts';
import { createRowWriter } from './row-writer.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/**
 * An id a line, for `xargs` and the like; `--fields` with one field takes that instead.
 *
 * Its `row` throws UsageError for a record that has none.
 */
export function createIdsWriter(options: WriterOptions): RecordWriter {
  const [name = 'id'] = options.fields ?? [];
  return createRowWriter(options, {
    row(record) {
      const text = neutraliseLine(scalarText(fieldValue(record, name)));
      if (text === '')
        throw new UsageError(`A record has no "${name}" to print.`, { hint: 'Use --output json to see what the records have.' });
      return `${text}\n`;
    },
  });
}
