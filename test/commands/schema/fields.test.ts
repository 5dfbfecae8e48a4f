import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WILD } from '../../schema/wild-documents.ts';
import { type HttpServer, startHttpServer } from '../../support/http-server.ts';
import { createMachine, type Machine } from '../../support/svc.ts';

let machine: Machine;
let service: HttpServer;
beforeEach(async () => {
  machine = await createMachine();
  service = await startHttpServer();
});
afterEach(async () => {
  await service.close();
  await machine.remove();
});

const svc = (argv: readonly string[], env: Record<string, string> = {}, stdin?: string) =>
  machine.svc([...argv, '--host', new URL(service.origin).host], {
    env: { SVC_TOKEN: 'a-token', ...env },
    ...(stdin !== undefined && { stdin }),
  });

async function importShape(shape: string): Promise<void> {
  const found = WILD.find((one) => one.shape.startsWith(shape));
  const { code, stderr } = await svc(['schema', 'import', '--yes', '-'], {}, JSON.stringify(found?.document));
  expect(code, stderr).toBe(0);
}

/** The fields of a resource, a line each. */
async function fieldsOf(noun: string): Promise<string[]> {
  const { stdout } = await svc(['schema', 'show', noun, '--jq', '.[] | select(.what == "field") | .name + ": " + .is']);
  return stdout.trimEnd().split('\n');
}

/** The body that a dry run would send. */
async function bodyOf(...argv: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await svc([...argv, '--dry-run']);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as { readonly body: unknown }).body;
}

