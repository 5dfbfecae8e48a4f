// The line at the bottom of a terminal while something takes long. Every wait is over at once here; the clock says that it was not.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';

let recording: Recording;
beforeEach(async () => {
  recording = await startRecording();
});
afterEach(() => recording.remove());

const ROWS = 40;
const PER_PAGE = 2;
const LIMIT = 10;
const WINDOW = 30;

/**
 * Worklogs in pages of two, from a budget of ten units that is full again when it was used up. Before the pages from the rows `busy`
 * it is busy once, for two seconds. From the row `counted` on, pages wait until somebody has been told how many there are.
 */
function collection({ counts = true, busy = [] as number[], counted = Number.POSITIVE_INFINITY } = {}): Answer {
  let spent = 0;
  const toCome = new Set(busy);
  const told = Promise.withResolvers<void>();
  return (request, response, socket) => {
    const { query } = request;
    if (toCome.delete(Number(query.get('cursor') ?? 0))) return json(503, {}, { 'retry-after': '2' })(request, response, socket);
    const isCount = query.get('with_total') === '1';
    spent += isCount ? 3 : 1;
    const remaining = LIMIT - 1 - ((spent - 1) % LIMIT);
    const headers = { ratelimit: `limit=${LIMIT}, remaining=${remaining}, reset=${WINDOW}`, 'ratelimit-policy': `${LIMIT};w=${WINDOW}` };
    if (isCount && !counts) return json(400, { type: 'unsupported-parameter', detail: 'Not counted.' }, headers)(request, response, socket);
    if (isCount) response.once('finish', told.resolve);
    const from = Number(query.get('cursor') ?? 0);
    const data = Array.from({ length: PER_PAGE }, (_, index) => ({ id: from + index }));
    const next = from + PER_PAGE < ROWS ? `${recording.server.origin}${request.path}?cursor=${from + PER_PAGE}` : null;
    const send = json(200, { data, meta: { page: { total: isCount ? ROWS : null } }, links: { next } }, headers);
    if (from < counted) send(request, response, socket);
    else void told.promise.then(() => send(request, response, socket));
  };
}

const LIST = ['worklogs', 'list', '--output', 'ids'];
const AT_A_TERMINAL = { answers: [], hurried: true } as const;

/** Discovery with worklogs alone, before whatever else is asked. */
function withDiscovery(rest: Answer): Answer {
  return (request, response, socket) => {
    const isDiscovery = request.path === '/api/v2' || request.path === '/api/v2/';
    const entry = { name: 'worklogs', path: '/worklogs', item_path: '/worklogs/{worklog}' };
    (isDiscovery ? json(200, { data: [entry], links: { next: null } }) : rest)(request, response, socket);
  };
}

