import type { Row } from '../../../src/sandbox/start.ts';
import { attempt } from '../judge.ts';
import type { Place } from '../place.ts';
import type { OptionName } from '../table.ts';
import { idsOf, loggedIn } from '../truth.ts';
import { type Daily, HOURS } from './daily.ts';

const QUERIES: readonly OptionName[] = ['otherFilters', 'refusalType', 'parameterMember', 'me', 'credential', 'booleans'];

/** Tests of lists with typical flags: each list has exactly the expected records. */
export const lists: readonly Daily[] = [
  list('worklogs list, of the user on some days', [...HOURS, 'parameterMember', 'credential', 'narrowedMe'], {
    args: ['worklogs', 'list', '--from', '2025-05-05', '--to', '2025-06-19', '--user', 'me'],
    meant: (row, { person }) => loggedIn([row], { first: '2025-05-05', last: '2025-06-19' }).length > 0 && row['user_id'] === person.id,
  }),
  list('worklogs list, of a project', [...HOURS, 'parameterMember'], {
    args: ['worklogs', 'list', '--from', '2025-05-05', '--to', '2025-05-09', '--project', '1'],
    meant: (row) => loggedIn([row], { first: '2025-05-05', last: '2025-05-09' }).length > 0 && row['project_id'] === 1,
  }),
  list('timers list, mine', ['hoursFilters', 'me', 'refusalType', 'parameterMember', 'credential', 'narrowedMe', 'timerEnds'], {
    args: ['timers', 'list', '--user', 'me'],
    meant: (row, { person }) => row['user_id'] === person.id,
  }),
  list('work-items list, mine', [...QUERIES, 'narrowedMe', 'summary'], {
    args: ['work-items', 'list', '--assignee', 'me'],
    meant: (row, { person }) => row['assignee_id'] === person.id,
  }),
  list('work-items list, by the name of a status', [...QUERIES, 'pages'], {
    args: ['work-items', 'list', '--status', 'In review'],
    meant: (row, place) => place.rows('workflow-statuses').some(({ id, name }) => id === row['workflow_status_id'] && name === 'In review'),
  }),
  list('work-items list, in no sprint and due', QUERIES, {
    args: ['work-items', 'list', '--backlog', '--due-by', '2025-06-30'],
    meant: (row) => row['sprint_id'] === null && typeof row['due_date'] === 'string' && row['due_date'] <= '2025-06-30',
  }),
];

function list(
  name: string,
  matters: readonly OptionName[],
  { args, meant }: { readonly args: readonly [string, ...string[]]; readonly meant: (row: Row, place: Place) => boolean },
): Daily {
  return {
    name,
    matters,
    run: (place) =>
      attempt(place, args, {
        judge: ({ changes, json, same }) => {
          same('changes', changes, []);
          same('ids', idsOf(json()), idsOf(place.rows(args[0]).filter((row) => (row['stopped_at'] ?? null) === null && meant(row, place))));
        },
      }),
  };
}
