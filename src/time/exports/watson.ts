import { UsageError } from '../../errors.ts';
import { quote } from '../../values/text.ts';
import type { Around, ExportFormat } from './define.ts';

/** The output of Watson: CSV with local times, JSON with offsets. The date of an entry is the date in its start. */
export const watson: ExportFormat = {
  kind: 'Watson',
  fits: (has) => has('start', 'stop', 'project'),
  read(cells, around) {
    const start = cells.read(['start'], (text) => readTimestamp(text, around));
    const stop = cells.read(['stop'], (text) => readTimestamp(text, around));
    return {
      date: cells('start').slice(0, 10),
      dateColumn: cells.column('start'),
      seconds: (stop - start) / 1000,
      project: cells('project'),
      task: '',
      tags: cells('tags'),
      description: cells('tags'),
      billable: undefined,
      who: [],
    };
  },
};

function readTimestamp(text: string, around: Around): number {
  const local = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?$/.exec(text);
  const timestamp = local === null ? Date.parse(text) : around.timestamp(`${local[1]}T${local[2]}`);
  if (Number.isNaN(timestamp) || !/^\d{4}-\d\d-\d\d/.test(text))
    throw new UsageError(`${quote(text)} is not a time in the format of Watson.`);
  return timestamp;
}
