import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';

let here: Recording;
beforeEach(async () => {
  here = await startRecording();
});
afterEach(() => here.remove());

interface Row {
  readonly [field: string]: unknown;
}

/** Serves pages of rows, and refuses these parameters. */
function serve(rows: readonly Row[], refuses: readonly string[], problem: Row = {}): void {
  here.server.fallback((request, response, socket) => {
    const bad = refuses.find((name) => request.query.has(name));
    if (bad !== undefined) {
      const body = {
        type: 'https://problems.example.com/unsupported-parameter',
        status: 400,
        detail: `The parameter ${bad} is not known here.`,
        parameter: bad,
        ...problem,
      };
      return json(400, body)(request, response, socket);
    }
    const perPage = Number(request.query.get('per_page') ?? 25);
    const at = Number(request.query.get('cursor') ?? 0);
    const end = at + perPage;
    const next = new URL(request.url, here.server.origin);
    next.searchParams.set('cursor', String(end));
    const links = { next: end < rows.length ? next.href : null };
    return json(200, { data: rows.slice(at, end), meta: { page: { total: rows.length } }, links })(request, response, socket);
  });
}

const HOURS: readonly Row[] = Array.from({ length: 250 }, (_, index) => ({
  id: index + 1,
  project_id: [1, 2, 3, 4, 10][index % 5],
  user_id: index % 2 === 0 ? 4 : null,
  date: `2026-01-${String((index % 28) + 1).padStart(2, '0')}`,
  is_overtime: index % 7 === 0,
}));

/** Returns the ids of the rows that `argv` prints. */
async function ids(...argv: string[]): Promise<number[]> {
  const result = await here.svc([...argv, '--output', 'ids']);
  expect(result.code, result.stderr).toBe(0);
  return result.stdout.split('\n').filter(Boolean).map(Number);
}

const idsWhere = (test: (row: Row) => boolean) => HOURS.filter(test).map(({ id }) => id);

describe('an assumed filter that the service refuses (rules 9.1, 14.13, 19.8)', () => {
  it('makes svc filter the detail view when the summary view lacks the field (rule 18.23)', async () => {
    here.server.fallback((request, response, socket) => {
      if (request.query.has('filter[user_id]'))
        return json(400, { type: 'https://x/unsupported-parameter', status: 400, parameter: 'filter[user_id]' })(request, response, socket);
      const inDetail = request.query.get('view') === 'detail';
      const rows = HOURS.map(({ user_id, ...row }) => ({ ...row, ...(inDetail && { user_id }) }));
      return json(200, { data: rows, meta: { page: {} }, links: {} })(request, response, socket);
    });
    expect(await ids('worklogs', 'list', '--user', '4')).toEqual(idsWhere((row) => row['user_id'] === 4));
  });

  it('is applied by svc to every row, with one notice', async () => {
    serve(HOURS, ['filter[project_id]']);
    const result = await here.svc(['worklogs', 'list', '--project', '3', '--output', 'ids']);
    expect(result.stdout.split('\n').filter(Boolean).map(Number)).toEqual(idsWhere((row) => row['project_id'] === 3));
    expect(result.stderr.match(/so svc filters all rows itself/g)).toHaveLength(1);
    expect(here.sent()).toEqual([
      'GET /worklogs?filter[project_id]=3&per_page=100',
      'GET /worklogs?per_page=100',
      'GET /worklogs?per_page=100&cursor=100',
      'GET /worklogs?per_page=100&cursor=200',
    ]);
  });

  it('makes svc repeat the request without this filter, but with the other filters', async () => {
    serve(HOURS, ['filter[project_id]']);
    await here.svc(['worklogs', 'list', '--project', '3', '--from', '2026-01-05']);
    expect(here.sent()[1]).toBe('GET /worklogs?filter[date][gte]=2026-01-05&per_page=100');
  });

  it('can be applied by svc together with a second refused filter', async () => {
    serve(HOURS, ['filter[project_id]', 'filter[date][gte]']);
    const expected = idsWhere((row) => row['project_id'] === 3 && String(row['date']) >= '2026-01-20');
    expect(await ids('worklogs', 'list', '--project', '3', '--from', '2026-01-20')).toEqual(expected);
  });

  it.each([
    ['project_id.in=1,4', (row: Row) => row['project_id'] === 1 || row['project_id'] === 4],
    ['project_id.gt=4', (row: Row) => Number(row['project_id']) > 4],
    ['project_id.gte=4', (row: Row) => Number(row['project_id']) >= 4],
    ['project_id.lt=4', (row: Row) => Number(row['project_id']) < 4],
    // A row without a value is on neither side of a bound.
    ['user_id.gte=4', (row: Row) => row['user_id'] === 4],
    ['user_id.gt=3', (row: Row) => row['user_id'] === 4],
    ['user_id.lte=4', (row: Row) => row['user_id'] === 4],
    ['user_id.lt=5', (row: Row) => row['user_id'] === 4],
    ['date.gte=2026-01-27', (row: Row) => String(row['date']) >= '2026-01-27'],
    ['date.lte=2026-01-02', (row: Row) => String(row['date']) <= '2026-01-02'],
    ['date.lt=2026-01-02', (row: Row) => String(row['date']) < '2026-01-02'],
    ['user_id.null=true', (row: Row) => row['user_id'] === null],
    ['user_id.null=false', (row: Row) => row['user_id'] !== null],
    ['user_id=4', (row: Row) => row['user_id'] === 4],
  ])('makes svc print only the matching rows for %s', async (filter, test) => {
    const [, field, operator] = /^(\w+)(?:\.(\w+))?/.exec(filter) ?? [];
    serve(HOURS, [operator === undefined ? `filter[${field}]` : `filter[${field}][${operator}]`]);
    expect(await ids('worklogs', 'list', '--filter', filter)).toEqual(idsWhere(test));
  });

  it('makes svc count matching rows for --limit, and request no third page', async () => {
    serve(HOURS, ['filter[project_id]']);
    const result = await here.svc(['worklogs', 'list', '--project', '3', '--limit', '4', '--output', 'ids']);
    expect(result.stdout.split('\n').filter(Boolean).map(Number)).toEqual(idsWhere((row) => row['project_id'] === 3).slice(0, 4));
    expect(result.stderr).toContain('There are more rows than these 4. For more, use a larger --limit.');
    // The second page can be under way already. svc requests no third one.
    expect(here.sent().filter((line) => line.includes('cursor=200'))).toEqual([]);
  });

  it.each([
    [9, 50, 'There are more rows than these 9. For more, use a larger --limit.\n'],
    [10, 50, ''],
    [24, 250, 'There are more rows than these 24. For more, use a larger --limit.\n'],
  ])('makes svc report further matching rows with --limit %i of %i rows: %j', async (limit, size, words) => {
    serve(HOURS.slice(0, size), ['filter[project_id]']);
    const { stdout, stderr } = await here.svc(['worklogs', 'list', '--project', '3', '--limit', String(limit), '--output', 'ids']);
    expect(stdout.trim().split('\n')).toHaveLength(limit);
    expect(stderr.replace(/^The service does not filter .*\n/, '')).toBe(words);
  });

  it('is recognised by the parameter or the detail in the refusal (rule 18.16)', async () => {
    for (const parameter of ['project_id', 'filter.project_id', undefined]) {
      serve(HOURS, ['filter[project_id]'], { parameter, detail: 'No such parameter: filter[project_id]' });
      expect(await ids('worklogs', 'list', '--project', '3')).toHaveLength(50);
    }
  });

  it('makes svc exit 9 when the rows lack the field', async () => {
    serve([{ id: 1 }], ['filter[project_id]']);
    const result = await here.svc(['worklogs', 'list', '--project', '3']);
    expect(result.code).toBe(9);
    expect(result.stderr).toContain('The parameter filter[project_id] is not known here.');
  });
});