/** What the line said, each time. */
function drawn(stderr: string): string[] {
  return [...stderr.matchAll(/\r\u001b\[K(\d[^\r\n]* a second[^\r\n]*)/g)].map(([, line = '']) => line);
}

describe('a long list', () => {
  it('shows rows, rate, rate-limit units and remaining time, after one request for the total', async () => {
    recording.server.fallback(collection({ busy: [0, 32], counted: 20 }));
    const { code, stderr } = await recording.svc(LIST, AT_A_TERMINAL);
    expect(code).toBe(0);
    const lines = drawn(stderr);
    expect(lines[0]).toMatch(/^\d+ rows, [\d.]+ a second, \d of 10 rate-limit units left$/);
    expect(lines.at(-1)).toMatch(/^\d+ of 40 rows, [\d.]+ a second, \d of 10 rate-limit units left, \d+ (s|min) to go$/);
    expect(recording.sent().filter((request) => request.includes('with_total'))).toEqual(['GET /worklogs?per_page=1&with_total=1']);
    // Taken away before anything else is said.
    expect(stderr.endsWith('\r\u001b[K')).toBe(true);
  });

  it('prints lines for a screen reader, without redrawing', async () => {
    recording.server.fallback(collection({ busy: [0, 8, 16, 24, 32] }));
    const { code, stderr } = await recording.svc(LIST, { ...AT_A_TERMINAL, env: { ACCESSIBLE: '1' } });
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/[\r\u001b]/);
    const lines = stderr.split('\n').filter((line) => / a second/.test(line));
    expect(lines[0]).toMatch(/^\d+ (of 40 )?rows, [\d.]+ a second/);
  });

  it('includes the wait for rate-limit units in the remaining time, even after a fast start', async () => {
    recording.server.fallback(collection({ busy: [0, 8] }));
    const { stderr } = await recording.svc([...LIST, '--limit', '36'], AT_A_TERMINAL);
    const lines = drawn(stderr);
    // Two rows in two seconds, and then eight in four: 28 more are 14 units, of which 6 or 5 are left.
    expect(lines[0]).toMatch(/^2 of 36 rows, [01]\.\d a second, \d of 10 rate-limit units left, (3[4-9]|4\d) s to go$/);
    expect(lines[1]).toMatch(/^(8|10) of 36 rows, [12]\.\d a second, [56] of 10 rate-limit units left, (29|30) s to go$/);
  });

  it('does not wait for the total after the list has finished', async () => {
    const rows = collection({ busy: [0] });
    let closed: Promise<void> | undefined;
    recording.server.fallback((request, response, socket) => {
      if (request.query.get('with_total') !== '1') return rows(request, response, socket);
      closed = new Promise((resolve) => socket.once('close', () => resolve()));
    });
    const { code, stderr } = await recording.svc(LIST, AT_A_TERMINAL);
    expect(code).toBe(0);
    // Once, for the service that was busy.
    expect(stderr.match(/tries again/g)).toHaveLength(1);
    await closed;
    expect(recording.sent().filter((request) => request.includes('with_total'))).toHaveLength(1);
  });

  it('requests the total only when enough rate-limit units are left', async () => {
    // At the first line two of ten units are left, and at the second seven again. The rest waits for the count, which the end would give up.
    recording.server.fallback(collection({ busy: [14, 24], counted: 26 }));
    expect((await recording.svc(LIST, AT_A_TERMINAL)).code).toBe(0);
    const sent = recording.sent();
    const at = (what: string) => sent.findIndex((request) => request.includes(what));
    expect(at('with_total')).toBeGreaterThan(at('cursor=24'));
  });

  it('shows no remaining time when the service does not count the rows', async () => {
    recording.server.fallback(collection({ counts: false, busy: [0, 8, 16] }));
    const { code, stderr } = await recording.svc(LIST, AT_A_TERMINAL);
    expect(code).toBe(0);
    expect(drawn(stderr).length).toBeGreaterThan(2);
    expect(recording.sent().filter((request) => request.includes('with_total'))).toHaveLength(1);
    expect(drawn(stderr).at(-1)).toMatch(/^\d+ rows, [\d.]+ a second, \d of 10 rate-limit units left$/);
    expect(stderr).not.toContain('Not counted');
  });

  it.each<[string, string[], object]>([
    ['stderr is not a terminal', [], { hurried: true }],
    ['the rows go to the terminal', [], { ...AT_A_TERMINAL, terminal: 80 }],
    ['you give --quiet', ['--quiet'], AT_A_TERMINAL],
    ['TERM is dumb', [], { ...AT_A_TERMINAL, env: { TERM: 'dumb' } }],
  ])('shows no progress and requests no total when %s', async (_when, flags, options) => {
    recording.server.fallback(collection());
    const { code, stderr } = await recording.svc([...LIST, ...flags], options);
    expect(code).toBe(0);
    expect(stderr).not.toContain('a second');
    expect(recording.sent().filter((request) => request.includes('with_total'))).toEqual([]);
  });
});

describe('an export at a terminal', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-export-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  /** Stops an export after twenty rows, and returns the progress lines of the next export. The service refuses a dead cursor. */
  async function goneOn(cursor: 'alive' | 'dead'): Promise<string[]> {
    let rows = collection();
    let run = 1;
    recording.server.fallback(
      withDiscovery((request, response, socket) => {
        if (request.query.get('cursor') !== '20' || run === 0) return rows(request, response, socket);
        if (run === 1) return json(401, { detail: 'No.' })(request, response, socket);
        run = 0;
        if (cursor === 'alive') return rows(request, response, socket);
        json(400, { type: 'invalid-cursor', detail: 'No.' })(request, response, socket);
      }),
    );
    expect((await recording.svc(['export', directory, 'worklogs'], { hurried: true })).code).toBe(4);
    run = 2;
    rows = collection({ busy: [22, 34], counted: 28 });
    const { code, stderr } = await recording.svc(['export', directory, 'worklogs'], AT_A_TERMINAL);
    expect(code, stderr).toBe(0);
    return drawn(stderr);
  }

  it('shows progress that also counts the rows of an earlier run', async () => {
    const lines = await goneOn('alive');
    for (const line of lines) expect(Number(/^\d+/.exec(line)?.[0])).toBeGreaterThan(20);
    expect(lines.at(-1)).toMatch(/^\d+ of 40 rows, .* to go$/);
  });

  it('shows one sum of rows while svc reads several resources', async () => {
    const answers: Record<string, Answer> = {
      '/api/v2/worklogs': collection({ busy: [22, 34] }),
      '/api/v2/customers': collection({ busy: [30] }),
    };
    recording.server.fallback((request, response, socket) => {
      const data = ['worklogs', 'customers'].map((name) => ({ name, path: `/${name}`, item_path: `/${name}/{id}` }));
      (answers[request.path] ?? json(200, { data, links: { next: null } }))(request, response, socket);
    });
    const { code, stderr } = await recording.svc(['export', directory], AT_A_TERMINAL);
    expect(code, stderr).toBe(0);
    const lines = drawn(stderr);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^\d+ of 80 rows, .* to go$/);
    const rows = lines.map((line) => Number(/^\d+/.exec(line)?.[0]));
    expect(rows).toEqual(rows.toSorted((one, other) => one - other));
  });

  it('counts from the start when the export reads all rows again', async () => {
    const lines = await goneOn('dead');
    for (const line of lines) expect(Number(/^\d+/.exec(line)?.[0])).toBeLessThanOrEqual(40);
    expect(lines.at(-1)).toMatch(/^\d+ of 40 rows, .* to go$/);
  });
});

