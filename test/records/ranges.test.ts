import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { INTERPRETATIONS, type Interpretations } from '../../src/sandbox/interpretations.ts';
import { type WithToken, withToken } from '../rules/with-token.ts';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import { signedIn } from '../support/svc.ts';

// Spans of days: what a person means by two dates, what is sent for it, and what a list by a span finds. The zone is Europe/Amsterdam.

const ZONE = 'Europe/Amsterdam';
const NOW = Date.parse('2026-12-09T10:00:00Z');

describe('the start and the end of a record', () => {
  let here: Recording;
  beforeAll(async () => {
    here = await startRecording();
    // The zone of the token's own user is known from here on.
    await here.svc(['worklogs', 'list', '--from', 'today'], { now: NOW });
  });
  afterAll(() => here.remove());

  async function sent(...argv: string[]) {
    here.sent();
    const { code, stderr } = await here.svc(argv, { now: NOW });
    return { code, stderr, body: here.sent().length === 0 ? undefined : JSON.parse(here.server.requests.at(-1)?.body ?? 'null') };
  }

  const WEEK = { start: '2026-12-06T23:00:00Z', end: '2026-12-11T22:59:59Z' };
  const UNDERSTOOD = 'Understood: 2026-12-07 00:00 to 2026-12-11 23:59 Europe/Amsterdam\n';

  test.each([
    [['absences', 'create', '--start', '2026-12-07', '--end', '2026-12-11'], WEEK, UNDERSTOOD],
    [['absences', 'create', '-F', 'start=2026-12-07', '-F', 'end=2026-12-11'], WEEK, UNDERSTOOD],
    [['absences', 'create', '--start', 'monday', '--end', '+2d'], WEEK, UNDERSTOOD],
    [['absences', 'create', '--start', 'today'], { start: '2026-12-08T23:00:00Z' }, 'Understood: from 2026-12-09 00:00 Europe/Amsterdam\n'],
    [
      ['absences', 'update', '88', '--end', 'today'],
      { end: '2026-12-09T22:59:59Z' },
      'Understood: until 2026-12-09 23:59 Europe/Amsterdam\n',
    ],
    [
      ['absences', 'create', '--start', '2026-12-07 09:00', '--end', '2026-12-11 17:00'],
      { start: '2026-12-07T08:00:00Z', end: '2026-12-11T16:00:00Z' },
      'Understood: 2026-12-07 09:00 to 2026-12-11 17:00 Europe/Amsterdam\n',
    ],
    [['events', 'create', '--title', 'Fair', '--start', '2026-12-07', '--end', '2026-12-11'], { title: 'Fair', ...WEEK }, UNDERSTOOD],
    [
      ['events', 'update', '4', '--end', 'tomorrow'],
      { end: '2026-12-10T22:59:59Z' },
      'Understood: until 2026-12-10 23:59 Europe/Amsterdam\n',
    ],
    // Nothing had to be chosen.
    [['absences', 'create', '--start', WEEK.start, '--end', WEEK.end], WEEK, ''],
    [['absences', 'create', '-f', `start=${WEEK.start}`], { start: WEEK.start }, ''],
    [['absences', 'update', '88', '--end', 'none'], { end: null }, ''],
    [['absences', 'create', '--data', JSON.stringify(WEEK)], WEEK, ''],
  ])('are sent as times that include the last day, for %j (rules 2.17, 18.34)', async (argv, body, told) => {
    expect(await sent(...argv)).toEqual({ code: 0, body, stderr: told });
  });

  test('enclose a day of 23 hours when the clocks go forward', async () => {
    const { body } = await sent('absences', 'create', '--start', '2026-03-29', '--end', '2026-03-29');
    expect(body).toEqual({ start: '2026-03-28T23:00:00Z', end: '2026-03-29T21:59:59Z' });
  });

  test('cause exit 2 when the end is before the start', async () => {
    // On a Wednesday the latest Friday was last week.
    const { code, stderr, body } = await sent('absences', 'create', '--start', 'monday', '--end', 'friday');
    expect([code, body]).toEqual([2, undefined]);
    expect(stderr).toContain('The end is before the start: 2026-12-07 00:00 to 2026-12-04 23:59 Europe/Amsterdam');
  });

  test('are sent as days when the service refuses date-times (rules 2.19, 18.4, 18.34)', async () => {
    const refusal = { type: 'https://x.example/validation-failed', status: 422, code: 'date_format', key: 'start', detail: 'A date.' };
    here.server.script(json(422, refusal));
    const days = ['absences', 'create', '--start', '2026-12-07', '--end', '2026-12-11'];
    const { code, stderr, body } = await sent(...days);
    expect([code, body]).toEqual([0, { start: '2026-12-07', end: '2026-12-11' }]);
    expect(stderr).toContain('The service stores whole days here, so svc sends 2026-12-07 and 2026-12-11.');
    const [first, second] = here.server.requests.slice(-2);
    expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
    // A time of day is no day, and whatever else is refused is refused.
    here.server.script(json(422, refusal));
    expect((await sent('absences', 'create', '--start', '2026-12-07 09:00')).code).toBe(9);
    here.server.script(json(422, { ...refusal, code: 'required', key: 'user_id' }));
    expect((await sent(...days)).code).toBe(9);
  });

  test('are reported when the service stores other days or times', async () => {
    here.server.script(json(201, { data: { id: 5, start: '2026-12-06', end: '2026-12-11' } }));
    const { stderr } = await sent('absences', 'create', '--start', '2026-12-07', '--end', '2026-12-11');
    expect(stderr).toContain('The service stored start as 2026-12-06 instead of 2026-12-07.');
    expect(stderr).not.toContain('stored end');
    here.server.script(json(201, { data: { id: 5, start: WEEK.start, end: '2026-12-11T00:00:00Z' } }));
    const timestamps = await sent('absences', 'create', '--start', '2026-12-07', '--end', '2026-12-11');
    expect(timestamps.stderr).toContain('The service stored end as 2026-12-11 01:00 instead of 2026-12-11 23:59.');
    expect(timestamps.stderr).not.toContain('stored start');
    here.server.script(json(201, { data: { id: 5, ...WEEK } }));
    expect((await sent('absences', 'create', '--start', '2026-12-07', '--end', '2026-12-11')).stderr).toBe(UNDERSTOOD);
  });

  test('include the last day in an import', async () => {
    here.sent();
    const { code } = await here.svc(['absences', 'import', '-', '--output', 'ids'], {
      stdin: 'start,end\n2026-12-07,2026-12-11\n',
      now: NOW,
    });
    expect([code, JSON.parse(here.server.requests.at(-1)?.body ?? '')]).toEqual([0, WEEK]);
  });
});

