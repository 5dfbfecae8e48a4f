import { describe, expect, test } from 'vitest';
import { problem, sandbox, send } from '../support.ts';

describe('me in a filter', () => {
  test.each([
    ['everywhere', 200],
    ['documented', 400],
  ] as const)('gets 200 in user_id of /absences with the option me %s, and %i in other filters', async (me, status) => {
    const service = await sandbox({ interpretations: { me } });
    expect((await send(service, '/absences?filter[user_id]=me')).status).toBe(200);
    for (const path of ['/worklogs?filter[user_id]=me', '/absences?filter[manager_id]=me', '/work-items?filter[assignee_id][in]=1,me']) {
      const answer = await send(service, path);
      expect([path, answer.status]).toEqual([path, status]);
      if (status === 400) expect(problem(answer)).toMatchObject({ type: 'invalid-query-parameter', code: 'invalid_format' });
    }
  });
});

/** Filters that the service surely has of hours, and one that it may have. */
const HOURS = [
  '/worklogs?filter[date][gte]=2026-01-01',
  '/worklogs?filter[user_id]=1',
  '/worklogs?filter[project_id][in]=1,2',
  '/timers?filter[user_id]=1',
];
const OTHERS = [
  '/worklogs?filter[work_item_id]=12',
  '/projects?filter[status]=active',
  '/users?filter[updated_at][gte]=2026-01-01T00:00:00Z',
];
const DOCUMENTED = [
  '/workflow-transitions?filter[from_status_id]=1',
  '/absences?filter[end][null]=true',
  '/absences?filter[created_at][lt]=2026-01-01T00:00:00Z',
];

describe('filters that the documentation does not show', () => {
  test.each([
    ['taken', 'taken', [200, 200, 200, 200], 200],
    ['by-date', 'taken', [200, 400, 400, 400], 200],
    ['refused', 'taken', [400, 400, 400, 400], 200],
    ['taken', 'refused', [200, 200, 200, 200], 400],
    ['refused', 'refused', [400, 400, 400, 400], 400],
  ] as const)(
    'with hoursFilters %s and otherFilters %s get %j for hours, otherwise %i',
    async (hoursFilters, otherFilters, hours, others) => {
      const service = await sandbox({ interpretations: { hoursFilters, otherFilters } });
      const statuses = (paths: readonly string[]) => Promise.all(paths.map(async (path) => (await send(service, path)).status));
      expect(await statuses(HOURS)).toEqual(hours);
      expect(await statuses(OTHERS)).toEqual([others, others, others]);
      expect(await statuses(DOCUMENTED)).toEqual([200, 200, 200]);
    },
  );

  test('appear in discovery only when the service accepts the filters', async () => {
    const service = await sandbox({
      interpretations: { hoursFilters: 'by-date', otherFilters: 'refused', assumedSorts: 'refused', assumedIncludes: 'refused' },
    });
    const { data } = (await send(service, '/?view=detail')).body;
    const entry = (name: string) => data.find((known: { name: string }) => known.name === name);
    expect(entry('worklogs')).toMatchObject({ filters: [{ field: 'date' }], sorts: ['id'], includes: [] });
    expect(entry('work-items').includes.toSorted()).toEqual(['assignee', 'comments', 'drive_items', 'labels', 'sprint', 'subtasks']);
  });
});

test('sorts that the documentation does not show are refused with assumedSorts: refused, except id and the default order', async () => {
  const service = await sandbox({ interpretations: { assumedSorts: 'refused' } });
  expect(problem(await send(service, '/users?sort=name'))).toEqual({
    status: 400,
    type: 'invalid-query-parameter',
    code: 'in',
    at: 'sort',
  });
  expect((await send(service, '/users?sort=-id')).body.data[0].id).toBe(12);
  expect((await send(service, '/absences')).status).toBe(200);
  service.interpretations.assumedSorts = 'taken';
  expect((await send(service, '/users?sort=name')).status).toBe(200);
});
describe('parameters that the documentation does not show', () => {
  test.each([
    ['taken', [200, 200, 200, 200]],
    ['not-of-worklogs', [400, 200, 400, 200]],
    ['refused', [400, 400, 400, 200]],
  ] as const)('are accepted in include only as assumedIncludes %s allows', async (assumedIncludes, expected) => {
    const service = await sandbox({ interpretations: { assumedIncludes } });
    const paths = [
      '/worklogs?include=user',
      '/users?include=manager',
      '/worklogs/1?include=project',
      '/work-items/12?include=assignee,comments',
    ];
    const answers = await Promise.all(paths.map((path) => send(service, path)));
    expect(answers.map(({ status }) => status)).toEqual(expected);
    for (const refused of answers.filter(({ status }) => status === 400))
      expect(problem(refused)).toMatchObject({ at: 'include', code: 'in' });
  });

  test.each([
    ['by-kind', 'unsupported-parameter', 'invalid-query-parameter'],
    ['unsupported-parameter', 'unsupported-parameter', 'unsupported-parameter'],
    ['invalid-query-parameter', 'invalid-query-parameter', 'invalid-query-parameter'],
  ] as const)('are refused with the problem type of refusalType %s', async (refusalType, filter, value) => {
    const service = await sandbox({ interpretations: { refusalType } });
    for (const [path, type, at] of [
      ['/worklogs?filter[mood]=good', filter, 'filter[mood]'],
      ['/worklogs?sort=mood', value, 'sort'],
      ['/worklogs?include=mood', value, 'include'],
      // A parameter that nobody assumes is documented to be unsupported.
      ['/worklogs?mood=good', 'unsupported-parameter', 'mood'],
    ]) {
      expect(problem(await send(service, path ?? ''))).toMatchObject({ status: 400, type, at });
    }
  });
});

