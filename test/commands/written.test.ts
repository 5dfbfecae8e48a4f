import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

// A write prints one line at a terminal. A program gets the record.

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ personalToken: true, limits: 'off' });
});
afterAll(() => here.remove());
const env = { NO_COLOR: '1' };
const atTerminal = { terminal: 100, env };
/** A terminal with a person who can answer. There svc reads a record before it changes the record. */
const asked = { ...atTerminal, answers: [] };

describe('svc at a terminal', () => {
  test.each([
    [
      ['worklogs', 'add', '--minutes', '90', '--project', 'Web shop', '--description', 'Review', '--date', '2026-03-02'],
      'Logged 1h30 on Web shop, "Review" · 2026-03-02: 1h45 · #',
    ],
    [['worklogs', 'add', '30m', 'ABC-12', '--date', '2026-03-03'], 'Logged 30m on ABC-12 Show the deleted rows · 2026-03-03: 2h of 8h · #'],
    [['worklogs', 'update', 'last', '--minutes', '2h'], 'Updated the worklog: minutes 30m → 2h · #'],
    [['labels', 'create', '--name', 'in doubt'], 'Created the label in doubt · #'],
    [['labels', 'update', 'in doubt', '--color', 'dark red'], 'Updated the label in doubt: color none → "dark red" · #'],
    [['work-items', 'transition', 'ABC-12', '--to', 'In review'], 'ABC-12 Show the deleted rows is now In review (was In progress)\n'],
  ])('prints for %j "%s", with the commands to undo and change the record', async (argv, line) => {
    const { code, stdout, stderr } = await here.svc(argv, asked);
    expect([code, stdout.split('\n').length, stdout.slice(0, line.length)]).toEqual([0, 2, line]);
    const next =
      argv[0] === 'work-items'
        ? 'To set another status: svc work-items transition ABC-12'
        : `To change it: svc ${argv[0]} edit ${/#(\d+)\n/.exec(stdout)?.[1]}`;
    expect(stderr).toContain(`To undo it: svc undo. ${next}\n`);
  });

  test.each([
    [['worklogs', 'add', '20m', 'ABC-12', '--date', '2026-03-05'], 'svc undo'],
    [['work-items', 'transition', 'ABC-12', '--to', 'In progress'], 'svc undo'],
  ])('prints after %j the command %s, which undoes the write', async (argv, hint) => {
    const { stderr } = await here.svc(argv, asked);
    expect(stderr).toContain(`To undo it: ${hint}. `);
    expect(await here.svc(hint.split(' ').slice(1), { ...asked, answers: [true] })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Undone: /),
    });
  });

  test('prints that nothing changed after a write of the same values, and offers no undo', async () => {
    const argv = ['labels', 'update', 'in doubt', '--color', 'dark red'];
    const { code, stdout, stderr } = await here.svc(argv, asked);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Nothing changed: the label in doubt has these values already · #\d+\n$/)]);
    expect(stderr).not.toContain('undo');
    const moved = await here.svc(['work-items', 'transition', 'ABC-12', '--to', 'In review'], asked);
    expect([moved.stdout.startsWith('Nothing changed: '), moved.stderr.includes('undo')]).toEqual([true, false]);
  });

  test('warns before a transition that has no transition back, and asks nothing in svc undo', async () => {
    const lone = await signedIn({ personalToken: true, limits: 'off' });
    try {
      const statuses = JSON.parse((await lone.svc(['workflow-statuses', 'list'])).stdout) as {
        id: number;
        name: string;
        workflow_id: number;
      }[];
      const item = JSON.parse((await lone.svc(['work-items', 'get', 'ABC-12'])).stdout) as { workflow_status_id: number };
      const own = statuses.find(({ id }) => id === item.workflow_status_id);
      const review = statuses.find(({ name, workflow_id: of }) => name === 'In review' && of === own?.workflow_id);
      const back = await lone.svc(['workflow-transitions', 'list', '--filter', `from_status_id=${review?.id}`, '-o', 'ids']);
      expect((await lone.svc(['workflow-transitions', 'delete', ...back.stdout.trim().split('\n'), '--yes'])).code).toBe(0);
      lone.sandbox.requests.length = 0;
      let sentBefore: string[] = [];
      const { code, stderr } = await lone.svc(['work-items', 'transition', 'ABC-12', '--to', 'In review'], {
        ...asked,
        onStderr: (text) => {
          if (text.includes('svc cannot undo')) sentBefore = lone.sandbox.requests.map(({ method }) => method);
        },
      });
      expect([code, stderr]).toEqual([
        0,
        'svc cannot undo this action: the workflow has no transition back.\nTo set another status: svc work-items transition ABC-12\n',
      ]);
      expect([sentBefore.includes('GET'), sentBefore.includes('POST')]).toEqual([true, false]);
      const undone = await lone.svc(['undo'], asked);
      expect([undone.code, undone.stderr.replaceAll(/\d+/g, 'N').replaceAll(/\s+/g, ' ')]).toEqual([
        6,
        'svc: svc cannot undo entry N: the workflow has no transition back. To set another status: svc work-items transition ABC-N ',
      ]);

      // Several writes: the question names the transition that svc cannot undo.
      const filter = ['--filter', `workflow_status_id=${own?.id}`];
      const next = await lone.svc(['work-items', 'list', ...filter, '--limit', '1', '-o', 'ids']);
      const plan = join(lone.home, 'review.plan');
      const planned = await lone.svc(['work-items', 'transition', next.stdout.trim(), '--to', 'In review', '--plan', plan]);
      expect(planned.code, planned.stderr).toBe(0);
      await lone.svc(['labels', 'create', '--name', 'reviewed', '--plan', plan]);
      expect((await lone.svc(['apply', plan], { ...asked, answers: [true] })).code).toBe(0);
      const both = await lone.svc(['undo'], { ...asked, answers: [true] });
      expect(both.stderr).toMatch(/: will be deleted\n.*: svc cannot undo this write\n/);
      expect(both.stderr).toMatch(/\n {2}svc undid the other writes\.\n {2}- entry \d+: .*: the workflow has no transition back\.\n$/);
      expect(both.code).toBe(10);
    } finally {
      await lone.remove();
    }
  });

  test('names the missing token only for the first of two creates that svc cannot undo', async () => {
    const without = await signedIn({ limits: 'off' });
    try {
      const { stderr } = await without.svc(['labels', 'create', '--name', 'new'], asked);
      expect(stderr.replace(/\n(?!$)/g, ' ')).toMatch(
        /^Undoing it means a delete, which needs a personal access token: svc token set\. To change it: svc labels edit \d+\n$/,
      );
      const again = await without.svc(['labels', 'create', '--name', 'newer'], asked);
      expect(again.stderr).toMatch(/^To change it: svc labels edit \d+\n$/);
    } finally {
      await without.remove();
    }
  });

  test('prints hints with the organisation of the write', async () => {
    const other = await startSandbox({ approve: true });
    try {
      const { host } = new URL(other.origin);
      expect((await here.svc(['login', host])).code).toBe(0);
      const { stderr } = await here.svc(['worklogs', 'add', '30m', '--host', host], atTerminal);
      expect(stderr.replace(/\n/g, ' ')).toMatch(
        new RegExp(`personal access token: svc token set --host ${host}\\. To change it: svc worklogs edit \\d+ --host ${host}`),
      );
      // The hint for a delete is printed once a day.
      const days = await here.svc(['worklogs', 'add', '30m', '--date', 'today,yesterday', '--host', host], {
        ...atTerminal,
        now: Date.now() + 25 * 60 * 60_000,
      });
      expect([days.stdout, days.stderr]).toEqual([
        'Logged 2 entries.\n',
        expect.stringContaining(`Undoing them means a delete, which needs a personal access token: svc token set --host ${host}\n`),
      ]);
    } finally {
      await other.close();
    }
  });

  test('breaks lines between words, but never inside a command', async () => {
    const { stdout, stderr } = await here.svc(['labels', 'create', '--name', 'a name of many words to be broken'], {
      terminal: 30,
      env,
      answers: [],
    });
    expect(stdout).toMatch(/^Created the label a name of\nmany words to be broken · #\d+\n$/);
    expect(stderr).toMatch(/To undo it: svc undo\. To change it: svc labels edit \d+\n/);
  });

  test.each([[['-o', 'json']], [['--fields', 'id,name']], [['--jq', '.name']], [['-o', 'table']]])(
    'prints for %j the record instead of the line about the write',
    async (flags) => {
      const { stdout, stderr } = await here.svc(['labels', 'create', '--name', 'plain', ...flags], atTerminal);
      expect(stdout).not.toContain('Created');
      expect(stderr).not.toContain('svc undo');
    },
  );

  test('does not report a write with --plan or --later as done', async () => {
    for (const flags of [['--plan', `${here.home}/plan.json`], ['--later']]) {
      const { stdout } = await here.svc(['worklogs', 'add', '--minutes', '15', '--date', '2026-03-04', ...flags], atTerminal);
      expect(stdout).not.toContain('Logged');
    }
  });

  test('prints only the line about the write with --quiet', async () => {
    const { stdout, stderr } = await here.svc(['labels', 'create', '--name', 'quiet', '-q'], atTerminal);
    expect([stdout.startsWith('Created the label quiet · #'), stderr]).toEqual([true, '']);
  });
});

test('svc prints the written record in a pipe', async () => {
  const { stdout, stderr } = await here.svc(['labels', 'create', '--name', 'piped']);
  expect([JSON.parse(stdout).name, stderr]).toEqual(['piped', '']);
});
