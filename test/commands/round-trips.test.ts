import { createHash } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countRounds, type Rounds } from '../support/rounds.ts';
import type { Result, RunOptions } from '../support/svc.ts';
import { type PinnedSandbox, signInAt } from '../time/support.ts';

/**
 * Number of round trips that each command waits for in a row, which decides the time over a distance. Independent requests go out
 * together, at most eight at once. Writes of one kind go out together after the first has worked. A number may grow only with a
 * reason.
 */
interface Case {
  /** The typed line. `<id>` and `<ids>` are a new worklog and ten of them. `<file>` is a file with the content of {@link file}. */
  readonly type: string;
  readonly rounds: number;
  /** Which request waits for which. */
  readonly why: string;
  readonly file?: string;
  readonly stdin?: string;
  /** Uses a token in SVC_TOKEN whose user svc does not know yet. */
  readonly token?: true;
  /** Runs on a machine without a sign-in. */
  readonly elsewhere?: true;
  /** Lines that run before and are not counted. */
  readonly before?: readonly string[];
  /** Default 0. */
  readonly exit?: number;
  /** Answers of a person at a terminal. */
  readonly answers?: RunOptions['answers'];
  /** Changes the text in the editor. */
  readonly edit?: (text: string) => string;
}

const WORKFLOW = 'name: Rounds\nstatuses: [A, B]\ntransitions:\n  - A -> B\n  - B -> A\n';
const HOURS = 'date,minutes\n2034-01-01,15\n2034-01-01,20\n2034-01-01,25\n2034-01-01,30\n2034-01-01,35\n2034-01-01,40\n';

// The same code makes the commands of every resource, so some commands stand for all.
const RESOURCE_NAMES: readonly Case[] = [
  { type: 'projects list', rounds: 1, why: 'a page' },
  { type: 'labels list --limit 3 --with-total', rounds: 1, why: 'a page' },
  { type: 'work-items list --status Done', rounds: 2, why: 'the ids of a name, then the list' },
  { type: 'absences list --user me --year 2026', rounds: 1, why: 'a page' },
  { type: 'absences list --user me --year 2026', rounds: 2, why: 'the unknown user of SVC_TOKEN, then the list', token: true },
  { type: 'projects get 1', rounds: 1, why: 'the record' },
  { type: 'projects get 1 2 3 4 5 6 7 8', rounds: 1, why: 'the records' },
  { type: 'projects get 1 2 3 4 5 6 7 8 --parallel 2', rounds: 4, why: 'the records, two at a time' },
  { type: 'projects get 99999', rounds: 1, why: 'the missing record', exit: 3 },
  { type: 'absences create --start 2026-07-01 --end 2026-07-02', rounds: 1, why: 'the write' },
  { type: 'work-item-links create --work-item ABC-1 --to ABC-2 --type blocks', rounds: 2, why: 'the ids of both keys, then the write' },
  { type: 'worklogs create --minutes 30 --work-item ABC-12', rounds: 2, why: 'the id of a key, then the write' },
  { type: 'worklogs update <id> --minutes 45', rounds: 1, why: 'the write' },
  { type: 'worklogs update - --minutes 45', rounds: 3, why: 'the first write, then eight, then the tenth', stdin: '<ids>' },
  {
    type: 'worklogs edit <id>',
    rounds: 2,
    why: 'the current record, then the write',
    answers: [],
    edit: (text) => text.replace('minutes: 15', 'minutes: 20'),
  },
  { type: 'worklogs delete <id> --yes', rounds: 1, why: 'the write' },
  { type: 'worklogs delete <ids> --yes', rounds: 3, why: 'the first write, then eight, then the tenth' },
  {
    type: 'worklogs delete <ids> --if-unchanged',
    rounds: 5,
    why: 'ten records in two rounds, then ten writes in three',
    answers: [true],
  },
  { type: 'worklogs delete - --yes', rounds: 3, why: 'the first write, then eight, then the tenth', stdin: '<ids>' },
  { type: 'worklogs import <file>', rounds: 2, why: 'the first write, then the others', file: HOURS },
  {
    type: 'labels import <file>',
    rounds: 3,
    why: 'three writes in the order of the rows',
    file: 'name\na\nb\nc\n',
  },
];

