import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sent } from '../support/sent.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ personalToken: true, limits: 'off' });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
  here.sandbox.setFaults([]);
});

const header = (name: string) => here.sandbox.requests.at(-1)?.headers[name];

describe('svc api', () => {
  it('sends one request, and prints the body of the answer', async () => {
    const result = await here.svc(['api', '/me']);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toMatchObject({ data: { id: 1, name: 'Sanne de Vries' } });
    expect(sent(here.sandbox)).toEqual(['GET /api/v2/me']);
  });

  it.each(['me', '/me', '/api/v2/me', 'ORIGIN/api/v2/me', 'GET /me', 'get me', '/me -X get'])(
    'with the arguments "%s" sends GET /api/v2/me',
    async (line) => {
      await here.svc(['api', ...line.replace('ORIGIN', here.sandbox.origin).split(' ')]);
      expect(sent(here.sandbox)).toEqual(['GET /api/v2/me']);
    },
  );

  it('uploads all bytes of a binary file with the personal access token (rule 13.75)', async () => {
    const ticket = await here.svc(['api', 'POST', '/work-items/ABC-12/uploads', '-f', 'file_name=a.bin', '--jq', '.data.upload_url']);
    const path = `${here.home}/a.bin`;
    await writeFile(path, Uint8Array.of(0xff, 0x00, 0xfe, 0x41));
    const result = await here.svc(['api', 'POST', ticket.stdout.trim(), '--input', path, '-H', 'Content-Type: application/octet-stream']);
    expect(result.code, result.stderr).toBe(0);
    expect(header('content-length')).toBe('4');
  });

  it('sends -f values as strings and -F values as typed JSON in a POST', async () => {
    const body = [
      '-f',
      'description=90',
      '-F',
      'minutes=90',
      '-F',
      'is_overtime=false',
      '-F',
      'work_item_id=null',
      '-F',
      'date=2026-06-01',
    ];
    const result = await here.svc(['api', '/worklogs', ...body]);
    expect(result.code, result.stderr).toBe(0);
    expect(sent(here.sandbox)).toEqual([
      'POST /api/v2/worklogs {"description":"90","minutes":90,"is_overtime":false,"work_item_id":null,"date":"2026-06-01"}',
    ]);
    expect(header('content-type')).toBe('application/json');
    expect(header('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('sends the fields of a GET as query parameters', async () => {
    await here.svc(['api', 'GET', '/absences', '-f', 'filter[start][gte]=2025-01-01T00:00:00Z', '-f', 'include=user', '-F', 'per_page=1']);
    expect(sent(here.sandbox)).toEqual(['GET /api/v2/absences?filter[start][gte]=2025-01-01T00:00:00Z&include=user&per_page=1']);
  });

  it('reads the value of -F name=@file from the file, and the value of -F name=@- from standard input', async () => {
    await writeFile(`${here.home}/text`, 'from a file');
    const url = ['api', 'PATCH', '/worklogs/2', '-F'];
    await here.svc([...url, `description=@${here.home}/text`]);
    await here.svc([...url, 'description=@-'], { stdin: 'from stdin' });
    expect(here.sandbox.requests.map(({ body }) => body)).toEqual(['{"description":"from a file"}', '{"description":"from stdin"}']);
  });

  it('--input sends a file or stdin unchanged', async () => {
    const body = '{"minutes": 15, "date": "2026-06-01"}';
    await writeFile(`${here.home}/body.json`, body);
    await here.svc(['api', '/worklogs', '--input', `${here.home}/body.json`]);
    await here.svc(['api', '/worklogs', '--input', '-'], { stdin: body });
    expect(here.sandbox.requests.map((request) => [request.method, request.body])).toEqual([
      ['POST', body],
      ['POST', body],
    ]);
  });

  it('-H sends a header, and --idempotency-key sets the Idempotency-Key', async () => {
    const first = await here.svc(['api', '/worklogs', '-F', 'minutes=5', '-f', 'date=2026-06-01', '--idempotency-key', 'once', '-i']);
    const again = await here.svc(['api', '/worklogs', '-F', 'minutes=5', '-f', 'date=2026-06-01', '-H', 'Idempotency-Key: once', '-i']);
    expect(header('idempotency-key')).toBe('once');
    expect(first.stdout).not.toContain('idempotency-replayed');
    expect(again.stdout).toContain('idempotency-replayed: true');
  });

  it('-i prints the status and the headers before the body', async () => {
    const { stdout } = await here.svc(['api', '/me', '-i']);
    const [head = '', body = ''] = stdout.split('\n\n');
    expect(head).toMatch(/^HTTP 200\n/);
    expect(head).toContain('x-service-api-version: 2');
    expect(JSON.parse(body)).toHaveProperty('data');
  });

  it('--silent prints no body', async () => {
    expect(await here.svc(['api', '/me', '--silent'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await here.svc(['api', '/me', '--silent', '-i'])).stdout).toMatch(/^HTTP 200\n/);
  });

  it('--jq filters the body', async () => {
    expect((await here.svc(['api', '/me', '--jq', '.data.name'])).stdout).toBe('Sanne de Vries\n');
  });

  it('--paginate prints every page, and --jq filters each page', async () => {
    const all = await here.svc(['api', '/users?per_page=5', '--paginate', '--jq', '.data | length']);
    expect(all.code, all.stderr).toBe(0);
    const sizes = all.stdout.trim().split('\n').map(Number);
    expect(sizes.length).toBe(here.sandbox.requests.length);
    expect(sizes.slice(0, -1)).toEqual(Array(sizes.length - 1).fill(5));
  });

  it('--slurp prints the pages as one array', async () => {
    const { stdout } = await here.svc(['api', '/users?per_page=5', '--paginate', '--slurp']);
    const pages = JSON.parse(stdout) as { data: unknown[] }[];
    expect(pages.length).toBe(here.sandbox.requests.length);
    const count = await here.svc(['api', '/users?per_page=5', '--paginate', '--slurp', '--jq', 'map(.data) | add | length']);
    expect(Number(count.stdout)).toBe(pages.flatMap(({ data }) => data).length);
  });

  it('--dry-run prints the request of a write with its cost and ability, and sends nothing', async () => {
    const { stdout } = await here.svc(['api', 'POST', '/worklogs?include=user', '-F', 'minutes=5', '--dry-run']);
    expect(JSON.parse(stdout)).toEqual({
      method: 'POST',
      url: `${here.sandbox.baseUrl}/worklogs?include=user`,
      headers: {},
      body: { minutes: 5 },
      cost: { write: 4, read: 1 },
      ability: 'api:write:times',
    });
    expect(sent(here.sandbox)).toEqual([]);
  });

  it('--dry-run prints the cost and ability of a HEAD as those of a read', async () => {
    const { stdout } = await here.svc(['api', 'HEAD', '/worklogs?view=detail', '--dry-run']);
    const { cost, ability } = JSON.parse(stdout);
    expect([cost, ability]).toEqual([{ read: 3 }, 'api:read:times']);
  });

  it('sends a DELETE with the personal access token (rule 13.53)', async () => {
    const result = await here.svc(['api', 'DELETE', '/worklogs/3', '--yes']);
    expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(here.sandbox.requests[0]?.status).toBe(204);
  });

  it('asks before a DELETE at a terminal, and sends nothing after a no', async () => {
    const result = await here.svc(['api', 'DELETE', '/worklogs/3'], { terminal: 80, answers: [false] });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Delete /worklogs/3? svc cannot undo a delete.');
    expect(sent(here.sandbox)).toEqual([]);
  });

  it('exits 2 for a DELETE without --yes outside a terminal', async () => {
    const result = await here.svc(['api', '-X', 'delete', '/worklogs/3']);
    expect([result.code, result.stderr]).toEqual([
      2,
      'svc: svc asks before a delete, and cannot ask here.\n  Add --yes if you are sure.\n',
    ]);
    expect(sent(here.sandbox)).toEqual([]);
  });

  it('prints the body and the message of a failed request, and exits 3 for a missing record', async () => {
    const result = await here.svc(['api', '/worklogs/99999999', '--jq', '.data.id']);
    expect(result.code).toBe(3);
    expect(JSON.parse(result.stdout)).toMatchObject({ status: 404 });
    expect(result.stderr).toContain('There is no worklog 99999999.');
  });

  it('prints a body that is not JSON, and exits 0', async () => {
    here.sandbox.setFaults([{ path: '/me', garbage: true }]);
    const plain = await here.svc(['api', '/me']);
    expect(plain.code).toBe(0);
    expect(plain.stdout).toContain('this is not JSON');
  });

  it('sends a request again after a 503, and renews an expired access token', async () => {
    here.sandbox.setFaults([{ path: '/me', status: 503 }]);
    here.sandbox.expireAccessTokens();
    const result = await here.svc(['api', '/me'], { hurried: true });
    expect(result.code, result.stderr).toBe(0);
    expect(here.sandbox.requests.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
      'GET /api/v2/me 503',
      'GET /api/v2/me 401',
      'POST /oauth/token 200',
      'GET /api/v2/me 200',
    ]);
  });

  it.each([
    [[], '"svc api" needs a path.'],
    [['GET'], '"svc api" needs a path.'],
    [['/me', '/you'], '"svc api" needs a path.'],
    [['GET', '/me', '/you'], 'Too many arguments for "svc api".'],
    [['GET', '/me', '-X', 'GET'], 'The command names two methods.'],
    [['/me', '-X', 'BREW'], 'svc does not know the method "BREW".'],
    [['https://example.com/api/v2/me'], 'is not an address of the API of'],
    [['/../../oauth/token'], 'is not an address of the API of'],
    [['/me', '--slurp'], '--slurp needs --paginate.'],
    [['POST', '/me', '--paginate'], 'You can use --paginate only with GET.'],
    [['/me', '-f', 'novalue'], '-f: '],
    [['/me', '-F', 'x=@/no/such/file'], 'There is no file /no/such/file.'],
    [['/me', '--input', '/no/such/file'], 'There is no file /no/such/file.'],
    [['POST', '/me', '--input', '-', '-f', 'a=b'], 'You cannot use --input and fields together.'],
    [['/me', '-H', 'no colon'], '-H: svc cannot read the header "…".'],
    [['/me', '-H', 'X-Evil: a\nb: c'], 'svc cannot read the header'],
    [['/me', '-H', 'Authorization: Bearer x'], 'svc sets Authorization itself.'],
    [['/me', '-H', 'Host: evil'], 'svc itself sets the header "Host".'],
    [['/me', '--jq', '.['], '--jq: error: syntax error'],
    [['/worklogs', '-F', 'minutes=1', '--idempotency-key', 'x'.repeat(256)], 'a key has 1 to 255 ASCII characters, without blanks.'],
  ])('refuses the arguments %j, and sends nothing', async (args, message) => {
    const result = await here.svc(['api', ...args]);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(message);
    expect(sent(here.sandbox)).toEqual([]);
  });
});
