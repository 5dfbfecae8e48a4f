import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sent } from '../support/sent.ts';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

let person: SignedIn;
beforeEach(async () => {
  person = await signedIn();
});
afterEach(() => person.remove());

const file = () => `${person.home}/.config/svc/aliases.json`;

async function set(name: string, line: string): Promise<void> {
  const { code, stderr } = await person.svc(['alias', 'set', name, line]);
  expect(code, stderr).toBe(0);
  person.sandbox.requests.length = 0;
}

describe('svc alias', () => {
  it('sets, lists and deletes aliases', async () => {
    expect(await person.svc(['alias', 'set', 'standup', 'worklogs add 15m "Stand-up"'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'svc standup is now: svc worklogs add 15m "Stand-up"\n',
    });
    await set('all', '!svc week | cat');
    expect(JSON.parse((await person.svc(['alias', 'list'])).stdout)).toEqual([
      { name: 'standup', line: 'worklogs add 15m "Stand-up"' },
      { name: 'all', line: '!svc week | cat' },
    ]);
    expect((await person.svc(['alias', 'rm', 'standup'])).stderr).toBe('Deleted the alias standup.\n');
    expect(await person.svc(['alias', 'delete', 'standup'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('svc has no alias standup.'),
    });
    expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({ all: '!svc week | cat' });
  });

  it.each([
    ['week', 'me', 'week is a command of svc.'],
    ['worklog', 'me', 'worklog is a command of svc.'],
    ['whoami', 'me', 'whoami is a command of svc.'],
    ['help', 'me', 'help is a command of svc.'],
    ['a b', 'me', '"a b" cannot be an alias.'],
    ['1st', 'me', '"1st" cannot be an alias.'],
    ['x', ' ', 'The line is empty.'],
    ['x', 'svc', 'The line is empty.'],
    ['x', '!', 'The line is empty.'],
    ['x', 'wekk', 'svc has no command "wekk".'],
  ])('refuses to set %j to %j, and changes nothing', async (name, line, message) => {
    const { code, stderr } = await person.svc(['alias', 'set', name, line]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    await expect(readFile(file(), 'utf8')).rejects.toThrow('ENOENT');
  });
});

describe('a command alias', () => {
  it('runs its line followed by the typed words', async () => {
    await set('log15', 'svc worklogs add --minutes 15');
    expect((await person.svc(['-q', 'log15', '--description', 'Stand-up'])).code).toBe(0);
    const [request] = sent(person.sandbox);
    expect(request).toMatch(/^POST \/api\/v2\/worklogs \{"minutes":15,"description":"Stand-up","date":"[\d-]+"\}$/);
    // The history has the line that svc ran.
    const history = JSON.parse((await person.svc(['history'])).stdout) as { command: string[] }[];
    expect(history[0]?.command).toEqual(['-q', 'worklogs', 'add', '--minutes', '15', '--description', 'Stand-up']);
  });

  it('replaces $1 and $2 with the typed words, without parsing the words again', async () => {
    await set('jot', 'worklogs add --minutes $2 --description "$1, done" --project 2');
    expect((await person.svc(['jot', 'Review $2 "; rm -rf ~', '45m', '-d', '2026-03-02'])).code).toBe(0);
    expect(sent(person.sandbox)).toEqual([
      'POST /api/v2/worklogs {"date":"2026-03-02","minutes":45,"description":"Review $2 \\"; rm -rf ~, done","project_id":2}',
    ]);
    expect(await person.svc(['jot', 'Review'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'svc: The alias jot needs 2 words after its name.\n  The alias stands for: svc worklogs add --minutes $2 --description $1, done --project 2\n',
    });
  });

  it('shows the help of its command', async () => {
    await set('log15', 'worklogs add --minutes 15');
    expect(await person.svc(['log15', '--help'])).toEqual(await person.svc(['worklogs', 'add', '--help']));
  });

  it('never replaces a command, and never runs another alias', async () => {
    await writeFile(file(), JSON.stringify({ me: 'logout', one: 'two', two: 'me', constructor2: 'me' }));
    expect((await person.svc(['me', '--jq', '.id'])).stdout).toBe('1\n');
    expect((await person.svc(['one'])).stderr).toContain('"svc" has no command or resource "two".');
    expect((await person.svc(['two', '--jq', '.id'])).stdout).toBe('1\n');
    expect((await person.svc(['constructor'])).code).toBe(2);
  });

  it('runs a line that begins with "!" in a shell, and svc exits with the shell’s code', async () => {
    const ran: unknown[] = [];
    const options: RunOptions = {
      async program(command, args) {
        ran.push([command, ...args]);
        return 7;
      },
    };
    await set('hours', '! svc week | wc -l $1');
    expect(await person.svc(['hours', 'a b', '-x'], options)).toEqual({ code: 7, stdout: '', stderr: '' });
    expect(ran).toEqual([['sh', '-c', 'svc week | wc -l $1', 'hours', 'a b', '-x']]);
    expect(await person.svc(['hours'])).toMatchObject({ code: 1, stderr: expect.stringContaining('svc could not start sh') });
    expect(person.sandbox.requests).toEqual([]);
  });

  it('has completion of its name and of the flags of its command', async () => {
    await set('standup', 'worklogs add --minutes 15');
    await set('weekly', '!svc week');
    const offered = async (...words: string[]) =>
      (await person.svc(['__complete', '--', ...words])).stdout
        .split('\n')
        .slice(0, -2)
        .map((line) => line.split('\t')[0]);
    expect(await offered('stand')).toEqual(['standup']);
    expect(await offered('wee')).toEqual(['week', 'weekly']);
    expect(await offered('standup', '--desc')).toEqual(['--description']);
    expect(await offered('standup', '--min')).toEqual([]);
    expect(await offered('weekly', '')).toEqual([]);
    expect(await offered('alias', 'delete', '')).toEqual(['standup', 'weekly']);
    await writeFile(file(), '{');
    expect(await offered('stand')).toEqual([]);
  });
});

it.each(['{', '[]', '{"x":1}'])('svc alias and a command alias exit 1 when the alias file is %j, and keep the file', async (content) => {
  await writeFile(file(), content);
  for (const line of [['standup'], ['alias', 'list'], ['alias', 'set', 'x', 'me']]) {
    const { code, stderr } = await person.svc(line);
    expect(code).toBe(1);
    expect(stderr).toContain(`${file()} is not a JSON object of strings.`);
  }
  expect((await person.svc(['me'])).code).toBe(0);
  expect(await readFile(file(), 'utf8')).toBe(content);
});