test('svc prints that an edited date range includes its last day', async () => {
  const here = await signedIn({ limits: 'off' });
  const { stdout } = await here.svc(['absences', 'create', '--start', '2026-12-07', '--end', '2026-12-08', '--jq', '.id']);
  const edited = await here.svc(['absences', 'edit', stdout.trim()], {
    answers: [],
    env: { EDITOR: 'an-editor' },
    async program(_, [file = '']) {
      await writeFile(file, (await readFile(file, 'utf8')).replace(/^end: .*$/m, 'end: 2026-12-11'));
      return 0;
    },
  });
  expect([edited.code, JSON.parse(edited.stdout).end], edited.stderr).toEqual([0, '2026-12-11T22:59:59Z']);
  expect(edited.stderr).toContain('Understood: until 2026-12-11 23:59 Europe/Amsterdam');
  await here.remove();
});

describe('a date range in the sandbox', () => {
  let here: WithToken;
  afterEach(() => here.remove());

  test.each(INTERPRETATIONS.absenceBounds)('keeps five days when absenceBounds is %s (rules 18.4, 18.34)', async (absenceBounds) => {
    here = await withToken({ interpretations: { absenceBounds } });
    const shown = await here.read('absences', 'create', '--user', '1', '--start', '2026-12-07', '--end', '2026-12-11');
    const days = [shown.start, shown.end].map((bound: string) =>
      absenceBounds !== 'date-time' ? bound : new Date(bound).toLocaleDateString('sv', { timeZone: 'Europe/Amsterdam' }),
    );
    expect(days).toEqual(['2026-12-07', '2026-12-11']);
  });
});

