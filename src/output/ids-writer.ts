import { UsageError } from '../errors.ts';
import { scalarText } from '../values/json.ts';
import { fieldValue } from './fields.ts';
import { neutraliseLine } from './neutralise.ts';
import { createRowWriter, type RecordWriter, type WriterOptions } from './writer.ts';

/**
 * Creates a writer that writes one id per line, or the one field of `--fields`. `row` throws UsageError for a record in which this field is
 * missing or empty.
 */
export function createIdsWriter(options: WriterOptions): RecordWriter {
  const [name = 'id'] = options.fields ?? [];
  return createRowWriter(options, {
    row(record) {
      const text = neutraliseLine(scalarText(fieldValue(record, name)));
      if (text === '')
        throw new UsageError(`A record has no "${name}" to print.`, { hint: 'To see the fields of the records: --output json' });
      return `${text}\n`;
    },
  });
}
