import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInCatalog } from '../../../src/catalog/index.ts';
import { completionLines } from '../../../src/cli/complete/candidate.ts';
import { completionScript, SCRIPT_NAMES, SHELLS } from '../../../src/cli/complete/scripts/index.ts';
import { rootOf } from '../../../src/commands/root.ts';
import { sent } from '../../support/sent.ts';
import { createMachine, type Machine, type RunOptions, type SignedIn, signedIn } from '../../support/svc.ts';

const ROOT = rootOf(builtInCatalog());

/** Returns what svc offers for a line: the values, and how the shell uses them. */
async function offered(machine: Machine, words: readonly string[], options?: RunOptions) {
  const { code, stdout, stderr } = await machine.svc(['__complete', '--', ...words], options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  return { values: lines.slice(0, -1).map((line) => line.split('\t')[0] ?? ''), how: lines.at(-1) };
}

describe('completion of commands and flags', () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await createMachine();
  });
  afterAll(() => machine.remove());

  it.each<[line: string, values: readonly string[], how?: string]>([
    ['wor', ['worklogs', 'work-items', 'work-item-links', 'workflows', 'workflow-statuses', 'workflow-transitions', 'work-types']],
    ['company-branch', ['company-branches']],
    ['hel', ['help']],
    ['help worklogs li', ['list']],
    ['help da', ['dates']],
    ['da', []],
    ['worklogs up', ['update']],
    ['worklog up', ['update']],
    ['work-items subtasks li', ['list']],
    ['auth s', ['status', 'switch']],
    ['--host acme.example.com worklogs li', ['list']],
    ['-o json worklogs li', ['list']],
    ['-ojson worklogs li', ['list']],
    ['--output=json worklogs li', ['list']],
    ['worklogs list --out', ['--output']],
    ['worklogs list --output json --out', []],
    ['worklogs list --filter a=1 --filt', ['--filter']],
    ['worklogs list -- --out', []],
    ['worklogs list --no-such-flag --out', ['--output']],
    ['worklogs list -o ', ['table', 'md', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ids']],
    ['worklogs list --output=js', ['--output=json']],
    ['worklogs list --view ', ['summary', 'detail']],
    ['worklogs list --filter date.', ['date.gte=', 'date.lte='], ':open'],
    ['worklogs list --sort -da', ['-date']],
    ['worklogs list --include project,us', ['project,user'], ':open'],
    ['worklogs get 1 --fields id,minu', ['id,minutes'], ':open'],
    ['worklogs get 1 --fields id,i', ['id,is_overtime', 'id,is_not_billable', 'id,invoice_id'], ':open'],
    ['projects create --status ', ['on-hold']],
    ['worklogs add --date ye', ['yesterday']],
    ['report --by pro', ['project'], ':open'],
    [
      'report --by project,',
      ['customer', 'budget', 'work-item', 'sprint', 'label', 'description', 'user', 'day', 'week', 'month'].map(
        (more) => `project,${more}`,
      ),
      ':open',
    ],
    ['week --why to', ['today']],
    ['week --balance --why --fro', ['--from']],
    ['worklogs add 1h proj', ['project:'], ':open'],
    ['worklogs import ', [], ':file=0'],
    ['worklogs create --data @bo', [], ':file=1'],
    ['worklogs create --data=@bo', [], ':file=8'],
    ['worklogs create -F description=@bo', [], ':file=13'],
    ['work-items create --description ', ['@'], ':open'],
    ['work-items create --description Text', []],
    ['api --input ', [], ':file=0'],
    ['config get time', ['timezone', 'timeout']],
    ['completion ', ['bash', 'zsh', 'fish', 'powershell']],
    ['resources absen', ['absences']],
    ['login --no-browser --re', ['--read-only']],
    ['no-such-thing ', []],
    ['worklogs no-such-thing ', []],
  ])('completes svc %s', async (line, values, how = ':') => {
    expect(await offered(machine, line.split(' '))).toEqual({ values, how });
  });

  it('completes an empty word that the shell does not pass', async () => {
    const { stdout } = await machine.svc(['__complete', '--empty', '--', 'auth']);
    expect(stdout).toBe((await machine.svc(['__complete', '--', 'auth', ''])).stdout);
    expect(stdout).toMatch(/^status\t/);
  });

  it('offers no hidden command or flag', async () => {
    expect((await offered(machine, ['__'])).values).toEqual([]);
    expect((await offered(machine, ['worklogs', 'add', '--no-over'])).values).toEqual([]);
  });

  it('offers no names of records and starts no process without a sign-in', async () => {
    const started: (readonly string[])[] = [];
    const onStartSelf = (argv: readonly string[]) => started.push(argv);
    expect((await offered(machine, ['projects', 'get', ''], { onStartSelf })).values).toEqual([]);
    expect((await offered(machine, ['worklogs', 'list', '--user', ''], { onStartSelf })).values).toEqual(['me']);
    expect((await offered(machine, ['--host', ''], { onStartSelf })).values).toEqual([]);
    expect(started).toEqual([]);
  });
});