describe('fields of an API spec', () => {
  it('require only the values that every branch of oneOf or anyOf requires', async () => {
    await importShape('`oneOf`');
    expect(await fieldsOf('payments')).toEqual([
      'id: id, read-only',
      'amount: integer, create, update, required',
      'card: string, create, update',
      'account: string, create, update',
    ]);
    expect((await svc(['payments', 'create', '--card', 'x', '--dry-run'])).stderr).toContain('A payment needs --amount.');
    expect(await bodyOf('payments', 'create', '--amount', '3')).toEqual({ amount: 3 });
  });

  it('have the narrowest values, type, bounds and access of all parts of allOf', async () => {
    await importShape('`allOf`');
    expect(await fieldsOf('leads')).toEqual([
      'state: enum, open|won, create, update, required',
      'score: integer, 0 to 10, create, update',
      'owner: string, read-only',
      'id: id, read-only',
      'weight: number, 2 to 5, create, update, never shown',
    ]);
    const lost = await svc(['leads', 'create', '--state', 'lost', '--dry-run']);
    expect([lost.code, lost.stderr]).toEqual([2, expect.stringContaining('Allowed: open, won.')]);
    const high = await svc(['leads', 'create', '--state', 'won', '--score', '11', '--dry-run']);
    expect([high.code, high.stderr]).toEqual([2, expect.stringContaining('Give a number in these bounds: 0 to 10.')]);
    expect((await svc(['leads', 'create', '--help'])).stdout).toMatch(/--score <n> +Set the score, 0 to 10/);
  });

  it('accept the discriminator values of all branches', async () => {
    await importShape('a discriminator');
    expect(await fieldsOf('fields')).toContain('type: enum, text|number, create, update, required');
  });

  it('accept a list as values with commas, as a repeated flag or as JSON', async () => {
    await importShape('bodies under');
    const follow = ['tasks', 'create', '--name', 'x', '--follower-ids'];
    for (const typed of [['1,2'], ['1', '--follower-ids', '2'], ['[1,2]'], ['1, 2']])
      expect(await bodyOf(...follow, ...typed)).toEqual({ data: { name: 'x', follower_ids: [1, 2] } });
    expect(await bodyOf('tasks', 'create', '--name', 'x', '-F', 'follower_ids=1,2')).toEqual({ data: { name: 'x', follower_ids: [1, 2] } });
    const wrong = await svc([...follow, '1,x', '--dry-run']);
    expect([wrong.code, wrong.stderr.split('\n')[0]]).toEqual([2, expect.stringContaining('svc: --follower-ids: "x"')]);
    expect((await svc(['tasks', 'create', '--help'])).stdout).toContain('--follower-ids <id,…>');
  });

  it('accept names in a list of users, which svc sends as ids', async () => {
    const users = { User: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } } };
    const user = { $ref: '#/components/schemas/User' };
    const answer = (schema: unknown) => ({ responses: { 200: { description: 'x', content: { 'application/json': { schema } } } } });
    const event = {
      type: 'object',
      properties: { attendee_ids: { type: 'array', items: { type: 'integer' } }, attendees: { type: 'array', items: user } },
    };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Events', version: '1' },
      components: { schemas: users },
      paths: {
        '/users': { get: answer({ type: 'array', items: user }) },
        '/users/{user}': { get: answer(user) },
        '/events': { post: { requestBody: { content: { 'application/json': { schema: event } } }, ...answer(event) } },
      },
    };
    await svc(['schema', 'import', '--yes', '-'], {}, JSON.stringify(document));
    service.fallback((request, response) => {
      const people = {
        data: [
          { id: 7, name: 'Sanne Bakker' },
          { id: 8, name: 'Tom Visser' },
        ],
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(request.method === 'POST' ? { id: 1 } : people));
    });
    const { code, stderr } = await svc(['events', 'create', '--attendee-ids', 'Sanne Bakker,Tom Visser', '--attendee-ids', '9']);
    expect(code, stderr).toBe(0);
    expect(service.requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual(['{"attendee_ids":[7,8,9]}']);
  });

  it('get a longer flag, such as --plan-id, when a global flag has their name', async () => {
    await importShape('bodies under');
    expect(await bodyOf('tasks', 'create', '--name', 'x', '--plan-id', '7')).toEqual({ data: { name: 'x', plan_id: 7 } });
    const { code, stderr } = await svc(['tasks', 'create', '--name', 'x', '--plan', '7']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"7" does not look like the file of a plan.')]);
    const inEnvironment = await svc(['tasks', 'create', '--name', 'x'], { SVC_PLAN: '7' });
    expect([inEnvironment.code, inEnvironment.stderr]).toEqual([2, expect.stringContaining('To use a file with this name: SVC_PLAN=./7.')]);
    await expect(access(join(machine.home, '7'))).rejects.toThrow();
    expect(service.requests).toEqual([]);
  });

  it('with a data wrapper are sent under data, also by svc undo and svc apply', async () => {
    await importShape('bodies under');
    let name = 'Old';
    service.fallback((request, response) => {
      const before = name;
      if (request.method === 'PATCH') name = (JSON.parse(request.body) as { data: { name: string } }).data.name;
      const etag = `"${request.method === 'PATCH' ? name : before}"`;
      response.writeHead(200, { 'content-type': 'application/json', etag }).end(JSON.stringify({ data: { id: 3, name } }));
    });
    const bodies = () =>
      service.requests.flatMap(({ method, body }) => (method === 'PATCH' || method === 'POST' ? [`${method} ${body}`] : []));
    const env = { SVC_KEEP_BEFORE: '1' };
    for (const argv of [
      ['tasks', 'create', '--name', 'Old'],
      ['tasks', 'update', '3', '--name', 'New'],
      ['undo', '--yes'],
    ]) {
      const { code, stderr } = await svc(argv, env);
      expect(code, `${argv.join(' ')}: ${stderr}`).toBe(0);
    }
    expect(bodies()).toEqual(['POST {"data":{"name":"Old"}}', 'PATCH {"data":{"name":"New"}}', 'PATCH {"data":{"name":"Old"}}']);
    const plan = join(machine.home, 'a.plan');
    expect((await svc(['tasks', 'update', '3', '--name', 'Planned', '--plan', plan])).code).toBe(0);
    const digest = (await svc(['apply', plan, '--no-input'])).stderr.match(/--yes=([0-9a-f]{64})/)?.[1];
    const applied = await svc(['apply', plan, `--yes=${digest}`]);
    expect(applied.code, applied.stderr).toBe(0);
    expect(bodies().at(-1)).toBe('PATCH {"data":{"name":"Planned"}}');
  });
});

it('svc rooms list --help shows the includes, filters and sort orders of the API spec', async () => {
  const parameters = [
    { name: 'include', in: 'query', schema: { type: 'array', items: { enum: ['a', 'b', 'c', 'd', 'e'] } } },
    { name: 'sort', in: 'query', schema: { enum: ['id', 'name', 'size'] } },
    { name: 'filter[size][gte]', in: 'query', schema: { type: 'integer' } },
    { name: 'filter[name]', in: 'query', schema: { type: 'string' } },
  ];
  const responses = {
    200: { description: 'x', content: { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } } },
  };
  const paths = { '/rooms': { get: { parameters, responses } }, '/halls': { get: { responses } } };
  await svc(['schema', 'import', '--yes', '-'], {}, JSON.stringify({ openapi: '3.1.0', info: { title: 'R', version: '1' }, paths }));
  const help = (await svc(['rooms', 'list', '--help'])).stdout.replace(/\s+/g, ' ');
  expect(help).toContain('Add related records: a, b, c, d, e');
  expect(help).toContain('Filter by size, name; operators: gte');
  expect(help).toContain('Sort by id, name, size, or by -field in reverse');
  expect((await svc(['halls', 'list', '--help'])).stdout).not.toContain('--include');
});
