import { UsageError } from '../../errors.ts';
import { quote } from '../../values/text.ts';
import { localDayAndTime } from '../calendar.ts';
import { type ExportFormat, inColumn, NO_NAMES } from './define.ts';

/** The output of `timew export`: `{"id", "start": "20310331T070000Z", "end", "tags", "annotation"}`. A running entry has no end. */
export const timewarrior: ExportFormat = {
  kind: 'Timewarrior',
  fits: (has) => has('start', 'end') && (has('tags') || has('annotation') || has('id')),
  read(cells, dates) {
    const start = cells.read(['start'], readTimestamp);
    const end = cells('end');
    const tags = cells('tags');
    const names = tags.split(', ').filter((tag) => tag !== '');
    return {
      ...NO_NAMES,
      date: localDayAndTime(start, dates).date,
      dateColumn: cells.column('start'),
      seconds: end === '' ? 0 : (inColumn('end', () => readTimestamp(end)) - start) / 1000,
      maybeProjects: names,
      tags,
      description: cells('annotation') || tags,
      ...(end === '' && { skip: 'still running' }),
    };
  },
};

/** Converts `20310331T070000Z`, or an ISO 8601 time in UTC, to milliseconds since 1970. @throws UsageError for any other text. */
function readTimestamp(text: string): number {
  const written = text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const timestamp = /Z$/.test(written) ? Date.parse(written) : Number.NaN;
  if (Number.isNaN(timestamp)) throw new UsageError(`${quote(text)} is not a time in the format of Timewarrior.`);
  return timestamp;
}
