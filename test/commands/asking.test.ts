import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

// svc asks for missing values only at a terminal. A picker shows names.

const PLAIN = { NO_COLOR: '1' };
const cancelled = async (): Promise<string> => {
  throw new InterruptedError('Interrupted.');
};

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ personalToken: true, limits: 'off' });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});
const writes = () => here.sandbox.requests.filter(({ method }) => method !== 'GET').map(({ body }) => JSON.parse(body || '{}'));
const asked = (argv: readonly string[], answers: RunOptions['answers'], more: RunOptions = {}) =>
  here.svc(argv, { answers: answers ?? [], ...more, env: { ...PLAIN, ...more.env } });

describe('a create command at a terminal', () => {
  test('asks for each required field, and prints the command that needs no question', async () => {
    const { code, stderr } = await asked(['tasks', 'create'], ['Order it’s', 'Web shop']);
    expect(code, stderr).toBe(0);
    expect(writes()).toEqual([{ name: 'Order it’s', project_id: 2 }]);
    expect(stderr).toContain(`The same with your answers: svc tasks create --name 'Order it’s' --project 'Web shop'\n`);
    const again = await here.svc(['tasks', 'create', '--name', 'Order it’s', '--project', 'Web shop']);
    expect([again.code, writes()[1]]).toEqual([0, writes()[0]]);
  });

  test('shows keys and names without ids in a picker after one request', async () => {
    const { stderr } = await asked(['tasks', 'create', '--name', 'x'], ['WEB · Web shop']);
    expect(stderr).toContain('? Which project?\n  ABC · ');
    expect(stderr).not.toMatch(/\n {2}.*#\d/);
    expect(here.sandbox.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v2/projects?per_page=100',
      'POST /api/v2/tasks',
    ]);
  });

  test('shows the ids of records with equal names, and prints the chosen id', async () => {
    const ids = [];
    for (const _ of [1, 2]) ids.push(JSON.parse((await here.svc(['projects', 'create', '--name', 'Twin'])).stdout).id);
    const { code, stderr } = await asked(['tasks', 'create', '--name', 'x'], [`Twin (#${ids[1]})`]);
    expect([code, writes().at(-1).project_id]).toEqual([0, ids[1]]);
    expect(stderr).toContain(`svc tasks create --name x --project ${ids[1]}\n`);
  });

  test('prints the command with the id after you pick or confirm a project', async () => {
    const ids = [];
    for (const _ of [1, 2]) ids.push(JSON.parse((await here.svc(['projects', 'create', '--name', 'Double'])).stdout).id);
    const picked = await asked(['tasks', 'create', '--name', 'Plans', '--project', 'Double'], [`Double (#${ids[1]})`]);
    expect(picked.code, picked.stderr).toBe(0);
    expect(picked.stderr).toContain(`The same with your answers: svc tasks create --name Plans --project ${ids[1]}\n`);
    const part = await asked(['tasks', 'create', '--name=Plans', '--project=Web sh'], [true]);
    expect(part.stderr).toContain('? Use Web shop (#2)?\nThe same with your answers: svc tasks create --name=Plans --project=2\n');
    const [, words = ''] = /answers: svc (.*)/.exec(part.stderr) ?? [];
    here.sandbox.requests.length = 0;
    expect((await here.svc(words.split(' '))).code).toBe(0);
    expect(writes()).toEqual([{ name: 'Plans', project_id: 2 }]);
    const [last] = JSON.parse((await here.svc(['history'])).stdout) as { command: string[] }[];
    expect(last?.command).toEqual(words.split(' '));
  });

  test('lets you leave out a field that the documentation does not show as required', async () => {
    const { code } = await asked(['work-item-links', 'create', '--type', 'blocks'], ['Leave out this field', 'Leave out this field']);
    expect([code, writes()]).toEqual([9, [{ type: 'blocks' }]]);
  });

  test('asks again after an invalid value, and explains the error', async () => {
    const { code, stderr } = await asked(['holidays', 'create'], ['x', 'someday', 'none such', '2026-12-25']);
    expect(code, stderr).toBe(0);
    expect(stderr.match(/^\? Date \(such as/gm)).toHaveLength(3);
    expect(stderr).toContain('"someday" is not a date.');
    expect(writes()).toEqual([expect.objectContaining({ date: '2026-12-25' })]);
  });

  test.each<[string, readonly string[], readonly (string | boolean)[], unknown]>([
    ['a duration', ['furlough-balance-mutations', 'create'], ['Sanne de Vries', 'today', '1h30'], { minutes: 90, user_id: 1 }],
    ['a date-time', ['events', 'create', '--title', 'x'], ['2026-06-12 10:00'], { start: '2026-06-12T08:00:00Z' }],
  ])('reads an answer as %s', async (_, argv, answers, body) => {
    const { stderr } = await asked(argv, answers);
    expect(writes(), stderr).toEqual([expect.objectContaining(body as object)]);
  });

  test('quotes a name that begins with a dash in the printed command', async () => {
    const { stderr } = await asked(['labels', 'create'], ['--x y']);
    expect(stderr).toContain(`svc labels create '--name=--x y'\n`);
  });

  test('asks no question when you give the body or all required fields', async () => {
    expect((await asked(['tasks', 'create', '--data', '{"name": "x", "project_id": 2}'], [])).code).toBe(0);
    expect((await asked(['tasks', 'create', '-F', 'name=x', '--project', '2'], [])).code).toBe(0);
  });

  test.each([1, 2])('writes nothing when you cancel at question %d', async (question) => {
    const answers = ['x', 'Web shop'];
    const { code } = await asked(['tasks', 'create'], [...answers.slice(0, question - 1), cancelled]);
    expect([code, writes()]).toEqual([130, []]);
  });

  test('refuses an invalid value of a flag before the first question', async () => {
    const { code, stderr } = await asked(['tasks', 'create', '--due-date', 'someday'], []);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--due-date')]);
  });

  test('asks for an id when the token cannot list projects', async () => {
    const hours = here.sandbox.tokens.find(({ name }) => name === 'hours-only')?.value ?? '';
    const options = { env: { SVC_TOKEN: hours } };
    const { stderr } = await asked(['tasks', 'create', '--name', 'x'], ['2'], options);
    expect(stderr).toContain('? Project (id; Enter leaves the field out):');
  });
});

test.each<[string, readonly string[], RunOptions]>([
  ['in a pipe', [], {}],
  ['with --no-input', ['--no-input'], { answers: [] }],
  ['with --dry-run', ['--dry-run'], { answers: [] }],
])('a create command without fields exits 2 and asks no question %s', async (_, more, options) => {
  const { code, stderr } = await here.svc(['tasks', 'create', ...more], { ...options, env: PLAIN });
  expect([code, stderr]).toEqual([2, 'svc: There is nothing to send.\n  See: svc tasks create --help\n']);
  expect(here.sandbox.requests).toEqual([]);
});

describe('a create command with a picker of records', () => {
  let recording: Recording;
  beforeAll(async () => {
    recording = await startRecording();
  });
  afterAll(() => recording.remove());

  test('escapes control characters in names, and prints the command with the id', async () => {
    const rows = [
      { id: 7, name: 'a\u001b[31mb' },
      { id: 8, name: '12' },
      { id: 9, name: 'me' },
    ];
    for (const { id } of rows) {
      recording.server.script(json(200, { data: rows, links: { next: null } }));
      const shown = [cancelled];
      expect((await recording.svc(['tasks', 'create', '--name', 'x'], { answers: shown, env: PLAIN })).stderr).not.toContain('\u001b');
      recording.server.script(json(200, { data: rows, links: { next: null } }));
      const picks = { 7: '␛', 8: '12', 9: 'me' }[id] ?? '';
      const { stderr } = await recording.svc(['tasks', 'create', '--name', 'x'], { answers: [picks], env: PLAIN });
      expect(stderr).toContain(`svc tasks create --name x --project ${id}\n`);
    }
  });

  const PAGE = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, name: `Project ${at + 1}` }));
  const page = (data: object[], next: string | null = null) => json(200, { data, links: { next } });

  test('searches beyond the first page, and prints the id of the record', async () => {
    recording.sent();
    recording.server.script(page(PAGE, '/api/v2/projects?cursor=c'), page([{ id: 207, name: 'Far away' }]));
    const { code, stderr } = await recording.svc(['tasks', 'create', '--name', 'x'], { answers: ['Far'], env: PLAIN });
    expect([code, stderr]).toEqual([0, expect.stringContaining('svc tasks create --name x --project 207\n')]);
    expect(recording.sent().filter((line) => line.includes('projects'))).toEqual([
      'GET /projects?per_page=100',
      'GET /projects?q=Far&per_page=100',
    ]);
  });

  test('reports an unknown choice when the service refuses the search', async () => {
    recording.server.script(page(PAGE, '/api/v2/projects?cursor=c'), json(400, { type: 'unsupported-parameter', parameter: 'q' }));
    const { stderr } = await recording.svc(['tasks', 'create', '--name', 'x'], { answers: ['Far'], env: PLAIN });
    expect(stderr).toContain('There is no choice Far.');
  });

  test('asks for an id when there is no record to pick', async () => {
    const { code, stderr } = await recording.svc(['tasks', 'create', '--name', 'x'], { answers: ['12'], env: PLAIN });
    expect([code, stderr]).toEqual([0, expect.stringContaining('--project 12\n')]);
  });
});

