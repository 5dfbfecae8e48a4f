import type { ExportFormat } from './define.ts';
import { readTrackedRow } from './toggl.ts';

/** Types are Regular, Break, Holiday and Time off. Only Regular rows are work. */
export const clockify: ExportFormat = {
  kind: 'Clockify',
  fits: (has) => has('start date') && (has('duration (h)') || has('duration (decimal)')),
  read(cells) {
    const type = cells('type');
    return {
      ...readTrackedRow(cells, ['duration (h)', 'duration (decimal)']),
      ...(type !== '' && !/^regular$/i.test(type) && { skip: `of the type ${type}` }),
    };
  },
};
