import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

// A write answers a person in a line; a program gets the record.

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ personalToken: true, limits: 'off' });
});
afterAll(() => here.remove());
const env = { NO_COLOR: '1' };
const atTerminal = { terminal: 100, env };

describe('at a terminal', () => {
  test.each([
    [
      ['worklogs', 'add', '--minutes', '90', '--project', 'Web shop', '--description', 'Review', '--date', '2026-03-02'],
      'Logged 1h30 on Web shop, "Review" · 2026-03-02 · #',
    ],
    [['worklogs', 'add', '30m', 'ABC-12', '--date', '2026-03-03'], 'Logged 30m on ABC-12 Undo for deleted rows · 2026-03-03 · #'],
    [['worklogs', 'update', 'last', '--minutes', '2h'], 'Updated the worklog: minutes 2h · #'],
    [['labels', 'create', '--name', 'in doubt'], 'Created the label in doubt · #'],
    [['labels', 'update', 'in doubt', '--color', 'dark red'], 'Updated the label in doubt: color "dark red" · #'],
    [['work-items', 'transition', 'ABC-12', '--to', 'Done'], 'ABC-12 Undo for deleted rows is now Done\n'],
  ])('%j says %s', async (argv, line) => {
    const { code, stdout, stderr } = await here.svc(argv, atTerminal);
    expect([code, stdout.split('\n').length, stdout.slice(0, line.length)]).toEqual([0, 2, line]);
    const called = argv[0] === 'work-items' ? 'ABC-12' : 'last';
    expect(stderr).toContain(`To take it back: svc undo. To change it: svc ${argv[0]} edit ${called}\n`);
  });

  test('what to type next goes where the write went', async () => {
    const other = await startSandbox({ approve: true });
    try {
      const { host } = new URL(other.origin);
      expect((await here.svc(['login', host])).code).toBe(0);
      const { stderr } = await here.svc(['worklogs', 'add', '30m', '--host', host], atTerminal);
      expect(stderr.replace(/\n/g, ' ')).toContain(`svc undo --host ${host}. To change it: svc worklogs edit last --host ${host}`);
      const days = await here.svc(['worklogs', 'add', '30m', '--date', 'monday,yesterday', '--host', host], atTerminal);
      expect([days.stdout, days.stderr]).toEqual([
        'Logged 2 entries.\n',
        expect.stringContaining(`To take them back: svc undo --host ${host}\n`),
      ]);
    } finally {
      await other.close();
    }
  });

  test('a line ends between words, and a command stays whole', async () => {
    const { stdout, stderr } = await here.svc(['labels', 'create', '--name', 'a name of many words to be broken'], {
      terminal: 30,
      env,
      answers: [],
    });
    expect(stdout).toMatch(/^Created the label a name of\nmany words to be broken · #\d+\n$/);
    expect(stderr).toContain('To take it back: svc undo. To change it: svc labels edit last\n');
  });

  test.each([[['-o', 'json']], [['--fields', 'id,name']], [['--jq', '.name']], [['-o', 'table']]])(
    'who asks for the record with %j gets it',
    async (flags) => {
      const { stdout, stderr } = await here.svc(['labels', 'create', '--name', 'plain', ...flags], atTerminal);
      expect(stdout).not.toContain('Created');
      expect(stderr).not.toContain('svc undo');
    },
  );

  test('what was not sent is not said to be done', async () => {
    for (const flags of [['--plan', `${here.home}/plan.json`], ['--later']]) {
      const { stdout } = await here.svc(['worklogs', 'add', '--minutes', '15', '--date', '2026-03-04', ...flags], atTerminal);
      expect(stdout).not.toContain('Logged');
    }
  });

  test('--quiet leaves the line alone', async () => {
    const { stdout, stderr } = await here.svc(['labels', 'create', '--name', 'quiet', '-q'], atTerminal);
    expect([stdout.startsWith('Created the label quiet · #'), stderr]).toEqual([true, '']);
  });
});

test('in a pipe it is the record', async () => {
  const { stdout, stderr } = await here.svc(['labels', 'create', '--name', 'piped']);
  expect([JSON.parse(stdout).name, stderr]).toEqual(['piped', '']);
});