const TIME: readonly Case[] = [
  { type: 'week', rounds: 1, why: 'the user, hours, absences and free days' },
  { type: 'week --user 3', rounds: 1, why: 'the records of another user' },
  { type: 'week', rounds: 2, why: 'the unknown user of SVC_TOKEN, then the records', token: true },
  { type: 'week --team', rounds: 2, why: 'the users and hours, then leave and the owners of the hours' },
  { type: 'week --team --manager 2', rounds: 3, why: 'the users, then hours and leave, then the owners of the hours' },
  { type: 'week --balance', rounds: 1, why: 'the user, hours, absences and free days' },
  { type: 'report', rounds: 1, why: 'a page' },
  { type: 'report --by customer', rounds: 1, why: 'a page, the projects and the customers' },
  { type: 'report last month --for 1', rounds: 2, why: 'the customer with its projects, then a page' },
  { type: 'billing unbilled 2026-05-04..2026-05-08', rounds: 1, why: 'projects, customers, budgets and a page' },
  { type: 'billing draft 2026-05-04 --customer 1', rounds: 2, why: 'the customer and the rates, then the hours' },
  { type: 'report --user me --html <file>', rounds: 1, why: 'a page' },
  { type: 'report --from 2026-06-01 --to 2026-06-02', rounds: 1, why: 'a page of whole days', token: true },
  { type: 'worklogs add --minutes 90', rounds: 1, why: 'the write alone' },
  { type: 'worklogs add 1h30 ABC-12 Review', rounds: 2, why: 'the work item and the day, then the write' },
  { type: 'worklogs add 15m Stand-up --repeat mon-fri', rounds: 3, why: 'the days, then the first write, then the others' },
  { type: 'worklogs add --like last', rounds: 2, why: 'the other entry and the day, then the write' },
  {
    type: 'worklogs import <file>',
    rounds: 3,
    why: 'the projects, then the first write, then the other',
    file: 'date,minutes,project\n2034-02-01,15,Web shop\n2034-02-01,20,Internal\n',
  },
  {
    type: 'worklogs import <file>',
    rounds: 4,
    why: 'the user, then projects and work items, then one write, then another',
    file: 'User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags,Amount (EUR)\nSanne de Vries,,,Web shop,,WEB-1 and more,No,2034-03-01,09:00:00,2034-03-01,10:00:00,01:00:00,,\nSanne de Vries,,,Web shop,,WEB-2,No,2034-03-01,10:00:00,2034-03-01,11:00:00,01:00:00,,\n',
  },
  {
    type: 'worklogs import <file>',
    rounds: 3,
    why: 'the ids of all keys, then the first write, then the others',
    file: 'date,minutes,work_item\n2034-04-01,15,ABC-1\n2034-04-01,20,ABC-2\n2034-04-01,25,ABC-3\n',
  },
  {
    type: 'worklogs edit 2033-06-01',
    before: ['worklogs add --minutes 15 --date 2033-06-01', 'worklogs add --minutes 20 --date 2033-06-01'],
    rounds: 4,
    why: 'the day, then entries and keys, then the first write, then the others',
    answers: [true],
    edit: (text) => `${text.replaceAll(/\]\s+\w+/g, '] 50m')}\n45m ABC-3 New\n`,
  },
  { type: 'worklogs copy --week 2032-W10 --to 2032-W11', rounds: 1, why: 'both weeks' },
  { type: 'absences add 2027-07-01..2027-07-02', rounds: 2, why: 'the user, leave and days off, then the write' },
  { type: 'absences add 2027-07-05 --half am --user 3', rounds: 2, why: 'the records of another user' },
  { type: 'absences who next week', rounds: 1, why: 'the absences that end and those without an end' },
  { type: 'timers status', rounds: 1, why: 'the running timers' },
  { type: 'timers stop', rounds: 3, why: 'discovery and the timer, then the hours, then the end of the timer' },
  { type: 'timers start ABC-12', rounds: 2, why: 'the work item, discovery and the timers, then the write' },
  { type: 'timers switch ABC-7', rounds: 3, why: 'the same reads, then the end of a timer, then the write' },
  { type: 'timers cancel --yes', rounds: 2, why: 'the timer, then its end' },
];

const ACTIONS: readonly Case[] = [
  { type: 'work-items transition ABC-12 --to Done', rounds: 2, why: 'the work item and the statuses, then the write' },
  { type: 'work-items move ABC-12 --after ABC-7', rounds: 1, why: 'the write, with keys' },
  { type: 'sprints complete 7', rounds: 1, why: 'the write' },
  {
    type: 'workflows apply <file>',
    rounds: 5,
    why: 'the workflows, then the new one, then each status, then the transitions',
    file: WORKFLOW,
  },
  {
    type: 'workflows apply <file>',
    rounds: 2,
    why: 'the workflows, then the statuses and transitions of the existing one',
    file: WORKFLOW,
  },
];

