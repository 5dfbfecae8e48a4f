import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/globals.ts';
import { spellingsOf, walkTree } from '../../src/cli/resolve.ts';
import type { CommandSpec } from '../../src/cli/spec.ts';
import { rootOf } from '../../src/commands/root.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { sent } from '../support/sent.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let person: SignedIn;
beforeAll(async () => {
  person = await signedIn({ personalToken: true });
});
afterAll(() => person.remove());

/** Returns the requests of this line alone. */
async function sentBy(line: readonly string[]): Promise<readonly string[]> {
  person.sandbox.requests.length = 0;
  const { code, stderr } = await person.svc(line);
  expect(code, stderr).toBe(0);
  return sent(person.sandbox);
}

async function expectWrongUse(line: string[], message: string): Promise<void> {
  person.sandbox.requests.length = 0;
  const { code, stderr } = await person.svc(line);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(person.sandbox.requests).toEqual([]);
}

describe('svc with an alias from another tool', () => {
  it.each([
    [
      ['users', 'ls'],
      ['users', 'list'],
    ],
    [
      ['work-items', 'show', 'ABC-12'],
      ['work-items', 'get', 'ABC-12'],
    ],
    [
      ['work-items', 'view', 'ABC-12'],
      ['work-items', 'get', 'ABC-12'],
    ],
    [['whoami'], ['me']],
    [
      ['outbox', 'ls'],
      ['outbox', 'list'],
    ],
  ])('runs %j as %j', async (theirs, ours) => {
    const [one, other] = [await person.svc(theirs), await person.svc(ours)];
    expect(one.code, one.stderr).toBe(0);
    expect(one).toEqual(other);
  });

  it('runs "log" as "add", "new" as "create" and "rm" as "delete"', async () => {
    expect(await sentBy(['worklogs', 'log', '-m', '5'])).toEqual(await sentBy(['worklogs', 'add', '--minutes', '5']));
    const made = JSON.parse((await person.svc(['labels', 'new', '--name', 'Late'])).stdout) as JsonObject;
    expect(await sentBy(['labels', 'rm', String(made['id']), '--yes'])).toEqual([`DELETE /api/v2/labels/${made['id']}`]);
  });

  it('runs "version" as "--version"', async () => {
    expect(await person.svc(['version'])).toEqual(await person.svc(['--version']));
  });
});

describe('short flags', () => {
  it('stand for one long flag each in all commands', async () => {
    const long = new Map<string, Set<string>>();
    const specs: Pick<CommandSpec, 'options'>[] = [{ options: GLOBAL_OPTIONS }];
    for await (const { spec } of walkTree(rootOf(builtInCatalog()))) specs.push(spec);
    for (const spellings of specs.flatMap(({ options = {} }) => Object.values(options).map(({ flags }) => spellingsOf(flags))))
      for (const short of spellings.filter((flag) => /^-\w$/.test(flag)))
        long.set(short, (long.get(short) ?? new Set()).add(spellings.find((flag) => flag.startsWith('--')) ?? ''));
    expect([...long.keys()]).toEqual(expect.arrayContaining(['-d', '-m', '-n', '-p', '-u', '-o', '-L']));
    expect([...long].filter(([, flags]) => flags.size > 1)).toEqual([]);
  });

  it('have the meaning of the long flags in worklogs add, worklogs ls and report', async () => {
    const [request = ''] = await sentBy(['worklogs', 'add', '-m', '1h30', '-d', '2026-03-02', '-p', '2', '-n', 'Review', '-u', '1']);
    expect(request).toBe('POST /api/v2/worklogs {"date":"2026-03-02","minutes":90,"description":"Review","project_id":2,"user_id":1}');
    expect(await sentBy(['worklogs', 'ls', '-d', '2026-03-02', '-p', '2', '-u', '1', '-L', '1'])).toEqual(
      await sentBy(['worklogs', 'ls', '--date', '2026-03-02', '--project', '2', '--user', '1', '-L', '1']),
    );
    expect(await sentBy(['report', '--from', '2026-03-02', '-u', '1', '-p', '2'])).toEqual(
      await sentBy(['report', '--from', '2026-03-02', '--user', '1', '--project', '2']),
    );
  });

  it('such as -d are not repeated in the command to resume', async () => {
    person.sandbox.requests.length = 0;
    const { code, stderr } = await person.svc(['worklogs', 'add', '5m', 'Same', '-d', '2026-03-03,2026-03-04', '-p', '999999']);
    expect(code, stderr).not.toBe(0);
    expect(stderr).not.toContain('-d 2026-03-03');
  });
});