describe('a long export or sync', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-export-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const HEAVY = 300_000;
  /** Many worklogs, of which one comes, and customers that the service does not count. */
  const heavy: Answer = (request, response, socket) => {
    const headers = { ratelimit: 'limit=600, remaining=500, reset=40', 'ratelimit-policy': '600;w=60' };
    const isCount = request.query.get('with_total') === '1';
    const of = request.path.endsWith('/worklogs') ? HEAVY : undefined;
    if (isCount && of === undefined)
      return json(400, { type: 'unsupported-parameter', detail: 'Not counted.' }, headers)(request, response, socket);
    const next = request.query.get('per_page') === '1' ? `${recording.server.origin}${request.path}?cursor=1` : null;
    json(200, { data: [{ id: 1 }], meta: { page: { total: isCount ? of : null } }, links: { next } }, headers)(request, response, socket);
  };
  const twoResources: Answer = (request, response, socket) => {
    const isDiscovery = request.path === '/api/v2' || request.path === '/api/v2/';
    const data = ['worklogs', 'customers'].map((name) => ({ name, path: `/${name}`, item_path: `/${name}/{id}` }));
    (isDiscovery ? json(200, { data, links: { next: null } }) : heavy)(request, response, socket);
  };

  it.each([
    ['export', () => [directory]],
    ['sync', () => ['--to', join(directory, 'local.sqlite')]],
  ])('(svc %s) prints its cost by resource at a terminal, and names resources of unknown cost', async (command, args) => {
    recording.server.fallback(twoResources);
    const { stderr } = await recording.svc([command, ...args()], AT_A_TERMINAL);
    expect(stderr).toContain('About 9000 rate-limit units for 300000 rows in the detail view; svc could not count 1 resource.');
    expect(stderr).toContain(
      'The run takes 15 min at 585 rate-limit units a minute. Ctrl-C stops svc. The same command resumes\nthe run.\n',
    );
    expect(stderr).toContain('  worklogs: 300000 rows, 9000 rate-limit units, 15 min\n  Unknown: customers\n');
  });

  it('(svc sync) prints its cost at a terminal, also for tables that an earlier sync stored', async () => {
    recording.server.fallback(twoResources);
    const to = join(directory, 'local.sqlite');
    await recording.svc(['sync', 'worklogs', '--to', to, '--quiet'], AT_A_TERMINAL);
    const database = new DatabaseSync(to);
    database.exec(`UPDATE svc_tables SET rows = ${HEAVY}`);
    const { stderr } = await recording.svc(['sync', 'worklogs', '--to', to, '--verify'], AT_A_TERMINAL);
    expect(stderr).toContain(
      'The run takes 5 min to 15 min at 585 rate-limit units a minute. Ctrl-C ends the sync, and keeps\nfinished tables.\n',
    );
    expect(stderr).toContain('  worklogs: 300000 rows, up to 9000 rate-limit units, 15 min\n');
    database.exec(`UPDATE svc_tables SET rows = ${HEAVY}`);
    const later = await recording.svc(['sync', 'worklogs', '--to', to], AT_A_TERMINAL);
    expect(later.stderr).not.toContain('The run takes');
    database.exec(`UPDATE svc_tables SET rows = ${HEAVY}, as_of = '2020-01-01T00:00:00Z'`);
    database.close();
    const old = await recording.svc(['sync', 'worklogs', '--to', to], AT_A_TERMINAL);
    expect(old.stderr).toContain(
      'The run takes 15 min at 585 rate-limit units a minute. Ctrl-C ends the sync, and keeps finished\ntables.\n',
    );
    expect(old.stderr).toContain('  worklogs: 300000 rows, 9006 rate-limit units, 15 min\n');
  });

  it('calculates the time from --rate (svc export)', async () => {
    recording.server.fallback(twoResources);
    const { stderr } = await recording.svc(['export', directory, '--rate', '10'], AT_A_TERMINAL);
    expect(stderr).toMatch(/The run takes 2\.5 h at 60 rate-limit units a minute\. /);
  });

  it.each<[string, string[], object]>([
    ['in a pipe', [], { hurried: true }],
    ['with --quiet', ['--quiet'], AT_A_TERMINAL],
  ])('(svc sync) requests no totals and prints no cost %s', async (_, flags, options) => {
    recording.server.fallback(twoResources);
    const { stderr } = await recording.svc(['sync', '--to', join(directory, 'local.sqlite'), ...flags], options);
    expect(stderr).not.toMatch(/About|The run takes/);
    expect(recording.sent().filter((request) => request.includes('with_total'))).toEqual([]);
  });
});
