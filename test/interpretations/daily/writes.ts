import { readFile, writeFile } from 'node:fs/promises';
import { attempt, attemptRefused, type Change, differences, type Judge } from '../judge.ts';
import type { OptionName } from '../table.ts';
import { type Daily, HOURS, WHO } from './daily.ts';

const ANSWERS: readonly OptionName[] = ['wrapSingleRecords', 'summary', 'keyMember', 'credential'];

/** Tests of changes: each command makes exactly the intended change. */
export const writes: readonly Daily[] = [
  {
    name: 'work-items transition, by the name of the status',
    matters: [...ANSWERS, 'idempotencyKey', 'otherFilters', 'discoveryActions', 'staleNoop', 'transitionEnds'],
    run: (place) =>
      attempt(place, ['work-items', 'transition', 'ABC-12', '--to', 'Done'], {
        judge: (judge) => changed(judge, 'work-items', 12, { workflow_status_id: 4 }),
      }),
  },
  {
    name: 'work-items transition that no workflow allows',
    matters: ['transitionEnds', 'idempotencyKey', 'storedErrors', 'otherFilters'],
    // The transition goes from To do directly to Done.
    run: (place) => {
      const item = place.rows('work-items').find((row) => row['workflow_status_id'] === 1);
      return attemptRefused(place, ['work-items', 'transition', String(item?.['issue_key']), '--to', 'Done'], 6);
    },
  },
  {
    name: 'work-items update --if-unchanged',
    matters: [...ANSWERS, 'staleNoop'],
    async run(place) {
      await place.svc(['work-items', 'get', 'ABC-5']);
      return attempt(place, ['work-items', 'update', 'ABC-5', '--estimation', '7h15', '--due-date', 'tomorrow', '--if-unchanged'], {
        judge: (judge) => {
          const day = Date.parse(place.today()) + 86_400_000;
          const { due_date, ...fields } = differences(judge.changes[0]?.before, judge.changes[0]?.after);
          judge.same('changed', judge.changes.map(named), ['work-items 5']);
          judge.same('fields changed', fields, { estimation: 435 });
          judge.inZone('due_date', due_date, new Date(day).toISOString().slice(0, 10));
        },
      });
    },
  },
  {
    name: 'work-items update, a field to nothing',
    matters: ANSWERS,
    async run(place) {
      await place.svc(['work-items', 'update', 'ABC-7', '--estimation', '1h']);
      return attempt(place, ['work-items', 'update', 'ABC-7', '--estimation', 'none'], {
        judge: (judge) => changed(judge, 'work-items', 7, { estimation: null }),
      });
    },
  },
  {
    name: 'worklogs update',
    matters: [...ANSWERS, ...WHO],
    async run(place) {
      const { id } = await place.addRecord('worklogs', {
        user_id: place.person.id,
        date: '2025-06-11',
        minutes: 20,
        is_not_billable: true,
      });
      return attempt(place, ['worklogs', 'update', String(id), '--minutes', '1:05', '--project', '2'], {
        judge: (judge) => changed(judge, 'worklogs', id, { minutes: 65, project_id: 2 }),
      });
    },
  },
  {
    name: 'worklogs edit',
    matters: [...WHO, ...HOURS, 'workingHours', 'wrapSingleRecords'],
    async run(place) {
      const entry = { user_id: place.person.id, date: '2025-06-12', minutes: 95, project_id: 2, is_not_billable: true };
      const { id } = await place.addRecord('worklogs', { ...entry, description: 'To be mended' });
      return attempt(place, ['worklogs', 'edit', '2025-06-12'], {
        options: {
          answers: [true],
          env: { EDITOR: 'ed' },
          program: async (_, [file = '']) => {
            const text = await readFile(file, 'utf8');
            await writeFile(file, text.replace(new RegExp(`^(\\[${id}\\] +)1h35`, 'm'), '$12h10'));
            return 0;
          },
        },
        judge: (judge) => changed(judge, 'worklogs', id, { minutes: 130 }),
      });
    },
  },
];

/** Checks that exactly these fields of exactly this record have changed. */
function changed({ changes, same }: Judge, resource: string, id: number, fields: Readonly<Record<string, unknown>>): void {
  same('changed', changes.map(named), [`${resource} ${id}`]);
  same('fields changed', differences(changes[0]?.before, changes[0]?.after), fields);
}

function named({ resource, after }: Change): string {
  return `${resource} ${after?.id}`;
}
