import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import type { SandboxOptions } from '../../src/sandbox/start.ts';
import type { RunOptions, SignedIn } from '../support/svc.ts';
import { signInAt } from './support.ts';

// Hours that lack their length are asked for at a terminal; an entry that seems to be there already is asked about before it is sent.

let here: SignedIn | undefined;
afterEach(() => here?.remove());
async function begin(options: SandboxOptions = {}): Promise<SignedIn> {
  // On this day, the user has room for more hours.
  here = await signInAt('2026-06-05T12:00:00Z', options);
  return here;
}
const requests = () =>
  (here?.sandbox.requests ?? []).map(({ method, path }) => `${method} ${decodeURIComponent(path).replace('/api/v2', '')}`);
const writes = () => (here?.sandbox.requests ?? []).filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
async function add(argv: readonly string[], answers?: RunOptions['answers'], more: RunOptions = {}) {
  if (here === undefined) throw new Error('Nobody began.');
  here.sandbox.requests.length = 0;
  return here.svc(['worklogs', 'add', ...argv], { ...(answers !== undefined && { answers }), ...more, env: { NO_COLOR: '1' } });
}

/** Every answer to what the documentation leaves open that matters here. */
const INTERPRETATION_SETS: readonly [string, SandboxOptions][] = [
  ['that follows the documentation', {}],
  ['whose lists show few fields', { interpretations: { summary: 'bare' } }],
  ['without filters and relations', { interpretations: { otherFilters: 'refused', hoursFilters: 'refused', assumedIncludes: 'refused' } }],
  ['that sends single records outside data', { interpretations: { wrapSingleRecords: false, summary: 'all' } }],
];

describe.each(INTERPRETATION_SETS)('the questions of svc worklogs add at a service %s', (_, options) => {
  beforeEach(async () => {
    await begin(options);
  });

  test('ask for your work item, the duration and the description', async () => {
    const mine = JSON.parse((await here?.svc(['work-items', 'get', 'ABC-15']))?.stdout ?? '');
    expect(mine.assignee_id).toBe(1);
    const { code, stderr } = await add([], ['ABC-15', 'long', '1h30', 'It’s --done']);
    expect(code, stderr).toBe(0);
    expect(writes()).toEqual([expect.objectContaining({ minutes: 90, work_item_id: mine.id, description: 'It’s --done' })]);
    const own: { issue_key: string }[] = JSON.parse(
      (await here?.svc(['work-items', 'list', '--mine', '--view', 'detail']))?.stdout ?? '[]',
    );
    const shown = [...stderr.matchAll(/^ {2}([A-Z]+-\d+) · /gm)].map(([, key]) => key);
    expect(own.map((item) => item.issue_key)).toEqual(expect.arrayContaining(shown));
    expect(stderr).toContain(
      `The same with your answers: svc worklogs add --work-item ABC-15 --minutes 1h30 --description 'It’s --done'\n`,
    );
  });

  test('accept “No work item” and an empty description', async () => {
    const { code } = await add([], ['No work item', '45m', '']);
    expect([code, writes().map(({ date: _day, ...rest }) => rest)]).toEqual([0, [{ minutes: 45 }]]);
  });
});

describe('the questions of svc worklogs add', () => {
  beforeEach(async () => {
    await begin();
  });

  test('offer your open work items, with one request', async () => {
    expect((await here?.svc(['work-items', 'transition', 'ABC-15', '--to', 'Done']))?.code).toBe(0);
    const { stderr } = await add(['-n', 'x'], ['No work item', '5m']);
    const looked = requests();
    const list = await here?.svc(['work-items', 'list', '--mine', '--include', 'workflow_status']);
    const own: { issue_key: string; workflow_status: { name: string } }[] = JSON.parse(list?.stdout ?? '[]');
    const shown = [...stderr.matchAll(/^ {2}([A-Z]+-\d+) · /gm)].map(([, key]) => key);
    const open = own.filter(({ workflow_status: { name } }) => !/^(done|cancelled)$/i.test(name));
    expect(open.length).toBeLessThan(own.length);
    expect(shown.sort()).toEqual(open.map((item) => item.issue_key).sort());
    expect(looked.filter((line) => !line.includes('worklogs'))).toEqual([
      'GET /work-items?view=detail&filter[assignee_id]=1&include=workflow_status&per_page=100',
    ]);
  });

  test('ask only for missing values', async () => {
    expect((await add(['ABC-12', 'Review'], ['15m'])).code).toBe(0);
    expect(writes()).toEqual([expect.objectContaining({ minutes: 15, description: 'Review' })]);
    expect((await add(['--project', '2', '--date', '2026-03-02'], ['15m', 'x'])).code).toBe(0);
    expect(writes()).toEqual([{ minutes: 15, description: 'x', project_id: 2, date: '2026-03-02' }]);
  });

  test.each<[string, readonly string[], RunOptions]>([
    ['in a pipe', [], {}],
    ['with --no-input', ['--no-input'], { answers: [] }],
    ['in a dry run', ['--dry-run'], { answers: [] }],
  ])('do not appear %s', async (_, more, options) => {
    const { code, stderr } = await add(more, undefined, options);
    expect([code, stderr, requests()]).toEqual([
      2,
      expect.stringMatching(/^svc: There is nothing to send\.\n {2}See: svc worklogs add/),
      [],
    ]);
  });

  test('lead to no write after a cancel', async () => {
    const cancelled = async (): Promise<string> => {
      throw new InterruptedError('Interrupted.');
    };
    for (const answers of [[cancelled], ['No work item', cancelled], ['No work item', '5m', cancelled]])
      expect([(await add([], answers)).code, writes()]).toEqual([130, []]);
  });
});

