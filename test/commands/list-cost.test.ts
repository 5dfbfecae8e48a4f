import { afterEach, expect, test } from 'vitest';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';

// The cost of a list before svc sends it.

let here: Recording;
afterEach(() => here.remove());

async function described(argv: readonly string[], options = {}): Promise<{ requests: [string, number][]; stderr: string }> {
  here = await startRecording();
  const { code, stdout, stderr } = await here.svc([...argv, '--dry-run', '-o', 'json'], options);
  expect([code, here.sent()]).toEqual([0, []]);
  const value = JSON.parse(stdout) as unknown;
  const requests = (Array.isArray(value) ? value : [value]) as { url: string; cost: { read: number } }[];
  return { requests: requests.map(({ url, cost }) => [decodeURIComponent(url.split('/api/v2')[1] ?? ''), cost.read]), stderr };
}

test.each<[string[], [string, number][]]>([
  [['worklogs', 'list'], [['/worklogs?per_page=100', 1]]],
  [['worklogs', 'list', '--view', 'detail'], [['/worklogs?view=detail&per_page=100', 3]]],
  [
    ['work-items', 'list', '--search', 'x', '--include', 'sprint,comments', '--with-total'],
    [['/work-items?q=x&include=sprint,comments&per_page=25&with_total=1', 9]],
  ],
  [['work-items', 'list', '--status', 'Done'], [['/work-items?filter[workflow_status_id]=<id+of+Done>&per_page=100', 1]]],
  [['worklogs', 'list', '--project', 'Web shop'], [['/worklogs?filter[project_id]=<id+of+Web+shop>&per_page=100', 1]]],
])('a dry run of %j sends nothing, and shows each request with its rate-limit units (rules 15.15 to 15.22)', async (argv, requests) => {
  const seen = await described(argv);
  expect(seen.requests).toEqual(requests);
  const isNamed = requests.some(([url]) => url.includes('<id+of'));
  const notLookedUp =
    'A dry run sends no request, so svc did not look up names and keys. The real run fails if a name or key matches no record, or several records.\n';
  expect(seen.stderr).toBe(`${isNamed ? notLookedUp : ''}svc sent nothing. Each further page costs the same.\n`);
});

test('a dry run of svc absences list with --from and --to shows two requests', async () => {
  const { requests } = await described(['absences', 'list', '--from', '2026-03-01', '--to', '2026-03-02']);
  expect(requests.map(([url]) => url.replace(/=.*/, ''))).toEqual(['/absences?filter[end][gte]', '/absences?filter[start][lte]']);
});

test('a list as a table sends the requests that its dry run prints, with related records (rule 15.19)', async () => {
  here = await startRecording();
  const argv = ['work-items', 'list', '--dry-run', '-o', 'table'];
  const table = await here.svc(argv, { terminal: 200, env: { NO_COLOR: '1' } });
  expect(here.sent()).toEqual([]);
  expect(table.stdout).toMatch(/include=assignee%2Cproject%2Csprint|include=assignee%2Cproject\b/);
  expect(table.stdout).toMatch(/workflow-statuses\?per_page=100/);
  // The list then sends the requests of the dry run.
  here.server.fallback(json(200, { data: [], meta: {}, links: { next: null } }));
  await here.svc(
    argv.filter((word) => word !== '--dry-run'),
    { terminal: 200 },
  );
  const sent = here.sent().map((line) => line.replace('GET ', ''));
  for (const url of sent) expect(decodeURIComponent(table.stdout)).toContain(url);
  expect(sent).toHaveLength(2);
});

test('svc limits shows at a terminal the rate-limit units of a page with names, and the number of pages left', async () => {
  here = await startRecording();
  const answer = json(200, { data: { id: 1 } }, { ratelimit: 'limit=600, remaining=580, reset=30', 'ratelimit-policy': '600;w=60' });
  here.server.script(answer, answer);
  const { stderr } = await here.svc(['limits'], { terminal: 100, env: { NO_COLOR: '1' } });
  expect(stderr).toContain('up to 4 with the names in a table. 145 to 580 pages of 100 rows are left');
  expect((await here.svc(['limits'])).stderr).toBe('');
});