describe('a list with a date range', () => {
  let here: WithToken;
  afterEach(() => here.remove());

  /** Absences of one person, in the order in which a list has them. */
  const ABSENCES: readonly (readonly [name: string, start: string, end: string | null])[] = [
    ['after', '2029-05-12T22:00:00Z', '2029-05-13T21:59:59Z'],
    ['last day of it', '2029-05-11T08:00:00Z', '2029-05-20T21:59:59Z'],
    ['running, new', '2029-05-09T22:00:00Z', null],
    ['within', '2029-05-08T22:00:00Z', '2029-05-09T21:59:59Z'],
    ['first day of it', '2029-05-01T22:00:00Z', '2029-05-07T21:59:59Z'],
    ['before', '2029-05-01T08:00:00Z', '2029-05-06T21:59:59Z'],
    ['running, old', '2029-01-01T23:00:00Z', null],
    ['around', '2028-12-01T23:00:00Z', '2029-12-31T22:59:59Z'],
  ];
  const AWAY = ['last day of it', 'running, new', 'within', 'first day of it', 'running, old', 'around'];
  const RANGE = ['--user', '3', '--from', '2029-05-07', '--to', '2029-05-11', '--filter', 'created_at.gte=2020-01-01'];

  async function start(interpretations: Partial<Interpretations> = {}): Promise<Map<number, string>> {
    here = await withToken({ interpretations });
    for (const id of await here.read('absences', 'list', '--user', '3', '--jq', 'map(.id)')) {
      await here.svc(['absences', 'delete', String(id), '--yes']);
    }
    const names = new Map<number, string>();
    for (const [name, from, to] of [...ABSENCES].reverse()) {
      const ends = to === null ? [] : ['--end', to];
      names.set(await here.read('absences', 'create', '--user', '3', '--start', from, ...ends, '--jq', '.id'), name);
    }
    here.sent();
    return names;
  }

  test.each([
    {},
    { absenceBounds: 'date' as const },
    { summary: 'bare' as const },
    { wrapSingleRecords: false, otherFilters: 'refused' as const, pages: 'snapshot' as const },
  ])(
    'finds absences in that range, newest first, including absences without an end, for %j (rules 9.14, 9.20 to 9.22)',
    async (interpretations) => {
      const names = await start(interpretations);
      const { code, stdout, stderr } = await here.svc(['absences', 'list', ...RANGE, '--jq', 'map(.id)']);
      expect([code, stderr], stderr).toEqual([0, '']);
      expect(JSON.parse(stdout).map((id: number) => names.get(id))).toEqual(AWAY);
      expect(here.sent()).toEqual([
        'GET /absences?filter[start][lte]=2029-05-11T21:59:59Z&filter[user_id]=3&filter[created_at][gte]=2019-12-31T23:00:00Z&filter[end][null]=true&per_page=100',
        'GET /absences?filter[end][gte]=2029-05-06T22:00:00Z&filter[start][lte]=2029-05-11T21:59:59Z&filter[user_id]=3&filter[created_at][gte]=2019-12-31T23:00:00Z&per_page=100',
      ]);
    },
  );

  test('can be limited, sorted and filtered, but not continued by page or cursor', async () => {
    const names = await start();
    const named = async (...more: string[]) => {
      const { code, stdout, stderr } = await here.svc(['absences', 'list', ...RANGE, ...more, '--output', 'ids']);
      return {
        code,
        names: stdout
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((id) => names.get(Number(id))),
        stderr,
      };
    };
    for (let limit = 1; limit <= AWAY.length; limit += 1) {
      const { names: some, stderr } = await named('-L', String(limit), '--per-page', '2');
      expect(some).toEqual(AWAY.slice(0, limit));
      expect(stderr.includes(limit === 1 ? 'There are more rows than this one' : 'There are more rows than these')).toBe(
        limit < AWAY.length,
      );
      expect(stderr.includes('To continue')).toBe(false);
    }
    expect((await named('--sort', 'start')).names).toEqual([...AWAY].reverse());
    expect((await named('--sort', '-id')).names).toEqual(AWAY);
    expect((await named('--with-total')).stderr).toBe('6 rows in all.\n');
    expect((await named('--running')).names).toEqual(['running, new', 'running, old']);
    expect((await named('--filter', 'end.null=false')).names).toEqual(AWAY.filter((name) => !name.startsWith('running')));
    expect((await named('--filter', 'end.lte=2029-05-31')).names).toEqual(['last day of it', 'within', 'first day of it']);
    here.sent();
    for (const [flag, value, message] of [
      ['--page', '2', 'so svc cannot use --page.'],
      ['--cursor', 'abc', 'so svc cannot use --cursor.'],
      ['--sort', 'note', '--sort: '],
    ] as const) {
      const { code, stderr } = await named(flag, value);
      expect([code, here.sent(), stderr.includes(message)], stderr).toEqual([2, [], true]);
    }
  });

  test('compares only the start of each row with --starts-from, --starts-to or --year (rules 9.20, 9.30)', async () => {
    await start();
    await here.svc(['absences', 'list', '--starts-from', '2029-05-07', '--starts-to', '2029-05-11']);
    await here.svc(['absences', 'list', '--year', '2029']);
    await here.svc(['absences', 'list', '--to', '2029-05-11', '-L', '1']);
    expect(here.sent()).toEqual([
      'GET /absences?filter[start][gte]=2029-05-06T22:00:00Z&filter[start][lte]=2029-05-11T21:59:59Z&per_page=100',
      'GET /absences?filter[start][gte]=2028-12-31T23:00:00Z&filter[start][lte]=2029-12-31T22:59:59Z&per_page=100',
      'GET /absences?filter[start][lte]=2029-05-11T21:59:59Z&per_page=1',
    ]);
  });

  test('reports rows that end exactly at the start of the range (rule 18.34)', async () => {
    const names = await start();
    const id = await here.read(
      'absences',
      'create',
      '--user',
      '3',
      '--start',
      '2029-05-05',
      '--end',
      '2029-05-06T22:00:00Z',
      '--jq',
      '.id',
    );
    const { stdout, stderr } = await here.svc(['absences', 'list', ...RANGE, '--jq', 'map(.id)']);
    expect(JSON.parse(stdout)).toHaveLength(AWAY.length + 1);
    expect([names.has(id), stderr]).toEqual([false, expect.stringContaining('1 of these rows end exactly at 2029-05-07 00:00')]);
  });
});