describe('an entry that exists already', () => {
  const FLAGS = ['--minutes', '30', '--work-item', 'ABC-12', '--description', 'Review', '--date', '2026-03-02'];
  const WORDS = ['30m', 'ABC-12', 'Review', '--date', '2026-03-02'];
  beforeEach(async () => {
    await begin();
    await add(FLAGS);
  });

  test.each([
    ['you type flags', FLAGS],
    ['you type a natural-language entry', WORDS],
    ['only the length differs', ['--minutes', '45', ...FLAGS.slice(2)]],
  ])('leads to a question when %s', async (_, argv) => {
    const no = await add(argv, [false]);
    expect([no.code, writes()]).toEqual([1, []]);
    expect(no.stderr).toMatch(/Careful: Mon 2026-03-02 has 30m "Review" \(\d+\) already\.\n\? Log the entry anyway\?\n/);
    expect([(await add(argv, [true])).code, writes().length]).toEqual([0, 1]);
  });

  test.each([
    ['another text', [...FLAGS, '--description', 'Other']],
    ['another day', [...FLAGS.slice(0, -1), '2026-03-03']],
    ['another work item', [...FLAGS, '--work-item', 'ABC-13']],
    ['--again', [...FLAGS, '--again']],
    ['--no-check', [...FLAGS, '--no-check']],
    ['an idempotency key', [...FLAGS, '--idempotency-key', 'k1']],
  ])('leads to no question with %s', async (_, argv) => {
    const { code, stderr } = await add(argv, []);
    expect([code, stderr, writes().length]).toEqual([0, expect.not.stringContaining('already'), 1]);
  });

  test.each([
    ['shows the project', 'always', /^(?!.*already)/s],
    ['hides the project', 'never', /has 30m "Call" \(\d+\) already, possibly on another project\.\n/],
  ] as const)('on another project leads to a question unless the service %s', async (_, worklogSummaryIds, message) => {
    Object.assign(here?.sandbox.interpretations ?? {}, { worklogSummaryIds });
    const onProject = (project: string) => ['--minutes', '30', '--project', project, '--description', 'Call', '--date', '2026-03-03'];
    await add(onProject('1'));
    const other = await add(onProject('2'), worklogSummaryIds === 'never' ? [true] : []);
    Object.assign(here?.sandbox.interpretations ?? {}, { worklogSummaryIds: 'as-summary' });
    expect([other.code, other.stderr]).toEqual([0, expect.stringMatching(message)]);
  });

  test('leads to a warning with --yes, without a question', async () => {
    expect(await add([...FLAGS, '--yes'], [])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Careful: Mon 2026-03-02 has 30m'),
    });
  });

  test('is sent in a pipe without a request for the check, unlike at a terminal', async () => {
    const argv = ['--minutes', '30', '--date', '2026-03-02'];
    await add(argv);
    expect([(await add(argv)).code, requests()]).toEqual([0, ['POST /worklogs']]);
    await add(argv, [false]);
    expect(requests()).toEqual([expect.stringContaining('GET /worklogs')]);
  });

  test.each([
    ['only a text', ['--description', 'Alone'], '30m "Alone"'],
    ['only a work item', ['--work-item', 'ABC-13'], '30m on this work item'],
  ])('with %s leads to a question when only the length differs', async (_, fields, shown) => {
    await add(['--minutes', '30', ...fields, '--date', '2026-03-05']);
    const { code, stderr } = await add(['--minutes', '45', ...fields, '--date', '2026-03-05'], [false]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^Careful: Thu 2026-03-05 has ${shown} \\(\\d+\\) already\\.$`, 'm')),
    ]);
  });

  test('without text and work item leads to a question only for the same length', async () => {
    await add(['--minutes', '30', '--date', '2026-03-04']);
    expect((await add(['--minutes', '45', '--date', '2026-03-04'], [])).code).toBe(0);
    expect((await add(['--minutes', '30', '--date', '2026-03-04'], [false])).code).toBe(1);
  });
});

test('svc worklogs add sends no further request for the check after the service refused to filter by day', async () => {
  await begin({ interpretations: { hoursFilters: 'refused' } });
  const argv = ['--minutes', '30', '--date', '2026-03-02'];
  await add(argv);
  expect([(await add(argv, [])).code, requests().length]).toEqual([0, 2]);
  expect([(await add(argv, [])).code, requests()]).toEqual([0, ['POST /worklogs']]);
});

test('svc worklogs add ignores entries of other people when the service cannot filter by user', async () => {
  await begin({ interpretations: { hoursFilters: 'by-date', summary: 'all' } });
  const argv = ['--minutes', '30', '--date', '2026-03-02', '--description', 'Same'];
  await add([...argv, '--user', '2']);
  // The first look finds out what the service refuses.
  await add(['--minutes', '5', '--date', '2026-03-01'], []);
  expect([(await add(argv, [])).code, writes().length]).toEqual([0, 1]);
  expect([(await add(argv, [false])).code, writes().length]).toEqual([1, 0]);
});

test('svc worklogs add logs the entry after a failed check', async () => {
  await begin();
  here?.sandbox.setFaults([{ method: 'GET', path: '/worklogs', status: 500, times: Number.POSITIVE_INFINITY }]);
  const { code, stderr } = await add(['--minutes', '30', '--date', '2026-03-02'], [], { hurried: true });
  expect([code, stderr, writes().length]).toEqual([0, expect.stringContaining('svc could not check whether an equal entry exists'), 1]);
});