test.each([
  ['minus', '-name', [':desc']],
  ['suffix', 'name:desc', ['-']],
  ['refused', undefined, ['-', ':desc']],
] as const)('the option descending with the value %s sets the form of a descending sort', async (descending, taken, refused) => {
  const service = await sandbox({ interpretations: { descending } });
  if (taken !== undefined) {
    const { data } = (await send(service, `/company-branches?sort=${taken}`)).body;
    expect(data.map((row: { name: string }) => row.name)).toEqual(['Tōkyō 東京', 'Lagos', 'Amsterdam']);
  }
  for (const way of refused) {
    const sort = way === '-' ? '-name' : `name${way}`;
    expect(problem(await send(service, `/company-branches?sort=${sort}`))).toMatchObject({ status: 400, at: 'sort' });
  }
  expect((await send(service, '/company-branches?sort=name')).status).toBe(200);
  // The default order stays as it is documented: newest first.
  const starts = (await send(service, '/absences')).body.data.map((row: { start: string }) => row.start);
  expect(starts).toEqual(starts.toSorted().toReversed());
});

test.each([
  ['words', ['true', 'false'], ['1', '0']],
  ['digits', ['1', '0'], ['true', 'false']],
  ['both', ['true', 'false', '1', '0'], ['yes']],
] as const)('the option booleans with the value %s sets the booleans that a filter accepts', async (booleans, taken, refused) => {
  const service = await sandbox({ interpretations: { booleans } });
  for (const value of taken) {
    const ends = (await send(service, `/absences?filter[end][null]=${value}`)).body.data.map((row: { end: unknown }) => row.end === null);
    expect(new Set(ends)).toEqual(new Set([value === 'true' || value === '1']));
    expect((await send(service, `/worklogs?filter[is_overtime]=${value}`)).status).toBe(200);
  }
  for (const value of refused) {
    expect(problem(await send(service, `/absences?filter[end][null]=${value}`))).toMatchObject({ code: 'invalid_format' });
  }
});

test.each([
  ['with-and-only', [200, 200, 200]],
  ['only', [200, 400, 200]],
  ['nothing', [200, 400, 400]],
] as const)(
  'the option trashedTakes with the value %s sets the values that the parameter trashed accepts',
  async (trashedTakes, expected) => {
    const service = await sandbox({ interpretations: { trashedTakes } });
    const answers = await Promise.all(['without', 'with', 'only'].map((value) => send(service, `/projects?trashed=${value}`)));
    expect(answers.map(({ status }) => status)).toEqual(expected);
  },
);

test('the option cursorBindsTotal decides whether the sandbox accepts a cursor with another with_total', async () => {
  for (const [cursorBindsTotal, status] of [
    [false, 200],
    [true, 400],
  ] as const) {
    const service = await sandbox({ interpretations: { cursorBindsTotal } });
    const { next_cursor } = (await send(service, '/worklogs?per_page=2')).body.meta.page;
    expect((await send(service, `/worklogs?per_page=2&with_total=1&cursor=${next_cursor}`)).status).toBe(status);
    expect((await send(service, `/worklogs?per_page=2&cursor=${next_cursor}`)).status).toBe(200);
  }
});

test.each([
  ['live', [1, 2, 4, 5]],
  ['snapshot', [1, 2, 3, 4]],
] as const)('the option pages with the value %s sets the rows of page 2 after the deletion of a row', async (pages, expected) => {
  const service = await sandbox({ interpretations: { pages } });
  const ids = async (page: number): Promise<number[]> =>
    (await send(service, `/labels?sort=id&per_page=2&page=${page}`)).body.data.map((row: { id: number }) => row.id);
  const first = await ids(1);
  await send(service, '/labels/1', { method: 'DELETE' });
  const second = await ids(2);
  expect([...first, ...second]).toEqual(expected);
  // Whoever starts again sees it as it is.
  expect(await ids(1)).toEqual([2, 3]);
});