describe('a list of one day', () => {
  let here: WithToken;
  afterEach(() => here.remove());

  test.each(INTERPRETATIONS.wholeDayEnd)(
    'includes an absence on its last day, and reports an end at midnight (wholeDayEnd %s, rule 18.34)',
    async (wholeDayEnd) => {
      here = await withToken();
      // The same seed makes the same absences; here the last day of each is the day of its last second, where the person is.
      const absences = await here.read('absences', 'list', '--filter', 'end.null=false', '--include', 'user');
      const isWhole = ({ end, user }: { end: string; user: { timezone: string | null } }) =>
        new Date(end).toLocaleTimeString('sv', { timeZone: user.timezone ?? 'Europe/Amsterdam' }) === '23:59:59';
      const whole = absences.filter(
        (absence: never) => isWhole(absence) && (absence as { user: { timezone: string } }).user.timezone === ZONE,
      );
      here.sandbox.interpretations.wholeDayEnd = wholeDayEnd;
      for (const { id, end } of whole.slice(0, 5)) {
        const last = new Date(end).toLocaleDateString('sv', { timeZone: ZONE });
        const next = new Date(Date.parse(end) + 3_600_000).toLocaleDateString('sv', { timeZone: ZONE });
        expect(await here.read('absences', 'list', '--from', last, '--to', last, '--jq', 'map(.id)')).toContain(id);
        const { stdout, stderr } = await here.svc(['absences', 'list', '--from', next, '--to', next, '--jq', 'map(.id)']);
        const isThere = JSON.parse(stdout).includes(id);
        const isNextMidnight = wholeDayEnd === 'next-midnight';
        expect([isThere, /end exactly at/.test(stderr)]).toEqual([isNextMidnight, isNextMidnight]);
      }
      expect(whole.length).toBeGreaterThan(0);
    },
  );
});