describe('--json a,b', () => {
  it('means --output json --fields a,b', async () => {
    const options = { terminal: 80, env: { NO_COLOR: '1' } };
    const shown = await person.svc(['me', '--json', 'id,name'], options);
    expect(shown).toEqual(await person.svc(['me', '--output', 'json', '--fields', 'id,name'], options));
    expect(JSON.parse(shown.stdout)).toEqual({ id: 1, name: 'Sanne de Vries' });
    expect((await person.svc(['me', '--json', 'id,name', '--jq', '.name'])).stdout).toBe('Sanne de Vries\n');
  });

  it.each([
    [['me', '--json', 'id', '--fields', 'name'], '--json and --fields both choose the fields.'],
    [['me', '--json', 'id', '-o', 'csv'], '--json prints JSON, but --output is csv.'],
    [['me', '--json'], 'All fields as JSON: --output json.'],
    [['me', '--json', 'id,'], '--fields: a name is empty.'],
  ])('makes svc refuse %j without a request', expectWrongUse);
});

describe('the web page of a record', () => {
  const page = (path: string) => `http://${person.host}${path}`;

  it.each([
    [['open', 'ABC-12'], '/work-items/ABC-12'],
    [['open', 'abc-12'], '/work-items/ABC-12'],
    [['work-items', 'get', 'ABC-12', '--web'], '/work-items/ABC-12'],
    [['projects', 'show', '1', '--web'], '/projects/1'],
  ])('is opened by %j', async (line, path) => {
    const opened: string[] = [];
    const browser = async (url: string) => void opened.push(url);
    const result = await person.svc(line, { browser });
    expect(result).toMatchObject({ code: 0, stdout: '' });
    expect(opened).toEqual([page(path)]);
    const printed = await person.svc([...line, '--print'], { browser });
    expect(printed).toEqual({ code: 0, stdout: `${page(path)}\n`, stderr: '' });
    expect(opened).toHaveLength(1);
  });

  it.each([
    [['open', '1'], '1 can be the id of a work item or of a project.'],
    [['open', 'project'], 'Which project?'],
    [['open', 'projekt'], 'Did you mean: svc open project <id>'],
    [['users', 'get', '1', '--web'], '--web: users have no page that svc knows of.'],
    [['work-items', 'get', 'ABC-12', 'ABC-11', '--web'], '--web opens one page at a time.'],
  ])('is not opened by %j, and svc sends no request', expectWrongUse);
});

describe('a command or flag that svc does not have', () => {
  it.each([
    [['worklogs', 'list', '--watch'], 'Follow changes: svc changes --follow'],
    [['worklogs', 'list', '--all'], 'A list shows all rows by default; --limit sets a limit.'],
    [['worklogs', 'add', '--template', 'standup'], 'For an entry that you log often, use svc alias set.'],
    [['users', 'list', '--web'], 'Projects and work items have a page: svc open ABC-12'],
    [['worklogs', 'delete', '1', '--force'], 'Use --yes'],
    [['--profile', 'acme', 'me'], 'Use --host'],
    [['log', '1h'], 'Log hours: svc worklogs add 1h30 ABC-12'],
    [['stop'], 'Stop a timer: svc timers stop'],
    [['start'], 'Start a timer: svc timers start ABC-12\n'],
    [['list'], 'Name a resource: svc work-items list\n'],
    [['work-items', 'describe', 'ABC-12', '-o', 'json'], 'Use: svc work-items get ABC-12 -o json\n'],
    [['work-items', 'describe'], 'See: svc work-items get --help\n'],
    [['customers', 'add', '--name', 'Two words'], "Use: svc customers create --name 'Two words'\n"],
    [['customers', 'add'], 'See: svc customers create --help\n'],
    [['work-items', 'close', 'ABC-12'], 'Use: svc work-items transition ABC-12 --to <status>\n'],
    [['customers', 'close', '1'], 'See the commands: svc customers --help'],
  ])('gets a hint in %j', async (line, hint) => {
    const { code, stderr } = await person.svc(line);
    expect(code).toBe(2);
    expect(stderr).toContain(hint);
  });

  it.each([
    [['foo'], 'See the commands: svc --help'],
    [['work'], 'See the commands: svc --help'],
    [['worklogs', 'lsit'], 'Did you mean: svc worklogs list'],
    [['projcts'], 'Did you mean: svc projects'],
    [['users', 'glue'], 'See the commands: svc users --help'],
  ])('gets a suggestion in %j only for a near match', async (line, hint) => {
    expect((await person.svc(line)).stderr).toContain(hint);
  });
});