const OTHERS: readonly Case[] = [
  { type: 'me', rounds: 1, why: 'the record' },
  { type: 'resources', rounds: 1, why: 'discovery' },
  { type: 'resources absences', rounds: 1, why: 'discovery' },
  { type: 'limits', rounds: 1, why: 'an answer' },
  { type: 'api /labels', rounds: 1, why: 'the request' },
  { type: 'open project 1 --print', rounds: 1, why: 'the record' },
  { type: 'auth status --check', rounds: 1, why: 'an answer' },
  { type: 'auth refresh', rounds: 1, why: 'the renewal' },
  { type: 'doctor', rounds: 1, why: 'discovery of the sign-in', exit: 1 },
  { type: 'token set', rounds: 1, why: 'the check of the token', stdin: '<token>' },
  { type: 'undo', rounds: 1, why: 'the write', before: ['worklogs add --minutes 30'] },
  { type: 'undo --yes', rounds: 2, why: 'the first write, then the others', before: ['worklogs add 15m Stand-up --repeat mon-fri'] },
  {
    type: 'undo --yes',
    rounds: 4,
    why: 'the first transition, then the others, then the statuses, then the workflow',
    before: ['workflows apply <file>'],
    file: WORKFLOW.replace('Rounds', 'Undone'),
  },
  {
    type: 'outbox send',
    rounds: 3,
    why: 'the days, then the waiting entries, oldest first',
    before: ['worklogs add --minutes 30 --later', 'worklogs add --minutes 35 --later'],
  },
  {
    type: 'apply <file> --yes=<digest>',
    rounds: 6,
    why: 'ten records in two rounds, then ten writes in three, then another write',
    before: ['worklogs update - --minutes 20 --plan <file>', 'worklogs add --minutes 30 --plan <file>'],
    stdin: '<ids>',
  },
  { type: 'login <host>', rounds: 4, why: 'discovery, then registration, then the tokens, then the user', elsewhere: true },
  { type: 'export <dir> labels --no-children', rounds: 3, why: 'discovery, then the counts, then the rows' },
];

let here: PinnedSandbox;
let personal: string;
beforeAll(async () => {
  here = await signInAt('2026-06-05T10:00:00Z', { personalToken: true });
  personal = here.sandbox.tokens[0]?.value ?? '';
});
afterAll(() => here.remove());

/** Runs a line without cached answers. */
async function run(argv: readonly string[], options: RunOptions = {}): Promise<Result & { readonly sent: Rounds['sent'] }> {
  const rounds = countRounds();
  const cache = await mkdtemp(join(here.home, 'cache-'));
  const result = await here.svc(argv, { ...options, env: { XDG_CACHE_HOME: cache, ...options.env }, around: rounds.through });
  return { ...result, sent: rounds.sent };
}

let day = 0;
async function newIds(count: number): Promise<string[]> {
  day += 1;
  const stdin = `date,minutes,description\n${`2033-01-01,15,Number ${day}\n`.repeat(count)}`;
  const { stdout, code, stderr } = await here.svc(['worklogs', 'import', '-', '--output', 'ids'], { stdin });
  expect(code, stderr).toBe(0);
  return stdout.trim().split('\n');
}

it.each([...RESOURCE_NAMES, ...TIME, ...ACTIONS, ...OTHERS])('svc $type takes $rounds round trip(s) for $why', async (given) => {
  const { type, before = [], edit } = given;
  const all = [type, ...before, given.stdin].join(' ');
  const ids = all.includes('<ids>') ? await newIds(10) : all.includes('<id>') ? await newIds(1) : [];
  const directory = await mkdtemp(join(here.home, 'given-'));
  const file = join(directory, 'file');
  if (given.file !== undefined) await writeFile(file, given.file);
  const stdin = given.stdin?.replace('<ids>', ids.join('\n')).replace('<token>', personal) ?? '';
  const wordsOf = (line: string) =>
    line
      .split(' ')
      .flatMap((word) =>
        /^<ids?>$/.test(word) ? ids : word.replace('<file>', file).replace('<dir>', directory).replace('<host>', here.host),
      );
  for (const line of before) expect(await here.svc(wordsOf(line), { stdin })).toMatchObject({ code: 0 });
  const digest = type.includes('<digest>')
    ? createHash('sha256')
        .update(await readFile(file))
        .digest('hex')
    : '';
  const result = await run(
    wordsOf(type).map((word) => word.replace('<digest>', digest)),
    {
      stdin,
      ...(given.answers && { answers: given.answers }),
      env: {
        ...(given.token && { SVC_HOST: here.host, SVC_TOKEN: personal }),
        ...(given.elsewhere && { SVC_CONFIG_DIR: directory }),
        ...(edit && { EDITOR: 'an-editor' }),
      },
      async program(_, [path = '']) {
        await writeFile(path, edit?.(await readFile(path, 'utf8')) ?? '');
        return 0;
      },
    },
  );
  const seen = `${result.stderr}\n${JSON.stringify(result.sent, null, 1)}`;
  expect(result.sent, seen).toHaveLength(given.rounds);
  expect(result.code, seen).toBe(given.exit ?? 0);
});
