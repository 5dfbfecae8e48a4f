import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

// What refers to a record is typed by its name wherever it is typed by its id, and what was understood is said.

describe('svc commands', () => {
  let here: SignedIn;
  beforeAll(async () => {
    here = await signedIn({ personalToken: true, limits: 'off' });
  });
  afterAll(() => here.remove());
  beforeEach(() => {
    here.sandbox.requests.length = 0;
  });
  const writes = () => here.sandbox.requests.filter(({ method }) => method !== 'GET').map(({ body }) => JSON.parse(body || '{}'));

  test('accept a name in any letter case, print the record, and send the id', async () => {
    const { code, stderr } = await here.svc(['worklogs', 'create', '--minutes', '30', '--project', ' web  SHOP ', '--date', 'today']);
    expect([code, stderr]).toEqual([0, 'Project: Web shop (#2)\n']);
    expect(writes()).toEqual([expect.objectContaining({ project_id: 2 })]);
  });

  test.each([
    [['projects', 'get', 'WEB'], 'Project: Web shop (#2)'],
    [['users', 'get', 'sanne@example.com'], 'User: Sanne de Vries (#1)'],
    [['week', '--user', 'Sanne de Vries', '--jq', 'length'], 'User: Sanne de Vries (#1)'],
    [['report', '--project', 'web shop', '--from', '2026-01-01', '--jq', 'length'], 'Project: Web shop (#2)'],
    [['open', 'project', 'Web shop', '--print'], 'Project: Web shop (#2)'],
    [['sales-invoices', 'get', '2025-0023'], 'Sales invoice: 2025-0023 (#23)'],
    [['work-items', 'list', '--assignee', 'Sanne de Vries', '-L', '1'], 'User: Sanne de Vries (#1)'],
    [['worklogs', 'list', '--filter', 'project_id=Web shop', '-L', '1', '--fields', 'id'], 'Project: Web shop (#2)'],
    [['sales-invoices', 'rows', 'list', '2025-0023'], 'Sales invoice: 2025-0023 (#23)'],
  ])('print for %j the record "%s"', async (argv, said) => {
    const { code, stderr } = await here.svc(argv);
    expect([code, stderr.split('\n')[0]]).toEqual([0, said]);
  });

  test('take digits as an id, and send no request to look up the id', async () => {
    await here.svc(['worklogs', 'create', '--minutes', '30', '--project', '2', '--date', '2026-01-05']);
    expect(here.sandbox.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/v2/worklogs']);
  });

  test('suggest a similar name for an unknown name (exit 2 in a flag, 3 in an argument)', async () => {
    const flag = await here.svc(['worklogs', 'create', '--minutes', '30', '--project', 'Web shpo', '--date', 'today']);
    expect([flag.code, flag.stderr]).toEqual([
      2,
      expect.stringMatching(/^svc: --project: There is no project "Web shpo"\.\n {2}Did you mean "Web shop"\? /),
    ]);
    const record = await here.svc(['projects', 'get', 'Web sop']);
    expect([record.code, record.stderr]).toEqual([
      3,
      expect.stringMatching(/^svc: There is no project "Web sop"\.\n {2}Did you mean "Web shop"\? /),
    ]);
    expect(writes()).toEqual([]);
  });

  test('let a person pick one of several records, and exit 2 with the ids in a script', async () => {
    const two = [];
    for (const _ of [1, 2]) two.push(JSON.parse((await here.svc(['labels', 'create', '--name', 'Twice'])).stdout).id);
    const script = await here.svc(['labels', 'update', 'twice', '--color', '#000001']);
    expect([script.code, script.stderr]).toEqual([
      2,
      `svc: "twice" names 2 labels.\n  Use the id: Twice (#${two[0]}), Twice (#${two[1]})\n`,
    ]);
    for (const _ of [3, 4, 5, 6, 7, 8]) two.push(JSON.parse((await here.svc(['labels', 'create', '--name', 'Twice'])).stdout).id);
    expect((await here.svc(['labels', 'get', 'twice'])).stderr).toMatch(/Twice \(#\d+\)\n$/);
    two.push(JSON.parse((await here.svc(['labels', 'create', '--name', 'Twice'])).stdout).id);
    expect((await here.svc(['labels', 'get', 'twice'])).stderr).toBe(
      `svc: "twice" names 9 labels.\n  Use the id: ${two
        .slice(0, 8)
        .map((id) => `Twice (#${id})`)
        .join(', ')}, …\n`,
    );
    const person = await here.svc(['labels', 'update', 'twice', '--color', '#000002'], { answers: [`#${two[1]}`] });
    expect([person.code, JSON.parse(person.stdout).id]).toEqual([0, two[1]]);
    expect((await here.svc(['labels', 'delete', 'twice', '--yes'])).code).toBe(2);
  });

  test('prefer the exact name to a name in another letter case', async () => {
    const made = JSON.parse((await here.svc(['labels', 'create', '--name', 'URGENT-ish'])).stdout).id;
    await here.svc(['labels', 'create', '--name', 'urgent-ish']);
    expect(JSON.parse((await here.svc(['labels', 'get', 'URGENT-ish'])).stdout).id).toBe(made);
  });

  test('prefer the whole name in another letter case to a longer name', async () => {
    const made = JSON.parse((await here.svc(['labels', 'create', '--name', 'Fragile'])).stdout).id;
    await here.svc(['labels', 'create', '--name', 'Fragile goods']);
    const { code, stdout, stderr } = await here.svc(['labels', 'get', 'fragile']);
    expect([code, stderr, JSON.parse(stdout || '{}').id]).toEqual([0, `Label: Fragile (#${made})\n`, made]);
  });

  test('take the word last as the last record of the resource that you wrote from this machine', async () => {
    const made = JSON.parse((await here.svc(['worklogs', 'create', '--minutes', '15', '--date', '2026-01-06'])).stdout).id;
    await here.svc(['labels', 'create', '--name', 'Something else']);
    expect(JSON.parse((await here.svc(['worklogs', 'update', 'last', '--minutes', '2h'])).stdout)).toMatchObject({
      id: made,
      minutes: 120,
    });
    expect((await here.svc(['worklogs', 'delete', 'last', '--yes'])).code).toBe(0);
    expect(JSON.parse((await here.svc(['worklogs', 'get', 'last'])).stdout).id).not.toBe(made);
    const { code, stderr } = await here.svc(['customers', 'get', 'last']);
    expect([code, stderr]).toEqual([3, 'svc: You have written no customer from this machine.\n  To see your writes: svc history\n']);
  });

  test('take the word last as a new record with the id of a deleted record', async () => {
    const recording = await startRecording();
    const create = ['worklogs', 'create', '--minutes', '15', '--date', '2026-01-06'];
    for (const argv of [create, ['worklogs', 'delete', '31', '--yes'], create]) expect((await recording.svc(argv)).code).toBe(0);
    const { code, stderr } = await recording.svc(['worklogs', 'get', 'last']);
    expect([code, stderr.includes('Last worklog: #31')]).toEqual([0, true]);
    await recording.remove();
  });

  test('list your own rows with --mine', async () => {
    await here.svc(['absences', 'list', '--mine', '-L', '1']);
    await here.svc(['work-items', 'list', '--mine', '-L', '1']);
    expect(here.sandbox.requests.map(({ path }) => decodeURIComponent(path))).toEqual([
      '/api/v2/absences?filter[user_id]=me&per_page=1',
      '/api/v2/work-items?filter[assignee_id]=1&per_page=1',
    ]);
    expect((await here.svc(['absences', 'list', '--mine', '--user', '4'])).code).toBe(2);
  });

  test('send no request in a dry run, and print the name instead of the id', async () => {
    const { stdout, stderr: lines } = await here.svc([
      'worklogs',
      'create',
      '--minutes',
      '30',
      '--project',
      'Web shop',
      '--dry-run',
      '--jq',
      '.body.project_id',
    ]);
    expect(stdout.trim()).toBe('<id of Web shop>');
    expect(lines).toContain('svc did not look up names and keys. The real run fails if a name or key matches no record');
    const { code, stderr } = await here.svc(['customers', 'update', 'Acme', '--name', 'x', '--dry-run']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('A dry run sends no request')]);
    expect(here.sandbox.requests).toEqual([]);
  });

  test('exit 2 for a name of a resource whose records have no names', async () => {
    const { code, stderr } = await here.svc(['absences', 'get', 'holiday']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"holiday" is not an id')]);
    expect(here.sandbox.requests).toEqual([]);
  });
});

describe('names in a large list', () => {
  let here: Recording;
  beforeEach(async () => {
    here = await startRecording();
  });
  afterEach(() => here.remove());
  const customers = Array.from({ length: 450 }, (_, index) => ({ id: index + 1, name: `Customer ${index + 1}` }));

  /** A collection that searches as it likes. */
  function serve(
    search: (text: string) => readonly object[] | undefined,
    refusal = { type: 'unsupported-parameter', parameter: 'q', title: 'No search here' },
  ): void {
    here.server.fallback((request, response, socket) => {
      const text = request.query.get('q');
      const start = Number(request.query.get('cursor') ?? 0);
      const size = Number(request.query.get('per_page') ?? 25);
      const rows = text === null ? customers.slice(start, start + size) : search(text);
      const next = text === null && start + size < customers.length ? `?cursor=${start + size}&per_page=${size}` : null;
      const answer =
        rows === undefined
          ? json(400, refusal, { 'content-type': 'application/problem+json' })
          : json(200, { data: rows, meta: {}, links: { next } });
      if (/\/\d+$/.test(request.path))
        return json(200, { data: customers[Number(/\d+$/.exec(request.path)?.[0]) - 1] })(request, response, socket);
      answer(request, response, socket);
    });
  }
  const searched = () => here.sent().filter((line) => line.includes('q=')).length;

  test('are found by a search at the service', async () => {
    serve((text) => customers.filter(({ name }) => name.includes(text)));
    const { code, stderr } = await here.svc(['customers', 'get', 'Customer 44']);
    expect([code, stderr]).toEqual([0, 'Customer: Customer 44 (#44)\n']);
    expect(searched()).toBe(1);
  });

  test.each([
    ['that finds nothing', () => []],
    ['that finds other records', () => [{ id: 7, name: 'Customer 7' }]],
    ['that the service does not have', () => undefined],
  ])('are found in the whole list after a search %s', async (_, search) => {
    serve(search);
    const { code, stderr } = await here.svc(['customers', 'get', 'customer 449']);
    expect([code, stderr]).toEqual([0, 'Customer: Customer 449 (#449)\n']);
  });

  test('make svc exit 9 when the service refuses a parameter other than the search', async () => {
    serve(() => undefined, { type: 'invalid-query-parameter', parameter: 'per_page', title: 'At most 50 rows a page' });
    const { code, stderr } = await here.svc(['customers', 'get', 'customer 449']);
    expect([code, stderr]).toEqual([9, expect.stringContaining('At most 50 rows a page')]);
  });

  test('are found without another search after a refused search', async () => {
    serve(() => undefined);
    for (const name of ['customer 449', 'customer 448']) expect((await here.svc(['customers', 'get', name])).code).toBe(0);
    expect(searched()).toBe(1);
  });
});
