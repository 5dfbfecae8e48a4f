import { mkdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

// A printed command names the organisation of the failed one. Run as printed, it never sends a secret or a write to another one.

let here: SignedIn;
let other: Sandbox;
let second: string;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
  other = await startSandbox({ approve: true });
  second = new URL(other.origin).host;
  const login = await here.svc(['login', second]);
  expect(login.stderr).toContain(`To delete or upload, add a personal access token: svc token set --host ${second}\n`);
});
afterAll(async () => {
  await other.close();
  await here.remove();
});

/** Returns the commands in a message, as far as they can be told from the words around them. */
const commandsIn = (text: string) => text.match(/\bsvc [a-z][\w-]*(?: [a-z][\w-]*)*(?: --host \S+| [\w.]+:\d+)?/g) ?? [];

const FAILING = [
  'worklogs delete 1 --yes',
  'token status',
  'token set',
  'timers stop 99999',
  'work-items transition ABC-12',
  'api',
  'api PUT /worklogs/1',
  'api /nosuch',
  'export there nosuch',
];

describe('a hint', () => {
  it.each(FAILING)('names the organisation of --host or SVC_HOST in each of its commands when svc %s fails', async (words) => {
    const ways = [
      { argv: [...words.split(' '), '--host', second], options: {} },
      { argv: words.split(' '), options: { env: { SVC_HOST: second } } },
    ];
    for (const { argv, options } of ways) {
      const { code, stderr } = await here.svc(argv, options);
      expect(code, stderr).not.toBe(0);
      const commands = commandsIn(stderr.split('\n').slice(1).join('\n'));
      expect(commands, stderr).not.toEqual([]);
      for (const command of commands) expect([words, command]).toEqual([words, expect.stringContaining(second)]);
    }
  });

  it('names the organisation in the .svc.json of the directory', async () => {
    const cwd = `${here.home}/there`;
    await mkdir(cwd, { recursive: true });
    await writeFile(`${cwd}/.svc.json`, JSON.stringify({ host: second }));
    const { stderr } = await here.svc(['token', 'status'], { cwd });
    expect(stderr).toContain(`then: svc token set --host ${second}\n`);
  });

  it('leaves out the default organisation', async () => {
    const { stderr } = await here.svc(['token', 'status']);
    expect(stderr).toBe(
      `svc: There is no personal access token for ${here.host}.\n  Make a token in the web app, under API tokens, then: svc token set\n`,
    );
    const named = await here.svc(['token', 'status', '--host', here.host]);
    expect(named.stderr).toBe(stderr);
  });

  it('names the organisation of --host in a JSON error', async () => {
    const { stderr } = await here.svc(['api', '/nosuch', '--silent', '--host', second, '--error-format', 'json']);
    expect(JSON.parse(stderr).hint).toBe(`To see the resources of this organisation: svc resources --host ${second}`);
  });

  it('names the organisation after a login that timed out', async () => {
    const nobody = await here.svc(['login', second, '--timeout', '1'], { hurried: true, browser: async () => {} });
    expect(nobody.stderr).toContain(`Try again, with --paste if the browser is on another machine: svc login ${second}`);
  });

  it('names the organisation of --host in the commands that fill a week', async () => {
    for (const [flags, named] of [
      [['--host', second], ` --host ${second}`],
      [[], ''],
    ] as const) {
      const { stdout } = await here.svc(['week', 'last', '--jq', '.[] | .fill // empty', '--target', '8h', ...flags]);
      expect(stdout).toMatch(new RegExp(`^(svc worklogs add \\S.* --date [\\d-]+${named}\n)+$`));
    }
  });

  it('names the organisation of --host in a finding of svc doctor', async () => {
    const { stdout } = await here.svc([
      'doctor',
      '--host',
      second,
      '--jq',
      '.[] | select(.check == "Personal access token") | .what_to_do',
    ]);
    expect(stdout).toBe(`svc token set --host ${second}\n`);
  });
});

describe('a hint about a database file', () => {
  it('names the file of --to or --db in the command', async () => {
    const file = `${here.home}/team data.sqlite`;
    await here.svc(['sync', 'labels', '--to', file]);
    const hintOf = async (...argv: string[]) => (await here.svc(argv)).stderr.split('\n')[1];
    expect(await hintOf('sql', 'SELECT * FROM nosuch', '--db', file)).toBe(`  List the tables: svc sql --db '${file}' --schema`);
    expect(await hintOf('sql', 'SELECT project FROM hours', '--db', file)).toContain(`svc sync --to '${file}' `);
    expect(await hintOf('changes', '--to', file, '--since', 'abcdefabcdef-1')).toContain(
      `Then continue from now: svc changes --to '${file}' --since now`,
    );
  });

  it('names the file when the data of the file is old', async () => {
    const file = `${here.home}/old.sqlite`;
    await here.svc(['sync', 'labels', '--to', file]);
    const { stderr } = await here.svc(['sql', 'SELECT name FROM labels', '--db', file], { now: Date.now() + 86_400_000 });
    expect(stderr).toContain(`To update: svc sync --to ${file}\n`);
  });
});

describe('a hint with a long command', () => {
  it('stays on one line in a narrow terminal', async () => {
    const fields = ['id', 'date', 'minutes', 'description', 'user_id', 'project_id', 'work_item_id', 'created_at'].join(',');
    const { stderr } = await here.svc(['worklogs', 'list', '--limit', '3', '--sort', 'id', '--fields', fields], { answers: [] });
    expect(stderr).toMatch(new RegExp(`^svc worklogs list --limit 3 --sort id --fields ${fields} --cursor \\S+$`, 'm'));
  });
});

describe('a hint with the next command', () => {
  it.each([
    [['alias', 'delete', 'standpu'], 'Did you mean: svc alias delete standup'],
    [['sync', 'postgres://svc@db/reports'], 'Put the address after --to: svc sync --to postgres://…'],
    [['commands', '--search', 'quux'], 'All commands: svc commands --brief'],
  ])('after svc %j is "%s"', async (argv, hint) => {
    await here.svc(['alias', 'set', 'standup', 'worklogs add 15m']);
    const { code, stderr } = await here.svc(argv);
    expect(code).not.toBe(0);
    expect(stderr).toContain(`${hint}\n`);
  });

  it('after svc undo of an unconfirmed write is the command that resolves the write', async () => {
    here.sandbox.setFaults([{ method: 'POST', path: '/labels', drop: 'after', times: 9 }]);
    const lost = await here.svc(['labels', 'create', '--name', 'lost'], { hurried: true });
    here.sandbox.setFaults([]);
    const [, number = ''] = /svc outbox send (\d+)/.exec(lost.stderr) ?? [lost.stderr];
    const { stderr } = await here.svc(['undo', number]);
    expect(stderr).toContain(`Resolve the write first: svc outbox send ${number}\n`);
    expect(await here.svc(['outbox', 'send', number])).toMatchObject({ code: 0, stdout: expect.stringContaining('labels') });
  });
});