describe('a list that svc merges from two lists', () => {
  let here: Recording;
  beforeAll(async () => {
    here = await startRecording();
  });
  afterAll(() => here.remove());

  /** Answers the walk of those that run, and the other one. */
  function serve(running: readonly object[], ended: readonly object[]): void {
    here.server.fallback((request, response, socket) => {
      const data = request.query.has('filter[end][null]') ? running : ended;
      json(200, { data, meta: { page: { total: data.length } }, links: { next: null } })(request, response, socket);
    });
  }

  test('shows an absence once despite an end date set between the requests', async () => {
    const [first, second, third] = ['2029-03-03', '2029-03-02', '2029-03-01'].map((start, index) => ({ id: index + 1, start, end: null }));
    serve([second ?? {}], [first ?? {}, { ...second, end: '2029-03-05' }, third ?? {}]);
    const { stdout } = await here.svc(['absences', 'list', '--from', '2029-03-01', '--output', 'ids']);
    expect(stdout).toBe('1\n2\n3\n');
  });

  test('shows absences without an end in the order of the other absences', async () => {
    serve(
      [{ id: 5, start: '2029-03-02', end: null }],
      [3, 2, 1].map((day) => ({ id: day, start: `2029-03-0${day}`, end: '2029-03-09' })),
    );
    const { stdout } = await here.svc(['absences', 'list', '--from', '2029-03-01', '--output', 'ids']);
    expect(stdout).toBe('3\n5\n2\n1\n');
  });

  test('shows absences without an end last, with --sort end', async () => {
    serve(
      [{ id: 5, start: '2029-03-02', end: null }],
      [3, 2, 1].map((day) => ({ id: day, start: `2029-03-0${day}`, end: `2029-03-1${9 - day}` })),
    );
    const { stdout } = await here.svc(['absences', 'list', '--from', '2029-03-01', '--sort', 'end', '--output', 'ids']);
    expect(stdout).toBe('3\n2\n1\n5\n');
  });

  test('reports rows without the sort field, and shows all rows (rule 18.23)', async () => {
    serve([{ id: 2 }], [{ id: 1 }, { id: 3 }]);
    const { stdout, stderr } = await here.svc(['absences', 'list', '--from', '2029-03-01', '--output', 'ids']);
    expect(stdout).toBe('1\n3\n2\n');
    expect(stderr).toContain('svc cannot sort these rows, because they have no start. Rows without an end come last.\n');
  });
});

describe('a list of events with a date range', () => {
  let here: WithToken;
  afterEach(() => here.remove());

  test.each(INTERPRETATIONS.otherFilters)(
    'includes the events in that range, with or without an end (otherFilters %s, rule 18.27)',
    async (otherFilters) => {
      here = await withToken({ interpretations: { otherFilters } });
      const make = async (title: string, from: string, to?: string) =>
        here.svc(['events', 'create', '--title', title, '--start', from, ...(to === undefined ? [] : ['--end', to])]);
      await make('over before', '2029-05-01', '2029-05-06');
      await make('begun before', '2029-05-01', '2029-05-07');
      await make('a moment before', '2029-05-06 12:00');
      await make('a moment within', '2029-05-08 12:00');
      await make('last evening', '2029-05-11 20:00', '2029-05-12 01:00');
      await make('after', '2029-05-12', '2029-05-12');
      const titles = await here.read('events', 'list', '--from', '2029-05-07', '--to', '2029-05-11', '--jq', 'map(.title) | sort');
      expect(titles).toEqual(['a moment within', 'begun before', 'last evening']);
    },
  );
});
