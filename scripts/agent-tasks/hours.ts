import { answers, type Task, unlike } from './task.ts';

/** The user id of Sanne, who does the tasks. */
const ME = 1;
const ABC_9 = 9;
const ABC_12 = 12;
const WEB_SHOP = 2;

/** Tasks about hours and leave. */
export const HOURS: readonly Task[] = [
  {
    name: 'log-hours',
    prompt: 'I worked an hour and a half on ABC-12 yesterday. Log that for me, with the description "Reviewed the import".',
    check: (outcome) => [
      ...outcome.only({ '/worklogs': { created: 1 } }),
      ...unlike(outcome.difference('/worklogs').created[0], {
        user_id: ME,
        date: outcome.day(-1),
        minutes: 90,
        work_item_id: ABC_12,
        description: 'Reviewed the import',
      }),
    ],
  },
  {
    name: 'correct-hours',
    prompt: 'The hour I logged today for "Call with Jansen" was really two hours and a quarter. Correct it; do not log it a second time.',
    setup: [
      ['worklogs', 'add', '60', 'ABC-9', 'Call with Jansen'],
      ['worklogs', 'add', '30', 'ABC-9', 'Stand-up'],
    ],
    check: (outcome) => [
      ...outcome.only({ '/worklogs': { changed: 1 } }),
      ...unlike(outcome.difference('/worklogs').changed[0], { description: 'Call with Jansen', minutes: 135, date: outcome.day(0) }),
    ],
  },
  {
    name: 'delete-hours',
    prompt: 'Delete the entry "Wrong project" of today that I logged by mistake. Leave everything else.',
    setup: [
      ['worklogs', 'add', '45', 'ABC-9', 'Wrong project'],
      ['worklogs', 'add', '45', 'ABC-12', 'Right project'],
    ],
    check: (outcome) => [
      ...outcome.only({ '/worklogs': { deleted: 1 } }),
      ...unlike(outcome.difference('/worklogs').deleted[0], { description: 'Wrong project', work_item_id: ABC_9 }),
    ],
  },
  {
    name: 'undo',
    prompt: 'The last thing that was written with svc from here was a mistake. Take it back.',
    setup: [
      ['worklogs', 'add', '30', 'ABC-9', 'Planning'],
      ['work-items', 'update', 'ABC-9', '--title', 'Undo for everything'],
    ],
    check: (outcome) => [
      ...outcome.only({ '/work-items': { changed: 1 } }),
      ...unlike(outcome.now('/work-items', ABC_9), { title: 'Show the deleted rows' }),
    ],
  },
  {
    name: 'import-hours',
    prompt: 'Log the hours of hours.csv for me. One of its rows is logged already, which is not to be logged twice.',
    setup: [['worklogs', 'add', '30', 'ABC-12', 'Retrospective', '--date', '2026-03-03']],
    files: {
      'hours.csv':
        'date,minutes,work_item_id,description\n2026-03-02,90,12,Workshop\n2026-03-03,30,12,Retrospective\n2026-03-03,45,9,"Mail, and calls"\n2026-03-04,120,9,Review\n',
    },
    check: (outcome) => {
      const { created } = outcome.difference('/worklogs');
      return [
        ...outcome.only({ '/worklogs': { created: 3 } }),
        ...unlike(
          created.find(({ description }) => description === 'Mail, and calls'),
          { user_id: ME, date: '2026-03-03', minutes: 45, work_item_id: ABC_9 },
        ),
        ...unlike(
          created.find(({ description }) => description === 'Workshop'),
          { user_id: ME, date: '2026-03-02', minutes: 90, work_item_id: ABC_12 },
        ),
        ...unlike(
          created.find(({ description }) => description === 'Review'),
          { user_id: ME, date: '2026-03-04', minutes: 120, work_item_id: ABC_9 },
        ),
      ];
    },
  },
  {
    name: 'lost-answer',
    prompt:
      'Log three quarters of an hour on ABC-9 for today, "Stand-up". The network is bad here, so make sure that it is logged once, not twice.',
    faults: ['POST /worklogs drop=after', 'POST /worklogs 503'],
    check: (outcome) => [
      ...outcome.only({ '/worklogs': { created: 1 } }),
      ...unlike(outcome.difference('/worklogs').created[0], {
        user_id: ME,
        minutes: 45,
        work_item_id: ABC_9,
        date: outcome.day(0),
        description: 'Stand-up',
      }),
    ],
  },
  {
    name: 'stop-timer',
    prompt: 'I stop working now. End the timer that runs for me, so that its time is logged.',
    check: (outcome) => {
      const [entry] = outcome.difference('/worklogs').created;
      const minutes = Number(entry?.['minutes']);
      return [
        ...outcome.only({ '/worklogs': { created: 1 }, '/timers': { deleted: 1 } }),
        ...unlike(entry, { user_id: ME, work_item_id: ABC_12 }),
        ...(minutes >= 55 && minutes <= 180 ? [] : [`It has ${minutes} minutes.`]),
      ];
    },
  },
  {
    name: 'book-leave',
    prompt: 'I will be on vacation from 1 to 5 February 2027, whole days. Put that in, with the type vacation.',
    check: (outcome) => [
      ...outcome.only({ '/absences': { created: 1 } }),
      ...unlike(outcome.difference('/absences').created[0], {
        user_id: ME,
        type: 'vacation',
        start: /^2027-0(?:1-31T23:00:00Z|2-01)/,
        end: /^2027-02-05/,
      }),
    ],
  },
  {
    name: 'hours-of-a-project',
    prompt:
      'How many hours did everybody together log on the project Web shop in March 2026? Write only the number into answer.txt, with two decimals: 12.50.',
    check: (outcome) => {
      const inMarch = outcome
        .rows('/worklogs')
        .filter((row) => row['project_id'] === WEB_SHOP && String(row['date']).startsWith('2026-03-'));
      const minutes = inMarch.reduce((sum, row) => sum + Number(row['minutes']), 0);
      return [...outcome.only({}), ...answers(outcome, (minutes / 60).toFixed(2))];
    },
  },
  {
    name: 'who-is-away',
    prompt: 'Who is away on 23 December 2026? Write their e-mail addresses into answer.txt, one a line, in the order of the alphabet.',
    watch: ['/users'],
    check: (outcome) => {
      const away = outcome
        .rows('/absences')
        .filter(
          ({ start, end }) =>
            Date.parse(String(start)) < Date.parse('2026-12-23T23:00:00Z') &&
            (end === null || Date.parse(String(end)) >= Date.parse('2026-12-22T23:00:00Z')),
        )
        .map((row) => row['user_id']);
      const addresses = outcome
        .rows('/users')
        .filter(({ id }) => away.includes(id))
        .map(({ email }) => String(email));
      return [...outcome.only({}), ...answers(outcome, addresses.sort().join('\n'))];
    },
  },
];