describe('completion of names from the organisation', () => {
  let machine: SignedIn;
  beforeAll(async () => {
    machine = await signedIn();
  });
  afterAll(() => machine.remove());

  const TIME = Date.now();
  const MINUTE = 60_000;
  const started: (readonly string[])[] = [];
  const at = (minutes: number): RunOptions => ({ now: TIME + minutes * MINUTE, onStartSelf: (argv) => started.push(argv) });
  const projects = (minutes: number) => offered(machine, ['worklogs', 'list', '--project', ''], at(minutes));

  it('offers nothing at first, and fetches the names once in the background', async () => {
    expect(await projects(0)).toEqual({ values: [], how: ':' });
    expect(await projects(0)).toEqual({ values: [], how: ':' });
    expect(started).toEqual([['__complete', '--ask', 'projects', '--host', machine.host, '--no-input', '--quiet']]);
    expect(machine.sandbox.requests).toHaveLength(0);
  });

  it('offers the names after the background process has stored the names', async () => {
    expect(await machine.svc(started[0] ?? [], at(0))).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await projects(0)).values).toContain('Web shop');
    expect(await offered(machine, ['projects', 'get', 'Web'], at(0))).toEqual({ values: ['Web shop'], how: ':' });
    expect(await offered(machine, ['projects', 'get', 'web'], at(0))).toEqual({ values: ['Web shop'], how: ':any-case' });
    expect(await offered(machine, ['projects', 'get', '2'], at(0))).toEqual({ values: ['2'], how: ':' });
    expect(await offered(machine, ['worklogs', 'list', '--project=web'], at(0))).toEqual({
      values: ['--project=Web shop'],
      how: ':any-case',
    });
    expect(started).toHaveLength(1);
  });

  it('fetches names again after five minutes, and first offers the old names, even offline', async () => {
    await machine.sandbox.close();
    expect((await projects(4)).values).toContain('Web shop');
    expect(started).toHaveLength(1);
    expect((await projects(6)).values).toContain('Web shop');
    expect(started).toHaveLength(2);
    // The request fails, because nobody answers. The old names stay, and svc starts no process again at once.
    expect((await machine.svc(started[1] ?? [], { ...at(6), hurried: true })).code).toBe(8);
    expect((await projects(6)).values).toContain('Web shop');
    expect(started).toHaveLength(2);
    expect((await projects(8)).values).toContain('Web shop');
    expect(started).toHaveLength(3);
  });

  it('stores the ids, names and descriptions of at most 300 records', async () => {
    const large = await signedIn({ limits: 'off' });
    const made = await Promise.all(
      Array.from({ length: 320 }, (_, index) =>
        fetch(`${large.sandbox.baseUrl}/labels`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${large.sandbox.tokens[0]?.value}`,
            'content-type': 'application/json',
            'idempotency-key': `label-${index}`,
          },
          body: JSON.stringify({ name: `Label ${index}` }),
        }),
      ),
    );
    expect(made.every(({ ok }) => ok)).toBe(true);
    await large.svc(['__complete', '--ask', 'labels']);
    const directory = join(large.home, '.cache/svc/completion');
    const [file = ''] = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('labels.json'));
    const { records } = JSON.parse(await readFile(join(directory, file), 'utf8')) as { records: unknown[] };
    expect(records).toHaveLength(300);
    // The id, the name, and the description.
    for (const record of records)
      expect(record).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^Label /), expect.any(String)]);
    await large.remove();
  });

  it('offers no name that is older than a day', async () => {
    expect((await projects(25 * 60)).values).toEqual([]);
  });

  it('offers no stored name when SVC_TOKEN is set', async () => {
    const env = { SVC_TOKEN: 'another', SVC_HOST: machine.host };
    expect((await offered(machine, ['projects', 'get', ''], { ...at(0), env })).values).toEqual([]);
  });

  it('stores names without a token, and deletes the names at logout', async () => {
    const directory = join(machine.home, '.cache/svc/completion');
    const files = async () => (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('projects.json'));
    const [file = ''] = await files();
    expect(Object.keys(JSON.parse(await readFile(join(directory, file), 'utf8')))).toEqual(['at', 'records']);
    await machine.svc(['logout']);
    expect(await files()).toEqual([]);
  });
});

describe('completion of work items, users and statuses', () => {
  let machine: SignedIn;
  beforeAll(async () => {
    machine = await signedIn();
  });
  afterAll(() => machine.remove());

  it.each([
    ['work-items', ['work-items', 'get', 'ABC-1'], /^ABC-1\d*$/],
    ['users', ['absences', 'list', '--user', ''], /^(me|\p{Lu}.* .*|田中 陽子|أحمد المنصوري)$/u],
    ['workflow-statuses', ['work-items', 'transition', 'ABC-12', '--to', 'In'], /^In /],
  ])('offers the names or keys of %s', async (noun, line, form) => {
    await machine.svc(['__complete', '--ask', noun]);
    const { values } = await offered(machine, line);
    expect(values.length).toBeGreaterThan(1);
    expect(new Set(values).size).toBe(values.length);
    for (const value of values) expect(value).toMatch(form);
  });

  it('fetches the newest records, or unsorted records when the service refuses to sort', async () => {
    machine.sandbox.requests.length = 0;
    await machine.svc(['__complete', '--ask', 'users']);
    expect(sent(machine.sandbox)).toEqual(['GET /api/v2/users?sort=-id&per_page=100']);
    machine.sandbox.setFaults([{ path: '/users', status: 400 }]);
    expect((await machine.svc(['__complete', '--ask', 'users'])).code).toBe(0);
    expect(sent(machine.sandbox).slice(1)).toEqual(['GET /api/v2/users?sort=-id&per_page=100', 'GET /api/v2/users?per_page=100']);
  });

  it('offers no name after another login', async () => {
    await machine.svc(['__complete', '--ask', 'users']);
    expect((await offered(machine, ['users', 'get', ''])).values.length).toBeGreaterThan(1);
    expect((await machine.svc(['login', machine.host])).code).toBe(0);
    expect((await offered(machine, ['users', 'get', ''])).values).toEqual([]);
  });
});

describe('completion of names instead of ids', () => {
  let machine: SignedIn;
  beforeAll(async () => {
    machine = await signedIn({ limits: 'off' });
    for (const name of ['Twin', 'twin', '2025', 'me', '-x', 'Two  blanks', 'It’s "R&D": $5']) {
      const made = await machine.svc(['projects', 'create', '--data', JSON.stringify({ name })]);
      expect(made.code, made.stderr).toBe(0);
    }
    for (const noun of ['projects', 'customers', 'work-items', 'users', 'worklogs']) await machine.svc(['__complete', '--ask', noun]);
  });
  afterAll(() => machine.remove());

  const lines = async (...words: readonly string[]) =>
    (await machine.svc(['__complete', '--', ...words])).stdout.split('\n').filter((line) => line !== '' && !line.startsWith(':'));

  it('shows the id of each name, and svc finds each record by the name', async () => {
    const found = (await lines('worklogs', 'list', '--project', '')).map((line) => line.split('\t') as [string, string]);
    expect(found).toContainEqual(['Web shop', '#2']);
    expect(found).toContainEqual(['It’s "R&D": $5', expect.stringMatching(/^#\d+$/)]);
    for (const [value, about] of found.filter(([, about]) => about.startsWith('#'))) {
      const { code, stdout, stderr } = await machine.svc(['projects', 'get', value, '-o', 'ids']);
      expect(code, stderr).toBe(0);
      expect(about.split(' ')[0]).toBe(`#${stdout.trim()}`);
    }
  });

  it('offers the id when svc would not find the record by its name', async () => {
    const found = (await lines('worklogs', 'list', '--project', '')).map((line) => line.split('\t') as [string, string]);
    for (const name of ['Twin', 'twin', '2025', 'me', '-x', 'Two blanks'])
      expect(found, name).toContainEqual([expect.stringMatching(/^\d+$/), name]);
  });

  it('offers names of customers and users, "me", and keys of work items', async () => {
    expect(await lines('projects', 'create', '--customer', '')).toContainEqual(
      expect.stringMatching(/^Bakkerij Jansen & Zonen\t#1 C-1001$/),
    );
    expect(await lines('absences', 'list', '--user', 'San')).toEqual(['Sanne de Vries\t#1']);
    expect(await lines('absences', 'list', '--user', 'm')).toEqual(['me\t']);
    expect(await lines('work-items', 'move', 'ABC-12', '--after', 'ABC-1')).toContainEqual(expect.stringMatching(/^ABC-1\d*\t./));
  });

  it('offers work items and project:names after worklogs add and timers start', async () => {
    for (const words of [
      ['worklogs', 'add', '1h'],
      ['timers', 'start'],
    ]) {
      const keys = await lines(...words, 'ABC-12');
      expect(keys).toContain('ABC-12\tShow the deleted rows');
      expect(await lines(...words, 'show the')).toEqual(expect.arrayContaining(['ABC-12\tShow the deleted rows']));
      expect(await lines(...words, 'project:Web')).toEqual(['project:Web shop\t#2']);
      expect(await lines(...words, 'project:web')).toEqual(['project:Web shop\t#2']);
    }
  });

  it('offers ids of records without a name', async () => {
    expect((await lines('worklogs', 'get', '')).map((line) => line.split('\t')[0])).toContainEqual(expect.stringMatching(/^\d+$/));
  });
});

describe('completion of work-items transition --to', () => {
  let machine: SignedIn;
  beforeAll(async () => {
    machine = await signedIn({ limits: 'off' });
    await machine.svc(['__complete', '--ask', 'workflow-statuses']);
  });
  afterAll(() => machine.remove());

  const TO = (item: string) => ['work-items', 'transition', item, '--to', ''];

  /** Returns the statuses that the workflow allows next, and the others. */
  async function truth(item: string): Promise<{ legal: string[]; all: string[] }> {
    const read = async (argv: readonly string[]) => JSON.parse((await machine.svc([...argv, '-o', 'json'])).stdout);
    const { workflow_status_id } = await read(['work-items', 'get', item]);
    const statuses = (await read(['workflow-statuses', 'list'])) as { id: number; name: string }[];
    const moves = (await read(['workflow-transitions', 'list', '--filter', `from_status_id=${workflow_status_id}`])) as {
      to_status_id: number;
    }[];
    const targets = new Set(moves.map(({ to_status_id }) => to_status_id));
    return {
      legal: [...new Set(statuses.filter(({ id }) => targets.has(id)).map(({ name }) => name))],
      all: [...new Set(statuses.map(({ name }) => name))],
    };
  }

  it('offers the allowed transitions, which svc reads once in a background process', async () => {
    const asked: Promise<unknown>[] = [];
    const onStartSelf = (argv: readonly string[]) => asked.push(machine.svc(argv));
    const { legal, all } = await truth('ABC-12');
    expect(legal.length).toBeGreaterThan(0);
    expect(legal.length).toBeLessThan(all.length);
    expect((await offered(machine, TO('ABC-12'), { onStartSelf })).values.sort()).toEqual(legal.sort());
    expect(await Promise.all(asked)).toEqual([{ code: 0, stdout: '', stderr: '' }]);
    // The next Tab starts no process, and works offline.
    expect((await offered(machine, TO('ABC-12'), { onStartSelf })).values.sort()).toEqual(legal);
    expect(asked).toHaveLength(1);
    // Another work item needs another request.
    await offered(machine, TO('ABC-15'), { onStartSelf });
    await Promise.all(asked);
    expect(asked).toHaveLength(2);
  });

  it('offers every status when no answer arrives in time, and starts only one process', async () => {
    const started: (readonly string[])[] = [];
    const options: RunOptions = { hurried: true, onStartSelf: (argv) => started.push(argv) };
    const { all } = await truth('ABC-1');
    expect((await offered(machine, TO('ABC-1'), options)).values.sort()).toEqual(all.sort());
    expect((await offered(machine, TO('ABC-1'), options)).values.sort()).toEqual(all);
    expect(started).toEqual([['__complete', '--ask', 'moves', '--of', 'ABC-1', '--host', machine.host, '--no-input', '--quiet']]);
  });

  it('offers statuses without a request when the line has no work item', async () => {
    const started: (readonly string[])[] = [];
    const onStartSelf = (argv: readonly string[]) => started.push(argv);
    expect((await offered(machine, ['work-items', 'transition', '--to', 'In p'], { onStartSelf })).values).toEqual(['In progress']);
    expect((await offered(machine, ['work-items', 'transition', '../users', '--to', 'In p'], { onStartSelf })).values).toEqual([
      'In progress',
    ]);
    expect(started).toEqual([]);
  });
});

describe('a completion candidate', () => {
  it('is one line of printable text, and is left out if the value has hidden characters', () => {
    const candidates = [
      { value: '1', about: 'Two\nlines\tand \u001b[31mred\u202e' },
      { value: 'In\u001b[2J', about: '' },
      { value: 'a\nb', about: '' },
    ];
    expect(completionLines({ candidates })).toBe('1\tTwo lines and [31mred\n:\n');
  });
});

describe('svc completion', () => {
  it.each(SHELLS)('%s prints the script in completions/', async (shell) => {
    const file = new URL(`../../../completions/${SCRIPT_NAMES[shell]}`, import.meta.url);
    const script = await completionScript(shell, ROOT);
    expect(await readFile(file, 'utf8'), 'It is stale: run node scripts/completions.ts').toBe(script);
    const machine = await createMachine();
    expect(await machine.svc(['completion', shell])).toEqual({ code: 0, stdout: script, stderr: '' });
    await machine.remove();
  });

  it.each([
    ['bash', '.local/share/bash-completion/completions/svc'],
    ['zsh', '.local/share/svc/completion.zsh'],
    ['fish', '.config/fish/completions/svc.fish'],
    ['powershell', '.config/svc/completion.ps1'],
  ])('%s --install prints the changed files, and changes nothing the second time', async (shell, path) => {
    const machine = await createMachine();
    await writeFile(join(machine.home, '.zshrc'), 'export EDITOR=vi');
    const first = await machine.svc(['completion', shell, '--install']);
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toContain(`Wrote ${machine.home}/${path}\n`);
    const script = await readFile(join(machine.home, path), 'utf8');
    expect(script).toBe((await machine.svc(['completion', shell])).stdout);
    const startup = await readFile(join(machine.home, '.zshrc'), 'utf8');
    expect(startup).toBe(shell === 'zsh' ? `export EDITOR=vi\nsource '${machine.home}/${path}' # completion of svc\n` : 'export EDITOR=vi');
    const second = await machine.svc(['completion', shell, '--install']);
    expect(second.code).toBe(0);
    expect(second.stderr).not.toMatch(/Wrote|Added/);
    expect(await readFile(join(machine.home, '.zshrc'), 'utf8')).toBe(startup);
    await machine.remove();
  });

  it('exits 2 for an unknown shell', async () => {
    const machine = await createMachine();
    expect(await machine.svc(['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' });
    await machine.remove();
  });
});
