import type { Row } from '../../../src/sandbox/start.ts';
import { attempt, attemptRefused, type Judge } from '../judge.ts';
import type { Place } from '../place.ts';
import type { OptionName } from '../table.ts';
import { type Daily, HOURS, WHO } from './daily.ts';

const OFFERS: readonly OptionName[] = ['discoveryOperations', 'discoveryActions', 'discoveryName', 'discoveryPaths', 'timerEnds'];

/** Deletes all timers of the person. */
async function clear(place: Place): Promise<void> {
  for (const { id } of mine(place)) await place.discard('timers', id);
}

function mine(place: Place): readonly Row[] {
  return place.rows('timers').filter((row) => row['user_id'] === place.person.id && (row['stopped_at'] ?? null) === null);
}

/** Returns true if the service shows an operation that stops timers. */
function isOffered({ combination }: Place): boolean {
  return (combination.timerEnds === 'action' || combination.timerEnds === 'logging-action') && combination.discoveryActions !== 'none';
}

/** Checks that a timer has ended and its hours are logged once. svc logs the hours, or the service’s operation does. */
function isLoggedOnce(
  place: Place,
  { id, minutes }: { readonly id: number; readonly minutes: number },
  { changes, same, result }: Pick<Judge, 'changes' | 'result' | 'same'>,
): void {
  const logged = changes.filter(({ resource, before }) => resource === 'worklogs' && before === undefined);
  same(
    'logged',
    logged.map(({ after }) => [after?.['user_id'], after?.['minutes'], after?.['description'], after?.['work_item_id']]),
    [[place.person.id, minutes, 'Mine', 12]],
  );
  // A DELETE needs a token that allows it. Logging hours may also end the timer.
  const ends = isOffered(place) || place.combination.credential === 'token' || place.combination.worklogEndsTimers;
  const after = changes.find(({ resource, before }) => resource === 'timers' && before?.id === id);
  const isOver = after !== undefined && (after.after === undefined || (after.after['stopped_at'] ?? null) !== null);
  same('is over', isOver, ends);
  same('said to run on', /still runs/.test(result.stderr), !ends);
}

const STOPS: readonly OptionName[] = [...OFFERS, ...HOURS, ...WHO, 'worklogEndsTimers', 'deleteAnswers', 'idempotencyKey', 'recordClock'];

/** Tests of timers: the right timer starts, and ends as hours. */
export const timers: readonly Daily[] = [
  {
    name: 'timers start',
    matters: [...OFFERS, 'hoursFilters', 'assumedIncludes', 'idempotencyKey', 'wrapSingleRecords', 'credential', 'person'],
    async run(place) {
      await clear(place);
      return attempt(place, ['timers', 'start', 'ABC-12', 'Call'], {
        judge: ({ changes, same }) => {
          const [change] = changes;
          same(
            'rows made',
            changes.map(({ resource, before }) => [resource, before]),
            [['timers', undefined]],
          );
          same('whose', change?.after?.['user_id'], place.person.id);
          same('work item', change?.after?.['work_item_id'], 12);
          same('text', change?.after?.['description'], 'Call');
        },
      });
    },
  },
  {
    name: 'timers start, while one runs',
    matters: [...OFFERS, 'hoursFilters', 'assumedIncludes', 'credential', 'person'],
    async run(place) {
      await clear(place);
      await place.addRecord('timers', { user_id: place.person.id, project_id: 1, description: 'Mine' });
      return attemptRefused(place, ['timers', 'start', 'ABC-12'], 6);
    },
  },
  {
    name: 'timers stop',
    matters: STOPS,
    async run(place) {
      await clear(place);
      const { id } = await place.addRecord('timers', { user_id: place.person.id, work_item_id: 12, description: 'Mine' });
      // The test creates the timer a minute before svc reads it.
      return attempt(place, ['timers', 'stop'], { judge: (judge) => isLoggedOnce(place, { id, minutes: 1 }, judge) });
    },
  },
  {
    name: 'timers stop, typed twice',
    matters: STOPS,
    async run(place) {
      await clear(place);
      const { id } = await place.addRecord('timers', { user_id: place.person.id, work_item_id: 12, description: 'Mine' });
      const first = await attempt(place, ['timers', 'stop'], { judge: (judge) => isLoggedOnce(place, { id, minutes: 1 }, judge) });
      if (first.verdict !== 'right') return first;
      const left = mine(place).some((row) => row.id === id);
      if (!left) return attemptRefused(place, ['timers', 'stop'], 3);
      return attempt(place, ['timers', 'stop'], { judge: ({ changes, same }) => same('changed', changes, []) });
    },
  },
  {
    name: 'timers switch',
    matters: STOPS,
    async run(place) {
      await clear(place);
      const { id } = await place.addRecord('timers', { user_id: place.person.id, work_item_id: 12, description: 'Mine' });
      return attempt(place, ['timers', 'switch', 'ABC-5', 'Next'], {
        judge: (judge) => {
          isLoggedOnce(place, { id, minutes: 1 }, judge);
          const started = judge.changes.filter(({ resource, before }) => resource === 'timers' && before === undefined);
          judge.same(
            'begun',
            started.map(({ after }) => [after?.['work_item_id'], after?.['description'], after?.['user_id']]),
            [[5, 'Next', place.person.id]],
          );
        },
      });
    },
  },
];
