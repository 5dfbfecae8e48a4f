import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row } from '../../../src/sandbox/start.ts';
import { attempt } from '../judge.ts';
import type { OptionName } from '../table.ts';
import { idsOf } from '../truth.ts';
import { type Daily, WHO } from './daily.ts';
import { made } from './logging.ts';

const NAMES: readonly OptionName[] = ['otherFilters', 'assumedSorts', 'idempotencyKey', 'wrapSingleRecords', 'summary'];
const TOGGL = 'User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags,Amount (EUR)';

/** The resources to save: counted and uncounted rows, long texts, deleted records and empty resources. */
const SAVED = ['worklogs', 'absences', 'work-items', 'events', 'users'] as const;

/** Tests of imports and exports. */
export const files: readonly Daily[] = [
  {
    name: 'worklogs import, its own columns',
    matters: [...NAMES, ...WHO],
    async run(place) {
      const file = join(place.home, 'own.csv');
      await writeFile(
        file,
        'date,duration,project,work_item,description,is_not_billable\n2025-03-03,1h20,Web shop,,One,true\n2025-03-04,25m,,ABC-3,Two,\n',
      );
      return attempt(place, ['worklogs', 'import', file], {
        byService: ({ resource, after }) => resource === 'timers' && after === undefined,
        judge: (judge) =>
          made(judge, place, [
            { date: '2025-03-03', minutes: 80, project_id: 2, description: 'One', is_not_billable: true },
            { date: '2025-03-04', minutes: 25, project_id: 1, work_item_id: 3, description: 'Two' },
          ]),
      });
    },
  },
  {
    name: 'worklogs import, from Toggl Track, of two people',
    matters: [...NAMES, ...WHO, 'deletedRecords'],
    async run(place) {
      const file = join(place.home, 'toggl.csv');
      const name = String(place.person['name']);
      const mine = `${name},${place.person['email']},,Web shop,,Mine,No,2025-03-05,09:00:00,2025-03-05,10:10:00,01:10:00,,`;
      const others = 'Zoë Müller-Lüdenscheidt,zoe@example.com,,Web shop,,Hers,Yes,2025-03-06,09:00:00,2025-03-06,09:40:00,00:40:00,,';
      await writeFile(file, `${TOGGL}\n${mine}\n${others}\n`);
      return attempt(place, ['worklogs', 'import', file], {
        byService: ({ resource, after }) => resource === 'timers' && after === undefined,
        judge: (judge) =>
          made(judge, place, [
            { date: '2025-03-05', minutes: 70, project_id: 2, description: 'Mine', is_not_billable: true },
            { date: '2025-03-06', minutes: 40, project_id: 2, description: 'Hers', user_id: 3 },
          ]),
      });
    },
  },
  {
    name: 'export',
    matters: [
      'summary',
      'worklogSummaryIds',
      'falseInSummary',
      'deletedRecords',
      'assumedSorts',
      'pages',
      'discoveryPaths',
      'discoveryOperations',
    ],
    async run(place) {
      const directory = join(place.home, 'backup');
      const { id } = await place.addRecord('worklogs', { user_id: 3, date: '2025-06-02', minutes: 10 });
      await place.discard('worklogs', id);
      await place.discard('events', 2);
      return attempt(place, ['export', directory, ...SAVED], {
        judge: async ({ changes, same, unknown }) => {
          same('changes', changes, []);
          const manifest = await readFile(join(directory, 'manifest.json'), 'utf8');
          for (const noun of SAVED) {
            const records = (await readFile(join(directory, `${noun}.ndjson`), 'utf8')).split('\n').filter((line) => line !== '');
            const saved = records.map((line) => JSON.parse(line) as Row);
            same(`ids of ${noun}`, idsOf(saved), idsOf(place.rows(noun)));
            if (noun !== 'worklogs') continue;
            const rows = new Map(place.rows(noun).map((row) => [row.id, row]));
            for (const field of ['date', 'minutes', 'description', 'user_id', 'project_id', 'is_overtime', 'is_not_billable']) {
              const hidden = saved.filter((record) => (record[field] ?? null) === null && (rows.get(record.id)?.[field] ?? null) !== null);
              if (hidden.length > 0 && manifest.includes(field)) unknown();
              else same(`${field} of ${noun} is there`, idsOf(hidden).slice(0, 5), []);
              const other = saved.filter((record) => (record[field] ?? null) !== null && record[field] !== rows.get(record.id)?.[field]);
              same(`${field} of ${noun} is another`, idsOf(other).slice(0, 5), []);
            }
          }
        },
      });
    },
  },
];