describe('a refusal of a query parameter', () => {
  it.each([
    ['the filter is documented', ['absences', 'list', '--filter', 'user_id=4'], 'filter[user_id]', {}],
    ['the parameter is not a filter', ['worklogs', 'list', '--sort', 'mood'], 'sort', {}],
    ['svc does not know the filter', ['worklogs', 'list', '--filter', 'mood=good'], 'filter[mood]', {}],
    [
      'the enum value does not exist (rule 2.35)',
      ['projects', 'list', '--status', 'on_hold'],
      'filter[status]',
      { type: 'https://problems.example.com/invalid-query-parameter', code: 'invalid_format' },
    ],
    [
      'the problem has another type',
      ['worklogs', 'list', '--project', '3'],
      'filter[project_id]',
      { type: 'https://problems.example.com/malformed-request' },
    ],
  ])('makes svc exit 9 after one request when %s', async (_, argv, refuses, problem) => {
    serve(HOURS, [refuses], problem);
    const result = await here.svc(argv);
    expect([result.code, result.stdout.trim().replace('[', '')]).toEqual([9, '']);
    expect(here.sent()).toHaveLength(1);
  });
});

describe('a boolean filter that the service refuses (rule 18.6)', () => {
  const RUNNING = [{ id: 1, start: '2026-01-05T08:00:00Z', end: null, user_id: 1 }];
  const asDigit = (parameter: string | undefined) =>
    here.server.fallback((request, response, socket) => {
      const value = request.query.get('filter[end][null]');
      const problem = { type: 'https://x/invalid-query-parameter', status: 400, detail: 'filter[end][null] takes 1 or 0.', parameter };
      if (value === 'true') return json(400, problem)(request, response, socket);
      return json(200, { data: value === '1' ? RUNNING : [], meta: { page: {} }, links: {} })(request, response, socket);
    });

  it.each([
    ['the parameter', 'filter[end][null]'],
    ['the field', 'end'],
    ['no parameter', undefined],
  ])('is sent again as a digit when the problem names %s', async (_, parameter) => {
    asDigit(parameter);
    expect(await ids('absences', 'list', '--running')).toEqual([1]);
  });

  it('is not sent again when another parameter is refused', async () => {
    asDigit('sort');
    expect(await here.svc(['absences', 'list', '--running'])).toMatchObject({ code: 9 });
    expect(here.sent()).toHaveLength(1);
  });
});
