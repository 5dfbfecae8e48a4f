import { attempt } from '../judge.ts';
import type { Axis } from '../table.ts';
import { type Daily, WHO } from './daily.ts';

const OFFERS: readonly Axis[] = ['discoveryOperations', 'discoveryActions', 'discoveryName', 'discoveryPaths', 'timerEnds'];

/** Clocks: the one that was meant begins, and ends. */
export const timers: readonly Daily[] = [
  {
    name: 'timers start',
    matters: [...OFFERS, 'idempotencyKey', 'wrapSingleRecords', 'credential', 'person'],
    run: (place) =>
      attempt(place, ['timers', 'start', 'ABC-12', 'Call'], {
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
      }),
  },
  {
    name: 'timers stop',
    matters: [...OFFERS, ...WHO, 'hoursFilters', 'me', 'deleteAnswers'],
    async run(place) {
      const mine = place.rows('timers').filter((row) => row['user_id'] === place.person.id && (row['stopped_at'] ?? null) === null);
      const { id } = mine[0] ?? (await place.plant('timers', { user_id: place.person.id, project_id: 1, description: 'Mine' }));
      const stops = place.reading.timerEnds === 'action' || place.reading.timerEnds === 'logging-action';
      const isOffered = stops && place.reading.discoveryActions !== 'none';
      const outcome = await attempt(place, ['timers', 'stop'], {
        // With one knob the service logs the hours itself.
        byService: ({ resource, before }) =>
          place.reading.timerEnds === 'logging-action' && resource === 'worklogs' && before === undefined,
        judge: ({ changes, same }) => {
          same(
            'changed',
            changes.map(({ resource, before }) => [resource, before?.id]),
            [['timers', id]],
          );
          same('runs still', changes[0]?.after !== undefined && (changes[0].after['stopped_at'] ?? null) === null, false);
        },
      });
      // Where discovery shows nothing that stops a timer, there is nothing that svc could send.
      return outcome.verdict === 'refused' && !isOffered ? { ...outcome, verdict: 'right' } : outcome;
    },
  },
];
