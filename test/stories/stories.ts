import type { Reply } from './shell.ts';

/** A person’s goal, command by command. Nobody types an id, because people know names, keys, e-mail addresses and `last`. */
export interface Story {
  /** The name of the files with its screens. */
  readonly name: string;
  /** The goal of the person. */
  readonly title: string;
  readonly steps: readonly Step[];
  /** The files in the home directory, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** True if nobody is signed in at the start, because signing in is part of the story. */
  readonly signedOut?: boolean;
  /** The additional environment variables: an editor, a pager. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The hosts of organisations in stories. Only stories about signing in have a second one. */
export const ORGANISATIONS: readonly string[] = ['acme.example.nl', 'nord.example.nl'];

/** A command line, with the replies while it runs. */
export type Step = string | { readonly type: string; readonly replies: readonly Reply[] };

/** The end of a yes-or-no question. */
const ASKED = '(y/N)';

/** The reply that confirms a delete. */
export const YES: Reply = { at: ASKED, type: 'y', press: ['Enter'] };

export const STORIES: readonly Story[] = [
  {
    name: 'log-an-hour',
    title: 'Log an hour, correct the entry, and repeat the entry',
    steps: [
      'svc',
      'svc worklogs add 1h ABC-12 "Reviewed the import"',
      'svc worklogs update last --minutes 1h30',
      'svc worklogs get last',
      'svc worklogs add --like last --date yesterday',
      'svc worklogs add 1h --like last --repeat thu-fri',
      { type: 'svc undo', replies: [YES] },
      'svc worklogs list --mine --from monday',
      { type: 'svc worklogs add 25h ABC-12', replies: [{ at: ASKED, press: ['Enter'] }] },
    ],
  },
  {
    name: 'be-asked',
    title: 'Log an hour, and be asked for the rest',
    steps: [
      {
        type: 'svc worklogs add',
        replies: [
          { at: 'work item', type: 'mail' },
          { at: '❯ OPS-5 · Mail bounces', press: ['Enter'] },
          { at: 'How long', type: '1h30', press: ['Enter'] },
          { at: 'leaves it out', type: 'Call with the customer', press: ['Enter'] },
        ],
      },
      { type: 'svc work-items transition ABC-12', replies: [{ at: 'Which status do you want?', press: ['Enter'] }] },
      { type: 'svc labels create', replies: [{ at: 'Name', press: ['Escape'] }] },
    ],
  },
  {
    name: 'see-the-week',
    title: 'See the week, and fill what is missing',
    steps: [
      'svc week',
      'svc worklogs add 2h45 "project:Web shop" "Checkout" --date monday',
      'svc worklogs add --minutes 45m --project "Web shop" --description "Stand-up"',
      'svc week',
      'svc status',
      'svc report --by project --from 2026-03-01',
    ],
  },
  {
    name: 'check-the-week',
    title: 'Check the week, and fix the entries',
    steps: [
      'svc worklogs add 20m "Phone call" --date monday',
      'svc worklogs add 1h ABC-12 "Review" --date 2026-03-23',
      'svc check this week',
      {
        type: 'svc check this week --fix',
        replies: [
          { at: /1 of 7[\s\S]*⏎ select/, press: ['Enter'] },
          { at: /work item[\s\S]*⏎ select/, type: 'mail' },
          { at: /: mail[\s\S]*❯ OPS-5[\s\S]*⏎ select/, press: ['Enter'] },
          { at: '1:30):', type: '2h25', press: ['Enter'] },
          { at: 'leaves it out):', type: 'Mail', press: ['Enter'] },
          YES,
          { at: /2 of 7[\s\S]*⏎ select/, press: ['Down', 'Enter'] },
          { at: /3 of 7[\s\S]*⏎ select/, press: ['Down', 'Enter'] },
          { at: /4 of 7[\s\S]*⏎ select/, press: ['Enter'] },
          { at: /Which project[\s\S]*⏎ select/, type: 'Inter' },
          { at: /Inter[\s\S]*❯ OPS · Internal[\s\S]*⏎ select/, press: ['Enter'] },
          YES,
          { at: /5 of 7[\s\S]*⏎ select/, press: ['Enter'] },
          { at: 'monday):', type: 'today', press: ['Enter'] },
          YES,
        ],
      },
      'svc check this week --users me --fields kind,date,message',
    ],
  },
  {
    name: 'who-is-away',
    title: 'Who is away next week',
    steps: [
      'svc absences who next week',
      'svc absences list --from 2026-03-23 --to 2026-03-27',
      'svc absences list --from 2026-03-23 --to 2026-03-27 --user "Anaïs N’Diaye"',
      {
        type: 'svc absences list --from 2026-03-23 --to 2026-03-27 --user Anais',
        replies: [{ at: 'Use Anaïs', press: ['Enter'] }],
      },
    ],
  },
  {
    name: 'ask-for-a-holiday',
    title: 'Ask for a holiday',
    steps: [
      'svc absences add 2026-07-13..friday',
      'svc absences add 2026-04-24..2026-04-28',
      'svc absences add tomorrow --half pm',
      'svc absences get last',
      'svc absences update last --manager "Olumide Adeyemi"',
      'svc absences list --user me --from 2026-07-01 --to 2026-07-31',
    ],
  },
  {
    name: 'create-a-project',
    title: 'Create a project, and move a work item through its workflow',
    steps: [
      'svc projects create --name "Winter campaign" --customer Nord',
      'svc projects create --name "Winter campaign" --customer "Ñandú Logística"',
      'svc projects update "Winter campaign" --workflow Development --key-prefix WIN',
      'svc work-items create --project "Winter campaign" --title "Choose the pictures"',
      'svc work-items transition last --to Nowhere',
      'svc work-items transition last --to "In progress"',
      'svc work-items list --project "Winter campaign"',
      'svc projects get "Winter campaign"',
      'svc work-items transition ABC-12 --to "To do"',
      'svc work-items transition ABC-12 --to Done',
      { type: 'svc undo', replies: [YES] },
    ],
  },
  {
    name: 'pick-one',
    title: 'Choose between two projects with one name',
    steps: [
      'svc projects create --name "Web shop" --customer "Ñandú Logística"',
      { type: 'svc projects get "Web shop"', replies: [{ at: '(#9)', press: ['C-c'] }] },
      {
        type: 'svc worklogs add --minutes 1h --project "Web shop" --description "Plans"',
        replies: [
          { at: '(#9)', press: ['Down'] },
          { at: '❯ Web shop (#9)', press: ['Enter'] },
        ],
      },
    ],
  },
  {
    name: 'find-an-invoice',
    title: 'Find an invoice by its customer',
    steps: [
      'svc customers list --search Jansen',
      'svc sales-invoices list --customer "Bakkerij Jansen & Zonen" --from 2026-01-01',
      {
        type: 'svc sales-invoices list --customer Jansen --status paid --from 2026-01-01',
        replies: [{ at: 'Use Bakkerij', press: ['Enter'] }],
      },
      'svc sales-invoices list --customer "Jansen & Co"',
      'svc sales-invoices get 2025-0016',
    ],
  },
  {
    name: 'comment',
    title: 'Look at a work item, and comment on it',
    steps: [
      'svc work-items get ABC-12',
      'svc work-items comments create ABC-12 --body "Works **for me**, see <https://example.com>"',
      'svc work-items get ABC-12 --comments',
    ],
  },
  {
    name: 'import-a-file',
    title: 'Import hours from a file',
    files: {
      'hours.csv': `date,duration,work_item,description
2026-03-16,1h30,ABC-12,Planning
2026-03-17,2h,ABC-12,"Review, with Zoë"
2026-03-17,2x,ABC-99,Typing error
`,
    },
    steps: [
      'cat hours.csv',
      'svc worklogs import hours.csv',
      'sed -i -e s/2x/2h/ -e s/ABC-99/ABC-11/ hours.csv',
      'svc worklogs import hours.csv --dry-run',
      'svc worklogs import hours.csv',
      'svc worklogs import hours.csv',
      { type: 'svc undo', replies: [YES] },
    ],
  },
  {
    name: 'two-organisations',
    title: 'Two organisations',
    signedOut: true,
    steps: [
      'svc me',
      'svc login acme.example.nl',
      'svc login nord.example.nl --read-only',
      'svc auth status',
      'svc worklogs list --mine --from monday --host nord.example.nl',
      'svc worklogs add 30m "Call" --host nord.example.nl',
      'svc login nord.example.nl',
      'svc worklogs add 30m "Call" --host nord.example.nl',
      'svc history',
      'svc history --host nord.example.nl',
      'svc auth switch nord.example.nl',
      'svc logout acme.example.nl',
    ],
  },
  {
    name: 'delete-and-undo',
    title: 'Delete an entry, and undo a write',
    steps: [
      'svc worklogs add 45m ABC-12 "By mistake"',
      { type: 'svc undo', replies: [YES] },
      'svc worklogs add 45m ABC-12 "By mistake, again"',
      { type: 'svc worklogs delete last', replies: [{ at: ASKED, press: ['Enter'] }] },
      { type: 'svc worklogs delete last', replies: [{ at: ASKED, press: ['C-c'] }] },
      { type: 'svc worklogs delete last', replies: [YES] },
      'svc undo',
      'svc history',
    ],
  },
  {
    name: 'explain-figures',
    title: 'Ask why hours are missing, and why a budget ends',
    steps: [
      'svc week --why monday',
      'svc worklogs add 1h ABC-12 "Review" --date monday',
      'svc week --why monday',
      'svc report --by project --from monday --why "Web shop"',
      'svc budgets burn --forecast --project "Web shop"',
      'svc users capacity next week --user me',
    ],
  },
  {
    name: 'reconstruct-a-day',
    title: 'Fill yesterday from the blocks of another program',
    files: {
      'blocks.ndjson': [
        '{"start":"2026-03-17T09:00:00+01:00","end":"2026-03-17T10:30:00+01:00","text":"Reviewed the import","where":"ABC-12"}',
        '{"start":"2026-03-17T10:00:00+01:00","end":"2026-03-17T11:00:00+01:00","text":"Read the logs","where":"OPS-5"}',
        '',
      ].join('\n'),
    },
    steps: [
      { type: 'svc worklogs suggest --blocks blocks.ndjson yesterday', replies: [YES] },
      'svc worklogs suggest --blocks blocks.ndjson yesterday',
    ],
  },
  {
    name: 'find-and-correct',
    title: 'Find records by their words, and correct one by a condition',
    steps: [
      'svc sync worklogs projects users work-items --quiet --fields table,rows',
      'svc search "dark theme" --resource work-items --quiet',
      {
        type: 'svc worklogs update --where "project = \'Web shop\' AND date = \'2026-03-17\'" --description "Checkout"',
        replies: [YES],
      },
      { type: 'svc undo', replies: [YES] },
    ],
  },
  {
    name: 'close-a-month',
    title: 'Close a month with findings',
    steps: ['svc close last', 'svc close last --fields accept,message'],
  },
];
