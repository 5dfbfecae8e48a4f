import { UsageError } from '../../errors.ts';
import { type DateContext, parseDateTime } from '../../values/dates.ts';
import { quote } from '../../values/text.ts';
import { type ExportFormat, NO_NAMES } from './define.ts';

/** The output of Watson: CSV with local times, JSON with offsets. The date of an entry is the date in its start. */
export const watson: ExportFormat = {
  kind: 'Watson',
  fits: (has) => has('start', 'stop', 'project'),
  read(cells, dates) {
    const start = cells.read(['start'], (text) => readTimestamp(text, dates));
    const stop = cells.read(['stop'], (text) => readTimestamp(text, dates));
    return {
      ...NO_NAMES,
      date: cells('start').slice(0, 10),
      dateColumn: cells.column('start'),
      seconds: (stop - start) / 1000,
      project: cells('project'),
      tags: cells('tags'),
      description: cells('tags'),
    };
  },
};

function readTimestamp(text: string, dates: DateContext): number {
  const local = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?$/.exec(text);
  const timestamp = local === null ? Date.parse(text) : Date.parse(parseDateTime(`${local[1]}T${local[2]}`, dates));
  if (Number.isNaN(timestamp) || !/^\d{4}-\d\d-\d\d/.test(text))
    throw new UsageError(`${quote(text)} is not a time in the format of Watson.`);
  return timestamp;
}