describe('svc work-items transition at a terminal', () => {
  test('offers the transitions of the workflow, and makes the chosen transition', async () => {
    const before = JSON.parse((await here.svc(['work-items', 'get', 'ABC-12'])).stdout);
    const { code, stderr } = await asked(['work-items', 'transition', 'ABC-12'], ['']);
    expect(code, stderr).toBe(0);
    const shown = [...stderr.matchAll(/^ {2}(.+)$/gm)].map(([, name]) => name);
    const moves = JSON.parse(
      (await here.svc(['workflow-transitions', 'list', '--filter', `from_status_id=${before.workflow_status_id}`])).stdout,
    );
    expect(shown).toHaveLength(moves.length);
    expect(moves.map((move: { to_status_id: number }) => move.to_status_id)).toContain(writes()[0].workflow_status_id);
    expect(stderr).toContain('The same with your answers: svc work-items transition ABC-12 --to ');
  });

  test('changes nothing when you cancel', async () => {
    expect([(await asked(['work-items', 'transition', 'ABC-12'], [cancelled])).code, writes()]).toEqual([130, []]);
  });
});

test.each<[string, readonly string[], RunOptions]>([
  ['in a pipe', [], {}],
  ['with --no-input', ['--no-input'], { answers: [] }],
])('svc work-items transition exits 2 and names --to %s', async (_, more, options) => {
  const argv = ['work-items', 'transition', 'ABC-12', ...more];
  const { code, stderr } = await here.svc(argv, { ...options, env: PLAIN });
  expect([code, stderr, here.sandbox.requests]).toEqual([
    2,
    'svc: "svc work-items transition" needs --to <id|name>.\n  For example: svc work-items transition ABC-12 --to Done\n',
    [],
  ]);
});

describe('svc auth switch at a terminal', () => {
  test('offers the organisations that you are signed in to', async () => {
    const { code, stderr } = await asked(['auth', 'switch'], [here.host]);
    expect([code, stderr]).toEqual([
      0,
      `? Which sign-in?\n  ${here.host}\nThe same with your answers: svc auth switch ${here.host}\n${here.host} is now the default.\n`,
    ]);
  });
});

test('svc auth switch exits 2 in a pipe, and reports that the host is missing', async () => {
  const { code, stderr } = await here.svc(['auth', 'switch']);
  expect([code, stderr]).toEqual([2, 'svc: "svc auth switch" needs <host>.\n  See: svc auth switch --help\n']);
});
