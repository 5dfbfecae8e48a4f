import { answers, type Task, unlike } from './task.ts';

const ME = 1;
const ABC_9 = 9;
const ABC_12 = 12;

/** Two customers for tasks about ambiguous names. The sandbox also has the customer Bakkerij Jansen & Zonen. */
const TWO_BAKKERS: Task['setup'] = [
  ['customers', 'create', '--name', 'Bakker Bouw'],
  ['customers', 'create', '--name', 'Bakker Advies'],
];

/** Tasks that need judgement: ambiguous names, mistakes to undo, plans to approve, leave over a year’s end, budgets, others’ changes. */
export const JUDGEMENT: readonly Task[] = [
  {
    name: 'one-of-two-names',
    prompt: 'Create a project "Roof" for the customer Bakker, the one that builds (Bouw).',
    setup: TWO_BAKKERS,
    check: (outcome) => {
      const bouw = outcome.rows('/customers').find(({ name }) => name === 'Bakker Bouw');
      return [
        ...outcome.only({ '/projects': { created: 1 } }),
        ...unlike(outcome.difference('/projects').created[0], { name: 'Roof', customer_id: bouw?.id }),
      ];
    },
  },
  {
    name: 'names-that-all-fit',
    prompt:
      'Create a project "Garden" for the customer Bakker. If several customers have a word that starts with Bakker, create nothing, and write their names into answer.txt, one a line, in the order of the alphabet.',
    setup: TWO_BAKKERS,
    check: (outcome) => [...outcome.only({}), ...answers(outcome, 'Bakker Advies\nBakker Bouw\nBakkerij Jansen & Zonen')],
  },
  {
    name: 'part-of-a-name',
    prompt: 'Assign ABC-9 to Łukasz.',
    check: (outcome) => [
      ...outcome.only({ '/work-items': { changed: 1 } }),
      ...unlike(outcome.now('/work-items', ABC_9), { assignee_id: 8 }),
    ],
  },
  {
    name: 'undo-a-change',
    prompt: 'Somebody wrote the wrong minutes with svc from here just now. Undo that change; the entry itself stays.',
    setup: [
      ['worklogs', 'add', '30', 'ABC-9', 'Call'],
      ['worklogs', 'update', 'last', '--minutes', '300'],
    ],
    check: (outcome) => [
      ...outcome.only({ '/worklogs': { changed: 1 } }),
      ...unlike(outcome.difference('/worklogs').changed[0], { description: 'Call', minutes: 30 }),
    ],
  },
  {
    name: 'undo-a-create',
    prompt: 'The label that was created with svc from here last is a mistake. Undo it.',
    setup: [['labels', 'create', '--name', 'mistake']],
    check: (outcome) => [
      ...outcome.only({ '/labels': { deleted: 1 } }),
      ...unlike(outcome.difference('/labels').deleted[0], { name: 'mistake' }),
    ],
  },
  {
    name: 'undo-an-earlier-write',
    prompt:
      'The change of the due date of ABC-12, made with svc from here, was wrong. Undo it, and keep the label that was created after it.',
    setup: [
      ['work-items', 'update', 'ABC-12', '--due-date', '2027-06-01'],
      ['labels', 'create', '--name', 'kept'],
    ],
    check: (outcome) => [
      ...outcome.only({ '/work-items': { changed: 1 } }),
      ...unlike(outcome.now('/work-items', ABC_12), { due_date: null }),
    ],
  },
  {
    name: 'undo-a-transition',
    prompt: 'ABC-9 went back to In progress with svc from here, by mistake. Undo that.',
    setup: [['work-items', 'transition', 'ABC-9', '--to', 'In progress']],
    check: (outcome) => [
      ...outcome.only({ '/work-items': { changed: 1 } }),
      ...unlike(outcome.now('/work-items', ABC_9), { workflow_status_id: 3 }),
    ],
  },
  {
    name: 'prepare-a-plan',
    prompt:
      'Prepare a plan in due.plan that sets the due date of ABC-9 and ABC-12 to 1 March 2027. Send nothing. Write the number of writes in the plan into answer.txt.',
    check: (outcome) => [...outcome.only({}), ...answers(outcome, '2')],
  },
  {
    name: 'apply-a-plan',
    prompt: 'I have read estimate.plan and approve it as it is. Send it.',
    setup: [['work-items', 'update', 'ABC-9', '--estimation', '5h', '--plan', 'estimate.plan']],
    check: (outcome) => [
      ...outcome.only({ '/work-items': { changed: 1 } }),
      ...unlike(outcome.now('/work-items', ABC_9), { estimation: 300 }),
    ],
  },
  {
    name: 'a-plan-that-is-out-of-date',
    prompt:
      'I approve title.plan. Send it if it still applies. If somebody changed a record since, send nothing, and write the key of that work item into answer.txt.',
    setup: [
      ['work-items', 'update', 'ABC-9', '--title', 'Planned title', '--plan', 'title.plan'],
      ['work-items', 'update', 'ABC-9', '--title', 'Title of somebody else'],
    ],
    check: (outcome) => [...outcome.only({}), ...answers(outcome, 'ABC-9')],
  },
  {
    name: 'leave-over-new-year',
    prompt: 'I am on leave from 29 December 2027 to 4 January 2028, whole days. Put it in.',
    check: (outcome) => [
      ...outcome.only({ '/absences': { created: 1 } }),
      ...unlike(outcome.difference('/absences').created[0], { user_id: ME, start: /^2027-12-28T23:00:00Z/, end: /^2028-01-04/ }),
    ],
  },
  {
    name: 'half-a-day',
    prompt: 'I am away in the morning of Monday 1 March 2027. Put in half a day of leave.',
    check: (outcome) => [
      ...outcome.only({ '/absences': { created: 1 } }),
      ...unlike(outcome.difference('/absences').created[0], { user_id: ME, start: /^2027-0(?:2-28|3-01)/, end: /^2027-03-01T1[012]/ }),
    ],
  },
  {
    name: 'minutes-on-budgets',
    prompt: 'How many minutes of March 2026 are on budgets that are called Care, all projects together? Write the number into answer.txt.',
    watch: ['/budgets'],
    check: (outcome) => {
      const care = outcome.rows('/budgets').flatMap(({ id, name }) => (name === 'Care' ? [id] : []));
      const minutes = outcome
        .rows('/worklogs')
        .filter((row) => care.includes(Number(row['budget_id'])) && String(row['date']).startsWith('2026-03-'))
        .reduce((sum, row) => sum + Number(row['minutes']), 0);
      return [...outcome.only({}), ...answers(outcome, String(minutes))];
    },
  },
  {
    name: 'changed-in-between',
    prompt:
      'Set the title of ABC-9 to "Mine", but only if its ETag is still "an-old-one", which I saw this morning. If it is not, change nothing, and write "changed" into answer.txt.',
    check: (outcome) => [...outcome.only({}), ...answers(outcome, 'changed')],
  },
  {
    name: 'change-what-you-saw',
    prompt: 'Read ABC-12, and set its estimation to 2 hours in a way that fails if somebody changes it after you read it.',
    check: (outcome) => [
      ...outcome.only({ '/work-items': { changed: 1 } }),
      ...unlike(outcome.now('/work-items', ABC_12), { estimation: 120 }),
    ],
  },
  {
    name: 'past-midnight',
    prompt: 'Last night I worked on ABC-9 from half past ten until half past midnight, "Release". Log it on the day that the skill says.',
    check: (outcome) => [
      ...outcome.only({ '/worklogs': { created: 1 } }),
      ...unlike(outcome.difference('/worklogs').created[0], {
        date: outcome.day(-1),
        minutes: 120,
        work_item_id: ABC_9,
        description: 'Release',
      }),
    ],
  },
  {
    name: 'move-hours',
    prompt: 'The hours "Sketches" that I logged today belong to ABC-12, not to ABC-9. Correct the entry.',
    setup: [['worklogs', 'add', '50', 'ABC-9', 'Sketches']],
    check: (outcome) => [
      ...outcome.only({ '/worklogs': { changed: 1 } }),
      ...unlike(outcome.difference('/worklogs').changed[0], { description: 'Sketches', work_item_id: ABC_12, minutes: 50 }),
    ],
  },
  {
    name: 'a-transition-that-is-not-allowed',
    prompt: 'Find out, without changing anything, whether ABC-9 can go to "To do" now. Write yes or no into answer.txt.',
    check: (outcome) => [...outcome.only({}), ...answers(outcome, 'no')],
  },
  {
    name: 'overtime',
    prompt: 'I worked an hour of overtime on ABC-12 today, "Deploy". Log it as overtime.',
    check: (outcome) => [
      ...outcome.only({ '/worklogs': { created: 1 } }),
      ...unlike(outcome.difference('/worklogs').created[0], { date: outcome.day(0), minutes: 60, is_overtime: true, work_item_id: ABC_12 }),
    ],
  },
  {
    name: 'delete-a-label',
    prompt: 'Delete the label "quick win".',
    check: (outcome) => [
      ...outcome.only({ '/labels': { deleted: 1 } }),
      ...unlike(outcome.difference('/labels').deleted[0], { name: 'quick win' }),
    ],
  },
];
