import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { layOut, type TimeBlock } from '../../src/time/blocks.ts';
import type { Interval } from '../../src/time/calendar.ts';
import { type HttpServer, json, startHttpServer } from '../support/http-server.ts';
import type { RunOptions } from '../support/svc.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

/** The Monday after the recorded week. In Cairo, the clocks go back on Thursday 30 October 2031, at midnight. */
const NOW = Date.parse('2031-11-03T08:00:00Z');

const recorded = (name: string) => fileURLToPath(new URL(`recorded-week/${name}`, import.meta.url));

let here: PinnedSandbox;

async function put(name: string, ...to: string[]): Promise<void> {
  const path = join(here.home, ...to);
  await mkdir(dirname(path), { recursive: true });
  await cp(recorded(name), path);
  await utimes(path, NOW / 1000, NOW / 1000);
}

beforeAll(async () => {
  // Years after the entries that the sandbox comes with.
  const still = await signInAt('2026-06-05T10:00:00Z');
  here = { ...still, svc: (argv, options) => still.svc(argv, { now: NOW, ...options }) };
  const moved = await here.svc(['api', 'PATCH', '/users/1', '--input', '-'], { stdin: '{"timezone":"Africa/Cairo"}' });
  expect(moved.code, moved.stderr).toBe(0);
  await put('webshop.jsonl', '.claude/projects/-home-sanne-code-webshop/s1.jsonl');
  await put('nightly.jsonl', '.claude/projects/-home-sanne-code-nightly/s2.jsonl');
  await put('future.jsonl', '.claude/projects/-home-sanne-code-nightly/s3.jsonl');
  await put('rollout-import.jsonl', '.codex/sessions/2031/10/27/rollout-import.jsonl');
  await put('rollout-exec.jsonl', '.codex/sessions/2031/10/27/rollout-exec.jsonl');
  await mkdir(join(here.home, 'code/office'), { recursive: true });
  await writeFile(join(here.home, 'code/office/.svc.json'), '{"project":1}');
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const suggest = (args: readonly string[], options: RunOptions = {}) =>
  here.svc(['worklogs', 'suggest', '--target', '8h', ...args], { cwd: here.home, ...options });

const RECORDED_WEEK = [
  ...['--sessions', '--activitywatch-file', recorded('activitywatch.json'), '--blocks', recorded('blocks.ndjson')],
  ...['--calendar', recorded('calendar.ics'), '2031-10-27', '--week'],
];

interface Row {
  readonly date: string;
  readonly time: string;
  readonly minutes: number;
  readonly work_item: string | null;
  readonly project_id: number | null;
  readonly description: string | null;
  readonly evidence: string;
  readonly is_agent_time?: boolean;
}

const rowsOf = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
  expect(stdout, stderr).toMatch(/^\[/);
  return (JSON.parse(stdout) as readonly Row[]).map(
    ({ date, time, minutes, work_item: item, description, evidence }) =>
      [date.slice(5), time, minutes, item?.split(' ', 1)[0] ?? '-', description ?? '', evidence] as const,
  );
};

const posted = () =>
  here.sandbox.requests
    .filter(({ method, path }) => method === 'POST' && path === '/api/v2/worklogs')
    .map(({ body }) => JSON.parse(body) as { readonly date: string; readonly minutes: number });

const block = (start: string, end: string, more: object = {}) => `${JSON.stringify({ start, end, ...more })}\n`;

describe('recorded work', () => {
  it('becomes entries without overlap, breaks or agent time, and no entry crosses midnight', async () => {
    const result = await suggest(RECORDED_WEEK);
    expect(rowsOf(result)).toEqual([
      // The messages of 09:00 to 10:04, without the stand-up. The agent then worked alone until 10:40.
      [
        '10-27',
        '09:00–09:30, 09:45–10:04, 11:20–11:30',
        59,
        'ABC-5',
        'draw the form',
        'Claude Code in webshop (feature/ABC-5-draw-the-form)',
      ],
      ['10-27', '09:30–09:45', 15, '-', 'Stand-up', 'calendar'],
      ['10-27', '13:00–13:36', 36, 'ABC-7', '', 'Codex in importer (main), by its words'],
      // Two machines: the tower’s editor was open from 10:45, while the laptop’s had the time until 11:00.
      ['10-28', '09:00–11:00', 120, 'ABC-3', '', 'editor in ABC-3-search, by its path'],
      // The tower was in use while nobody was at the laptop, whose browser stayed open.
      ['10-28', '11:00–11:30, 12:30–14:00', 120, 'ABC-9', 'faster build', 'editor in build (feature/ABC-9-faster-build)'],
      ['10-28', '11:30–11:40', 10, 'ABC-11', '', 'window, by its words'],
      // The editor stayed open until 12:30, and the person left at 12:00.
      ['10-28', '11:50–12:00', 10, '-', 'notes', 'editor in notes'],
      ['10-29', '09:00–11:00', 120, '-', 'Support', 'block'],
      ['10-29', '11:00–11:30', 30, 'ABC-2', 'Plan', 'calendar'],
      ['10-29', '11:30–12:15', 45, 'ABC-9', 'Pair on the export', 'block'],
      ['10-29', '13:00–14:00', 60, 'project', 'Fix the printer', 'block in office, by ~/code/office/.svc.json'],
      ['10-29', '14:00–14:30', 30, 'ABC-3', 'dead links', 'block (fix/ABC-3-dead-links)'],
      // At midnight the clocks went back to 23:00, so the day has 25 hours.
      ['10-30', '22:20–24:00', 160, '-', 'nightly', 'Claude Code in nightly (main)'],
      ['10-31', '00:00–00:30', 30, '-', 'nightly', 'Claude Code in nightly (main)'],
      // The hour after midnight is on Saturday, which has no missing hours.
      ['10-31', '23:00–24:00', 60, '-', 'Release', 'block'],
    ]);
    expect(result.stderr).toContain('Left out of the sources: 1 log (Claude Code 9.0.1), 2 unreadable events.\n');
    expect(result.stderr).toContain('Agents worked 1h16 without you. To propose this time too: --agent-time\n');
    expect(result.stderr).toContain('Left out: 1h more than the missing hours, 30m in windows without a work item.\n');
    expect(result.stderr).toContain('To log 15 entries, 15h05 in all, run the same command with --yes.\n');
  });

  it('has each minute once when you write to two agents in turn', async () => {
    for (const [name, minutes] of [
      ['left', ['00', '10']],
      ['right', ['05', '15']],
    ] as const) {
      const line = (minute: string) => ({
        ...{ type: 'user', version: '2.0.0', timestamp: `2031-10-22T06:${minute}:00Z`, cwd: `/home/sanne/${name}` },
        message: { role: 'user', content: 'Go on' },
      });
      const path = join(here.home, `.claude/projects/-home-sanne-${name}/s.jsonl`);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, minutes.map((minute) => `${JSON.stringify(line(minute))}\n`).join(''));
      await utimes(path, NOW / 1000, NOW / 1000);
    }
    const result = await suggest(['--sessions', '2031-10-22']);
    expect(rowsOf(result).map(([, time, minutes, , text]) => [time, minutes, text])).toEqual([
      ['09:00–09:05, 09:10–09:15', 10, 'left'],
      ['09:05–09:10', 5, 'right'],
    ]);
  });

  it('has separate rows for the time of agents with --agent-time', async () => {
    const result = await suggest(['--sessions', '--agent-time', '2031-10-27']);
    expect(rowsOf(result).map(([, ...row]) => row)).toEqual([
      ['09:00–10:04, 11:20–11:30', 74, 'ABC-5', 'draw the form', 'Claude Code in webshop (feature/ABC-5-draw-the-form)'],
      ['10:04–10:45, 11:15–11:20', 46, 'ABC-5', 'draw the form (agent)', 'Claude Code in webshop (feature/ABC-5-draw-the-form)'],
      ['13:00–13:36', 36, 'ABC-7', '', 'Codex in importer (main), by its words'],
      // A program started this session, so nobody attended it.
      ['15:00–15:30', 30, '-', 'importer (agent)', 'Codex in importer'],
    ]);
    expect((JSON.parse(result.stdout) as readonly Row[]).map((row) => row.is_agent_time)).toEqual([false, true, false, true]);
  });

  it.each([{}, { hoursFilters: 'refused', assumedIncludes: 'refused', summary: 'bare' }, { wrapSingleRecords: false }] as const)(
    'is not logged twice, with %j (rules 18.23, 18.27)',
    async (interpretations) => {
      const before = { ...here.sandbox.interpretations };
      Object.assign(here.sandbox.interpretations, interpretations);
      await suggest([...RECORDED_WEEK, '--agent-time', '--yes']);
      const first = posted();
      const again = await suggest([...RECORDED_WEEK, '--agent-time', '--yes']);
      Object.assign(here.sandbox.interpretations, before);
      expect(first.length).toBe(Object.keys(interpretations).length === 0 ? 17 : 0);
      expect(again.code, again.stderr).toBe(0);
      expect(again.stderr).toContain('svc found no meetings and blocks for this time.');
      expect(posted()).toEqual(first);
      // svc sends the entries, and nothing else of the sources.
      const sent = JSON.stringify(here.sandbox.requests);
      for (const secret of ['labels', 'index', 'accents too', 'Siwa', '/home/sanne', 'laptop']) expect(sent).not.toContain(secret);
    },
  );
});

describe('svc worklogs suggest --blocks', () => {
  const on = (args: readonly string[], stdin: string, more: RunOptions = {}) => suggest(['--blocks', '-', ...args], { stdin, ...more });

  it('proposes only the time that no entry has, also after you moved the entry', async () => {
    const early = block('2031-10-06T09:00:00+03:00', '2031-10-06T10:00:00+03:00', { text: 'Search', where: 'ABC-3' });
    const late = block('2031-10-06T13:00:00+03:00', '2031-10-06T13:45:00+03:00', { text: 'Search', where: 'ABC-3' });
    const short = block('2031-10-06T14:00:00+03:00', '2031-10-06T14:04:00+03:00', { where: 'ABC-3' });
    const log = async (stdin: string) => (await on(['2031-10-06', '--yes'], stdin)).stderr;
    expect(await log(early)).toContain('Logged: 1h on Mon 2031-10-06.');
    expect(await log(early + late)).toContain('Logged: 45m on Mon 2031-10-06.');
    expect(await log(early + late + short)).toContain('Left out: 1h45 logged before, 4m of work that took less than 5 minutes.');
    await here.svc(['worklogs', 'update', 'last', '--work-item', '7', '--description', 'Moved']);
    expect(await log(early + late)).toContain('svc found no blocks for this time.');
    expect(posted()).toHaveLength(2);
  });

  it('proposes work of five minutes', async () => {
    const five = block('2031-10-07T09:00:00+03:00', '2031-10-07T09:05:00+03:00', { where: 'ABC-3' });
    expect(rowsOf(await on(['2031-10-07'], five)).map(([, , minutes]) => minutes)).toEqual([5]);
  });

  it('uses the work item of the latest equal text, and proposes at most the missing hours', async () => {
    await here.addRecord('/worklogs', { date: '2031-10-09', minutes: 60, work_item_id: 9, description: 'Support' });
    await here.addRecord('/worklogs', { date: '2031-10-10', minutes: 60, work_item_id: 7, description: 'Support' });
    const support = block('2031-10-13T09:00:00+03:00', '2031-10-13T10:00:00+03:00', { text: 'Support' });
    const long = block('2031-10-13T10:00:00+03:00', '2031-10-13T20:00:00+03:00', { text: 'ABC-5: Review' });
    const result = await on(['2031-10-13'], support + long);
    expect(rowsOf(result).map(([, ...row]) => row)).toEqual([
      ['09:00–10:00', 60, 'ABC-7', 'Support', 'block, by the entry of 2031-10-10'],
      ['10:00–20:00', 420, 'ABC-5', 'Review', 'block, by its words'],
    ]);
    expect(result.stderr).toContain('Left out: 3h more than the missing hours.');
  });

  it('uses entries of the 14 days before for equal texts, and no older entry', async () => {
    for (const [date, description] of [
      ['2031-09-01', 'Two weeks ago'],
      ['2031-08-31', 'Longer ago'],
      ['2031-09-14', 'Yesterday'],
    ] as const)
      await here.addRecord('/worklogs', { date, minutes: 60, work_item_id: 9, description });
    const texts = ['Two weeks ago', 'Longer ago', 'Yesterday'];
    const blocks = texts.map((text, at) => block(`2031-09-15T${at + 10}:00:00+03:00`, `2031-09-15T${at + 11}:00:00+03:00`, { text }));
    expect(rowsOf(await on(['2031-09-15'], blocks.join(''))).map(([, , , item, text]) => [item, text])).toEqual([
      ['ABC-9', 'Two weeks ago; Yesterday'],
      ['-', 'Longer ago'],
    ]);
  });

  it('looks up 50 keys, and leaves out short work on a full day', async () => {
    const keys = Array.from({ length: 52 }, (_, at) => `ZZZ-${at + 1}`);
    const texts = [keys.slice(0, 20), keys.slice(20, 40), keys.slice(40)].map((some) => some.join(' '));
    const times = ['09:00', '10:00', '11:00', '12:00', '17:00', '17:05'];
    const blocks = [...texts, 'Long', 'Short'].map((text, at) =>
      block(`2031-09-16T${times[at]}:00+03:00`, `2031-09-16T${times[at + 1]}:00+03:00`, { text }),
    );
    const { stderr } = await on(['2031-09-16'], blocks.join(''));
    expect(stderr).toContain('svc looks up only 50 of the 52 keys in the sources.\n');
    expect(stderr).toContain('Left out: 5m more than the missing hours.\n');
  });

  it('uses no evidence that names two work items, and no key of an unknown work item', async () => {
    const two = block('2031-10-14T09:00:00+03:00', '2031-10-14T10:00:00+03:00', { text: 'ABC-5 and ABC-7', where: 'sha-256/UTF-8' });
    const unknown = block('2031-10-14T10:00:00+03:00', '2031-10-14T11:00:00+03:00', { where: 'ABC-999' });
    expect(rowsOf(await on(['2031-10-14'], two + unknown)).map(([, ...row]) => row)).toEqual([
      ['09:00–10:00', 60, '-', 'ABC-5 and ABC-7', 'block (sha-256/UTF-8)'],
      ['10:00–11:00', 60, '-', 'ABC-999', 'block'],
    ]);
  });

  it.each([
    ['is not a JSON object', '[1]'],
    ['has no start with a date, a time and an offset', '{"start":"2031-10-13 09:00","end":"2031-10-13T10:00:00Z","text":"x"}'],
    ['has no end with a date, a time and an offset', '{"start":"2031-10-13T09:00:00Z","end":"2031-02-31T10:00:00Z","text":"x"}'],
    ['does not end after its start', '{"start":"2031-10-13T10:00:00Z","end":"2031-10-13T09:00:00Z","text":"x"}'],
    ['has a field "text" or "where" that is not a string', '{"start":"2031-10-13T09:00:00Z","end":"2031-10-13T10:00:00Z","text":7}'],
    ['has neither a field "text" nor a field "where"', '{"start":"2031-10-13T09:00:00Z","end":"2031-10-13T10:00:00Z","text":"\\u202e"}'],
    [
      'has a field "where" that is not an absolute path, a branch or a key',
      '{"start":"2031-10-13T09:00:00Z","end":"2031-10-13T10:00:00Z","where":"../x"}',
    ],
    [
      'has a field "where" that is not an absolute path, a branch or a key',
      '{"start":"2031-10-13T09:00:00Z","end":"2031-10-13T10:00:00Z","where":"\\\\\\\\server\\\\share"}',
    ],
  ])('exits 2 and sends nothing when a line %s', async (why, line) => {
    const { code, stderr } = await on(['2031-10-13', '--yes'], `\n${line}\n`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--blocks: line 2 ${why}.`)]);
    expect(posted()).toEqual([]);
  });

  it('exits 2 for two sources on stdin, for --agent-time without --sessions, and for a large file', async () => {
    for (const [flags, said] of [
      [['--blocks', '-', '--calendar', '-'], '--calendar and --blocks both read standard input.'],
      [['--agent-time'], '--agent-time needs --sessions'],
    ] as const)
      expect(await suggest(flags)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
    const large = join(here.home, 'large.ndjson');
    await writeFile(large, '');
    await truncate(large, 8 * 1024 * 1024 + 1);
    const { code, stderr } = await suggest(['--blocks', large]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not a file of blocks of up to 8 MiB.')]);
  });
});

describe('svc worklogs suggest with commits', () => {
  it('adds commits to the blocks of their time, and counts other commits separately', async () => {
    const repository = join(here.home, 'repository');
    await mkdir(repository);
    const git = (...args: readonly string[]) => {
      const [date = ''] = args.slice(-1);
      execFileSync('git', args.slice(0, -1), {
        ...{ cwd: repository, stdio: 'pipe' },
        env: { PATH: process.env['PATH'], HOME: here.home, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      });
    };
    git('init', '-q', '-b', 'main', '');
    git('config', 'user.email', 'sanne@example.com', '');
    git('config', 'user.name', 'Sanne', '');
    const commit = (at: string, message: string) => git('commit', '-q', '--allow-empty', '-m', message, `2031-10-08T${at}:00+03:00`);
    commit('09:50', 'ABC-5: Draw the form');
    // Less than 15 minutes after the last message.
    commit('10:14', 'ABC-5: Check it');
    // An agent worked from 10:30 to 11:00, and the person was away from 12:00 to 13:00.
    commit('11:00', 'ABC-7: Import names');
    commit('13:15', 'ABC-5: Check the form');
    const at = (time: string) => `2031-10-08T${time}:00Z`;
    const claude = (time: string, type: string) => ({
      ...{ type, version: '2.1.12', cwd: join(repository, 'src'), gitBranch: 'main', timestamp: at(time) },
      message: { role: type, content: 'Go on' },
    });
    const log = [
      ...['06:00', '06:15', '06:30', '06:45', '07:00'].map((time) => claude(time, 'user')),
      ...['07:30', '07:45', '08:00'].map((time) => claude(time, 'assistant')),
    ];
    const path = join(here.home, '.claude/projects/repository/log.jsonl');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, log.map((one) => `${JSON.stringify(one)}\n`).join(''));
    await utimes(path, NOW / 1000, NOW / 1000);
    const away = { type: 'afkstatus', hostname: 'laptop', events: [{ timestamp: at('09:00'), duration: 3600, data: { status: 'afk' } }] };
    await writeFile(join(here.home, 'away.json'), JSON.stringify({ buckets: { away } }));
    const result = await suggest(['--sessions', '--git', '--activitywatch-file', join(here.home, 'away.json'), '2031-10-08'], {
      cwd: repository,
    });
    expect(rowsOf(result).map(([, ...row]) => row)).toEqual([
      ['09:00–10:00', 60, 'ABC-5', 'Check it; Draw the form', 'Claude Code in src (main), 2 commits'],
      // 10:14 to 10:30, before the agent began, in quarters of an hour.
      ['', 15, 'ABC-7', 'Import names', '1 commit'],
      // 11:15 to 12:00, and 13:00 to 13:15.
      ['', 60, 'ABC-5', 'Check the form', '1 commit'],
    ]);
  });
});

describe('svc worklogs suggest --activitywatch', () => {
  const EXPORT = JSON.parse(readFileSync(recorded('activitywatch.json'), 'utf8')) as {
    readonly buckets: Record<string, { events: object[] }>;
  };

  /** Runs svc with an ActivityWatch on another port of this machine. */
  const watched = async (server: HttpServer | undefined, args: readonly string[]) => {
    const to = server?.origin ?? 'http://127.0.0.1:9';
    return suggest(['--activitywatch', ...args], {
      around: (deps) => ({
        ...deps,
        network: {
          ...deps.network,
          request: (request) => deps.network.request({ ...request, url: request.url.replace('http://127.0.0.1:5600', to) }),
        },
      }),
      // Requests to this machine never go through a proxy.
      env: { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' },
    });
  };

  it('reads the buckets of one day, and changes nothing in ActivityWatch', async () => {
    const server = await startHttpServer();
    server.fallback(({ path }, response) => {
      const id = /^\/api\/0\/buckets\/([^/]+)\/events$/.exec(path)?.[1];
      const list = Object.fromEntries(Object.entries(EXPORT.buckets).map(([name, { events: _, ...bucket }]) => [name, bucket]));
      const answer =
        path === '/api/0/info'
          ? { hostname: 'laptop', version: 'v0.13.2 (rust)', testing: false }
          : path === '/api/0/buckets/'
            ? list
            : undefined;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer ?? EXPORT.buckets[id ?? '']?.events ?? null));
    });
    const result = await watched(server, ['2031-10-21']);
    expect(result.stderr).toContain('svc found no blocks for this time.');
    const found = await watched(server, ['2031-10-28']);
    await server.close();
    // The first test logged this week.
    expect(found.stderr).toContain('Left out: 4h20 logged before, 30m in windows without a work item.');
    expect(new Set(server.requests.map(({ method, headers }) => `${method} ${headers.authorization}`))).toEqual(new Set(['GET undefined']));
    expect(server.requests.filter(({ path }) => path.endsWith('/events')).map(({ query }) => [...query.values()])).toContainEqual([
      '2031-10-20T21:00:00.000Z',
      '2031-10-21T21:00:00.000Z',
      '-1',
    ]);
  });

  it('names an unknown version, and exits 8 without a readable answer', async () => {
    const server = await startHttpServer();
    server.script(
      json(200, { version: '1.0.0' }),
      json(401, {}),
      json(200, { version: '0.12.3b1' }),
      json(200, { a: { type: 'afkstatus' } }),
      json(200, {}),
    );
    const unknown = await watched(server, ['2031-10-21']);
    const refused = await watched(server, ['2031-10-21']);
    const odd = await watched(server, ['2031-10-21']);
    await server.close();
    const none = await watched(undefined, ['2031-10-21']);
    expect([unknown.code, unknown.stderr]).toEqual([0, expect.stringContaining('Left out of the sources: ActivityWatch 1.0.0.')]);
    expect([refused.code, refused.stderr]).toEqual([8, expect.stringContaining('answered with HTTP 401.')]);
    expect([odd.code, odd.stderr]).toEqual([8, expect.stringContaining('gave events that svc cannot read.')]);
    expect([none.code, none.stderr]).toEqual([8, expect.stringContaining('does not answer.')]);
  });

  it('exits 2 for a file that is not an export', async () => {
    const path = join(here.home, 'other.json');
    await writeFile(path, '{"buckets":{"a":{"type":"afkstatus"}}}');
    const { code, stderr } = await suggest(['--activitywatch-file', path]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not an export of ActivityWatch.')]);
  });
});

describe('hostile session logs', () => {
  const line = (at: string, more: object = {}) =>
    `${JSON.stringify({
      ...{ type: 'user', version: '2.1.12', cwd: '/srv/x', gitBranch: 'main', timestamp: `2031-10-15T${at}:00Z` },
      message: { role: 'user', content: 'Go on' },
      ...more,
    })}\n`;
  const hour = (more: object = {}) => ['06:00', '06:15', '06:30', '06:45'].map((at) => line(at, more)).join('');

  const logs = (...names: readonly string[]) => join(here.home, '.claude/projects/hostile', ...names);
  const putLog = async (name: string, text: string, size = Buffer.byteLength(text)) => {
    await mkdir(logs(), { recursive: true });
    await writeFile(logs(name), text);
    await truncate(logs(name), size);
    await utimes(logs(name), NOW / 1000, NOW / 1000);
  };
  afterEach(() => rm(logs(), { recursive: true, force: true }));

  it.each([
    ['a message to an agent by another agent', hour({ isSidechain: true })],
    ['a message of a program', hour({ origin: { kind: 'task-notification' } })],
    ['a message of a script', hour({ promptSource: 'sdk' })],
    ['a note of the program', hour({ isMeta: true })],
    ['a summary', hour({ isCompactSummary: true })],
    ['a tool result', hour({ message: { role: 'user', content: [{ type: 'tool_result', content: 'x' }] } })],
    ['an interruption', hour({ message: { role: 'user', content: '[Request interrupted by user for tool use]' } })],
    ['an impossible date', hour({ timestamp: '2031-02-31T06:00:00Z' })],
    ['no version', hour({ version: undefined })],
    ['messages with 16 minutes between them', line('06:00') + line('06:16') + line('06:32')],
    ['a line that is still being written', line('06:00') + line('06:10').slice(0, -1)],
    ['no JSON', 'x\n\0\n{}\n[]\n'],
    ['a very long line', `${line('06:00')}{"a":"${'x'.repeat(17 * 1024 * 1024)}"}\n`],
  ])('add no attended time for %s', async (_, text) => {
    await putLog('log.jsonl', text);
    const result = await suggest(['--sessions', '2031-10-15']);
    expect([result.code, result.stdout], result.stderr).toEqual([0, '[]\n']);
    expect(result.stderr).toContain('svc found no blocks for this time.');
  });

  it('are neither followed as links nor read when too large, and cannot write to your terminal', async () => {
    await mkdir(logs('directory.jsonl'), { recursive: true });
    await putLog('linked.text', hour({ cwd: '/srv/linked' }));
    await symlink(logs('linked.text'), logs('link.jsonl'));
    await putLog('log.jsonl', hour({ cwd: '//server/share', gitBranch: '\u001b]0;x\u0007\u202eABC-5', version: '2.0' }));
    await putLog('unknown.jsonl', hour({ version: '\u001b[2J3' }));
    await putLog('large.jsonl', hour(), 1024 ** 3 + 1);
    const result = await suggest(['--sessions', '2031-10-15']);
    expect(rowsOf(result)).toEqual([['10-15', '09:00–09:45', 45, 'ABC-5', ']0;x', 'Claude Code (]0;x ABC-5)']]);
    expect(result.stderr).toContain('1 log (larger than 1 GiB), 1 log (not a readable file), 1 log (Claude Code [2J3)');
    expect(`${result.stdout}${result.stderr}`).not.toMatch(/\u001b|\u202e/);
  });
});

it('svc places time blocks without overlap, and gives each millisecond to the first source with that millisecond', () => {
  const span = fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 20 })).map(([start, length]) => ({ start, end: start + length }));
  fc.assert(
    fc.property(fc.array(fc.array(span, { maxLength: 6 }), { maxLength: 3 }), fc.array(span, { maxLength: 3 }), (layers, taken) => {
      const named = (source: number, one: Interval): TimeBlock => ({
        ...one,
        source: String(source),
        isAgent: false,
        text: '',
        path: undefined,
        branch: undefined,
        key: undefined,
        words: [],
      });
      const placed = layOut(
        layers.map((layer, index) => layer.map((one) => named(index, one))),
        taken,
      );
      const has = (at: number) => (one: Interval) => one.start <= at && at < one.end;
      for (let at = 0; at < 80; at += 1) {
        const first = taken.some(has(at)) ? -1 : layers.findIndex((layer) => layer.some(has(at)));
        expect(placed.filter(has(at)).map(({ source }) => source)).toEqual(first < 0 ? [] : [String(first)]);
      }
    }),
  );
});
