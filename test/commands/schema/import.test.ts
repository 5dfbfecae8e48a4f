import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load as parseYaml } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Deps } from '../../../src/deps.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { sent } from '../../support/sent.ts';
import { createMachine, type Machine, signedIn } from '../../support/svc.ts';

const PLANNING = new URL('../../schema/documents/planning.yaml', import.meta.url).pathname;
const HOST = 'acme.example.com';

let machine: Machine;
let state: string;
beforeEach(async () => {
  machine = await createMachine();
  state = join(machine.home, '.local/state/svc/schema');
});
afterEach(() => machine.remove());

const svc = (...argv: string[]) => machine.svc([...argv, '--host', HOST]);

/** Returns the known facts of a resource, one a line. */
async function known(...noun: string[]): Promise<string[]> {
  const { stdout, stderr, code } = await svc('schema', 'show', ...noun, '--jq', '.[] | [.what, .name, .is, .known] | join(" ")');
  expect(code, stderr).toBe(0);
  return stdout.trimEnd().split('\n');
}

/** Returns a document with one resource. */
function documentOf(properties: object, more: object = {}): string {
  const record = { type: 'object', properties };
  const paths = {
    '/rooms': {
      get: { responses: { 200: { description: 'Some', content: { 'application/json': { schema: { type: 'array', items: record } } } } } },
      post: {
        requestBody: { content: { 'application/json': { schema: { ...record, ...more } } } },
        responses: { 201: { description: 'Made' } },
      },
    },
  };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Rooms', version: '1' }, paths });
}

async function importText(text: string) {
  return machine.svc(['schema', 'import', '--yes', '-', '--host', HOST], { stdin: text });
}

describe('svc schema import', () => {
  it('recognises coordinates by name or format, and lets commands send decimal numbers as typed', async () => {
    const number = { type: 'number' };
    await importText(
      documentOf({
        contract_hours: number,
        height: { ...number, format: 'double' },
        latitude: number,
        place: { ...number, format: 'longitude' },
      }),
    );
    expect((await known('rooms')).slice(0, 4)).toEqual([
      'field contract_hours number, create only described',
      'field height number, create only described',
      'field latitude coordinate, create only described',
      'field place coordinate, create only described',
    ]);
    expect((await svc('rooms', 'create', '--help')).stdout).toContain('--contract-hours <number>');
    const env = { SVC_TOKEN: 'a-token' };
    const argv = ['rooms', 'create', '--host', HOST, '--dry-run', '--contract-hours'];
    const typed = await machine.svc([...argv, '1234.50', '--height', '9007199254740993.25'], { env });
    expect(typed.stdout).toContain('"body":{"contract_hours":1234.50,"height":9007199254740993.25}');
    const refused = await machine.svc([...argv, '1,5'], { env });
    expect([refused.code, refused.stderr.split('\n')[0]]).toEqual([2, 'svc: --contract-hours: "1,5" is not a decimal number.']);
  });

  it('needs no sign-in for a file with --host, and prints the new, remaining and missing resources', async () => {
    const result = await svc('schema', 'import', '--yes', PLANNING);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toEqual({
      host: HOST,
      title: 'Planning',
      version: '2.8.0',
      openapi: '3.1.0',
      nouns: 4,
      kept: ['work-items', 'users'],
      new: ['me', 'upload-tickets'],
      gone: expect.arrayContaining(['worklogs', 'timers', 'projects', 'work-items links']),
      fields_gone: expect.arrayContaining(['work-items.issue_key', 'users.timezone']),
      left_out: [],
      ignored: [],
      changes: null,
      breaking: null,
      stored: true,
    });
  });

  it('prints the imported resources and the next command', async () => {
    const result = await machine.svc(['schema', 'import', '--yes', PLANNING, '--host', HOST], { terminal: 100, answers: [] });
    expect(result.stdout).toBe(`Planning 2.8.0, OpenAPI 3.1.0: 4 resources. svc now uses this API spec for ${HOST}.\n`);
    const text = result.stderr.replace(/\s+/g, ' ');
    expect(text).toContain('svc knew these resources, and the API spec describes them (2): work-items, users.');
    expect(text).toContain('New resources (2): me, upload-tickets.');
    expect(text).toMatch(/svc schema forget shows them again \(\d+\): worklogs, timers, work-items links, .* and \d+ more\./);
    expect(text).toMatch(/The API spec does not have these fields \(\d+\): work-items\.issue_key, /);
    expect(text).toContain('To compare with svc’s built-in knowledge: svc schema diff');
  });

  it('asks before storing an API spec that lacks known resources, and exits 2 outside a terminal', async () => {
    const doubt = 'The API spec describes 2 of the 41 resources that svc knows.';
    const elsewhere = await machine.svc(['schema', 'import', PLANNING, '--host', HOST]);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining(doubt)]);
    const argv = ['schema', 'import', PLANNING, '--host', HOST];
    const declined = await machine.svc(argv, { terminal: 100, answers: [false] });
    expect([declined.code, declined.stderr]).toEqual([1, expect.stringContaining('svc stored nothing.')]);
    await expect(readdir(state)).rejects.toThrow();
    expect((await machine.svc(argv, { terminal: 100, answers: [true] })).code).toBe(0);
    // What an import described is known from then on: the same again takes nothing away.
    expect((await machine.svc(argv)).code).toBe(0);
    const rooms = await importText(documentOf({ name: { type: 'string' }, seats: { type: 'integer' } }));
    expect(rooms.code, rooms.stderr).toBe(0);
    const lost = await machine.svc(['schema', 'import', '-', '--host', HOST], { stdin: documentOf({ name: { type: 'string' } }) });
    expect([lost.code, lost.stderr]).toEqual([
      2,
      expect.stringContaining('The API spec describes 1 of the 1 resources that svc knows, without rooms.seats.'),
    ]);
  });

  it('prints a reason for each path and part that svc does not use', async () => {
    const Room = { type: 'object', properties: { name: { type: 'string' }, odd: { type: 42 } } };
    const schema = { $ref: '#/components/schemas/Room' };
    const answer = { responses: { 200: { description: 'Some', content: { 'application/json': { schema } } } } };
    const paths = {
      '/rooms': { get: { ...answer, parameters: { limit: {} } }, query: answer },
      '/halls': { $ref: '#/components/pathItems/Hall' },
      '/doors': [],
      '/rooms/{room}': { $ref: '#/components/pathItems/Room' },
    };
    const components = { pathItems: { Room: { get: answer } }, schemas: { Room } };
    const result = await importText(JSON.stringify({ openapi: '3.9.1', info: { title: 'Odd', version: '1' }, paths, components }));
    expect(result.code, result.stderr).toBe(0);
    const { left_out: leftOut, ignored } = JSON.parse(result.stdout) as Record<string, unknown>;
    expect(leftOut).toEqual([
      { path: '/halls', reason: 'its $ref #/components/pathItems/Hall points to nothing' },
      { path: '/doors', reason: 'its value is not an object' },
    ]);
    expect(ignored).toEqual([
      { at: '#/openapi', reason: 'svc reads OpenAPI 3.9.1 as 3.2' },
      { at: '#/components/schemas/Room/properties/odd/type', reason: '42 is not allowed here' },
      { at: 'GET /rooms', reason: 'its parameters is not a list' },
      { at: 'QUERY /rooms', reason: 'svc has no command for this method' },
    ]);
    expect(await known('rooms')).toContain('field name string, read-only described');
  });

  it('imports the same resource from a YAML file and from JSON on standard input', async () => {
    await svc('schema', 'import', '--yes', PLANNING);
    const fromYaml = await known('work-items');
    await svc('schema', 'forget');
    await importText(JSON.stringify(parseYaml(await readFile(PLANNING, 'utf8'))));
    expect(await known('work-items')).toEqual(fromYaml);
  });

  it('reads the type, access, values and relation of each field', async () => {
    await svc('schema', 'import', '--yes', PLANNING);
    expect(await known('work-items')).toEqual([
      'field id id, read-only described',
      'field created_at date-time, read-only described',
      'field name string, create, update, required described',
      'field priority enum, low|high|…, create, update described',
      'field due_date date, or null, create, update described',
      'field description html, or null, create, update described',
      'field estimation duration, or null, create, update described',
      'field price money, read-only described',
      'field rate decimal, read-only described',
      'field progress percentage, read-only described',
      'field latitude coordinate, create, update described',
      'field is_open boolean, read-only, deprecated described',
      'field assignee_id user of users, or null, create, update described',
      'field assignee json of users, or null, read-only described',
      'field labels json, read-only described',
      'field parent_work_item_id work-item of work-items, or null, read-only described',
      'field closed_reason string, update only, never shown described',
      'filter due_date date, eq gte null described',
      'filter assignee_id user, in described',
      'filter priority enum, eq, low|high described',
      'sort id  described',
      'sort due_date  described',
      'sort priority  described',
      'include assignee one of users described',
      'include labels many described',
      'include assignee.branch one described',
      'view summary id created_at name priority due_date described',
      'view detail id created_at name priority due_date description estimation price rate progress latitude is_open assignee_id parent_work_item_id described',
      'operation list GET /work-items, api:read:project_management, project_management::read described',
      'operation create POST /work-items, api:write:project_management, project_management::manage_work_items, body: name* priority due_date description estimation latitude assignee_id described',
      'operation get GET /work-items/{work_item} described',
      'operation update PATCH /work-items/{work_item}, body: name priority due_date description estimation latitude assignee_id closed_reason described',
      'operation delete DELETE /work-items/{work_item} described',
      'operation transition POST /work-items/{work_item}/actions/transition, body: workflow_status_id* described',
      'operation attachments-contents PUT /work-items/{work_item}/attachments/contents, application/octet-stream described',
    ]);
    expect(await known('work-items', 'subtasks')).toContain('operation create POST /work-items/{work_item}/subtasks, body: name described');
    expect(await known('users')).toContain('field working_hours time, or null, read-only described');
    expect(await known('upload-tickets')).toContain('operation create POST /upload-tickets, body: name* size described');
  });

  it('reads fields from the answers of get, or else of create or update', async () => {
    const answer = (name: string) => {
      const schema = { type: 'object', properties: { [name]: { type: 'string' } } };
      return { responses: { 200: { description: 'A room', content: { 'application/json': { schema } } } } };
    };
    const [get, post, patch] = [answer('of_get'), answer('of_create'), answer('of_update')];
    const parameters = [{ name: 'room', in: 'path', required: true, schema: { type: 'integer' } }];
    for (const [item, more, field] of [
      [{ get, patch }, { post }, 'of_get'],
      [{ patch }, { post }, 'of_create'],
      [{ patch }, {}, 'of_update'],
    ] as const) {
      const paths = { '/rooms': more, '/rooms/{room}': { parameters, ...item } };
      const result = await importText(JSON.stringify({ openapi: '3.1.0', info: { title: 'Rooms', version: '1' }, paths }));
      expect(result.code, result.stderr).toBe(0);
      expect((await known('rooms')).filter((line) => line.startsWith('field'))).toEqual([`field ${field} string, read-only described`]);
    }
  });

  it('stores an index and one file per resource with mode 0600, in a directory with mode 0700', async () => {
    await svc('schema', 'import', '--yes', PLANNING);
    const [directory = ''] = await readdir(state);
    const names = await readdir(join(state, directory));
    expect(names).toHaveLength(5);
    expect((await stat(join(state, directory))).mode & 0o777).toBe(0o700);
    for (const name of names) expect((await stat(join(state, directory, name))).mode & 0o777, name).toBe(0o600);
  });

  it('stores the current and the previous import of an organisation', async () => {
    await importText(documentOf({ id: { type: 'integer' }, name: { type: 'string' } }));
    await machine.svc(['schema', 'import', '--yes', PLANNING, '--host', 'other.example.com']);
    await importText(documentOf({ id: { type: 'integer' }, seats: { type: 'integer' } }));
    await importText(documentOf({ id: { type: 'integer' }, floor: { type: 'integer' } }));
    const sizes = await Promise.all((await readdir(state)).map(async (directory) => (await readdir(join(state, directory))).length));
    expect(sizes.sort()).toEqual([3, 5]);
    expect(await known('rooms')).toContain('field floor integer, create only described');
  });

  it('--dry-run reads the document and stores nothing', async () => {
    const result = await svc('schema', 'import', '--yes', PLANNING, '--dry-run');
    expect(JSON.parse(result.stdout)).toMatchObject({ nouns: 4, stored: false });
    expect(await readdir(machine.home)).toEqual([]);
  });

  it('keeps the old import when svc cannot store the new import', async () => {
    await importText(documentOf({ id: { type: 'integer' }, name: { type: 'string' } }));
    const before = await known('rooms');
    for (const fails of [1, 3, 5]) {
      let writes = 0;
      const around = (deps: Deps): Deps => ({
        ...deps,
        files: {
          ...deps.files,
          async writeAtomic(...written) {
            writes += 1;
            if (writes === fails) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
            return deps.files.writeAtomic(...written);
          },
        },
      });
      const failed = await machine.svc(['schema', 'import', '--yes', PLANNING, '--host', HOST], { around });
      expect(failed.code, `write ${fails}`).toBe(1);
      expect(await known('rooms')).toEqual(before);
    }
    expect((await svc('schema', 'import', '--yes', PLANNING)).code).toBe(0);
    expect((await known('work-items')).length).toBeGreaterThan(20);
  });

  it('exits 2 for a missing file, and reports a file that cannot be read', async () => {
    expect(await svc('schema', 'import', '--yes', 'nowhere.json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no file nowhere.json.'),
    });
    await mkdir(join(machine.home, 'directory'));
    expect((await svc('schema', 'import', '--yes', join(machine.home, 'directory'))).stderr).toContain('cannot be read');
    await mkdir(state, { recursive: true });
    await chmod(state, 0o700);
  });
});

it('svc prints the command to restore a resource, flag, filter, relation or command that an import hid', async () => {
  await svc('schema', 'import', '--yes', PLANNING);
  const forget = `To remove the spec: svc schema forget --host ${HOST}`;
  const lines: readonly (readonly [argv: readonly string[], code: number])[] = [
    [['work-items', 'create', '--title', 'x'], 2],
    [['work-items', 'list', '--mine'], 2],
    [['work-items', 'list', '--filter', 'sprint_id=3'], 2],
    [['work-items', 'list', '--include', 'project'], 2],
    [['work-items', 'create', '-F', 'sprint_id=3'], 2],
    [['work-items', 'links', 'list', '3'], 2],
  ];
  for (const [argv, code] of lines) {
    const hidden = await machine.svc([...argv, '--host', HOST], { env: { SVC_TOKEN: 'a-token' } });
    expect([hidden.code, hidden.stderr], argv.join(' ')).toEqual([code, expect.stringContaining(forget)]);
  }
  const resource = await svc('worklogs', 'add', '--minutes', '30');
  expect([resource.code, resource.stderr]).toEqual([
    3,
    expect.stringContaining('To use svc’s built-in knowledge again: svc schema forget'),
  ]);
  const mistyped = await machine.svc(['work-items', 'list', '--filter', 'dudate=3', '--host', HOST], { env: { SVC_TOKEN: 'a-token' } });
  expect([mistyped.code, mistyped.stderr]).toEqual([2, expect.not.stringContaining('schema forget')]);
});

it('svc reports a damaged import once, and continues without the import', async () => {
  await svc('schema', 'import', '--yes', PLANNING);
  const [directory = ''] = await readdir(state);
  await writeFile(join(state, directory, 'index.json'), '{"form":1,"nouns":[{"noun":"../../etc"}]}');
  const first = await svc('schema', 'show', 'work-items', '--jq', '.[0].known');
  expect(first.stdout).toBe('documented\n');
  expect(first.stderr).toContain(`The imported API spec of ${HOST} is damaged. svc ignores the spec.`);
  expect((await svc('schema', 'show', 'work-items', '--jq', '.[0].known')).stderr).not.toContain('damaged');
});

it('svc reports a damaged resource of an import once, and continues without the resource', async () => {
  await svc('schema', 'import', '--yes', PLANNING);
  const [directory = ''] = await readdir(state);
  for (const name of await readdir(join(state, directory)))
    if (name !== 'index.json') await writeFile(join(state, directory, name), '{"noun":"work-items","fields":{"__proto__":{}}}');
  const { code, stderr } = await svc('schema', 'diff');
  expect(code).toBe(0);
  expect(stderr).toContain(`of work-items at ${HOST} is damaged`);
  expect((await svc('schema', 'diff')).stderr).not.toContain('damaged');
});

it('svc schema forget deletes the import, and exits 3 without an import', async () => {
  await svc('schema', 'import', '--yes', PLANNING);
  expect(await svc('schema', 'forget')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: `svc removed the API spec of ${HOST} from this machine.\n`,
  });
  const [directory = ''] = await readdir(state);
  expect(await readdir(join(state, directory))).toEqual([]);
  const again = await svc('schema', 'forget');
  expect(again.code).toBe(3);
  expect(again.stderr).toContain(`No API spec of ${HOST} is imported here.`);
});

describe('svc schema import of an address', () => {
  it('sends one request to the organisation', async () => {
    const here = await signedIn();
    try {
      const result = await here.svc(['schema', 'import', '--yes', `${here.sandbox.origin}/api/v2/openapi.json`]);
      expect(result).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(result.stdout)).toMatchObject({ host: here.host, version: '2.8.0', left_out: [] });
      expect(sent(here.sandbox)).toEqual(['GET /api/v2/openapi.json']);
    } finally {
      await here.remove();
    }
  });

  it('sends nothing to another origin, even after a redirect', async () => {
    const [own, other] = [await startHttpServer(), await startHttpServer()];
    try {
      const env = { SVC_TOKEN: 'a-secret' };
      const host = new URL(own.origin).host;
      const elsewhere = await machine.svc(['schema', 'import', '--yes', `${other.origin}/openapi.json`, '--host', host], { env });
      expect(elsewhere.code).toBe(2);
      expect(elsewhere.stderr).toContain('Download and check the document');
      own.fallback((_, response) => response.writeHead(302, { location: `${other.origin}/openapi.json` }).end());
      for (const path of ['/api/v2/openapi.json', '/docs/openapi.json']) {
        const redirected = await machine.svc(['schema', 'import', '--yes', `${own.origin}${path}`, '--host', host], { env });
        expect(redirected.code, path).toBe(8);
        expect(redirected.stderr).toContain('that svc does not follow');
      }
      expect(other.requests).toEqual([]);
    } finally {
      await Promise.all([own.close(), other.close()]);
    }
  });

  it('reads a document outside the API with the token, also after a redirect', async () => {
    const own = await startHttpServer();
    try {
      own.script(
        (_, response) => response.writeHead(307, { location: '/docs/latest.json' }).end(),
        (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(documentOf({ id: { type: 'integer' } })),
      );
      const host = new URL(own.origin).host;
      const argv = ['schema', 'import', '--yes', `${own.origin}/docs/openapi.json?key=secret`, '--host', host];
      const result = await machine.svc(argv, { env: { SVC_TOKEN: 'a-secret' } });
      expect(result.code, result.stderr).toBe(0);
      expect(own.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
        ['/docs/openapi.json', 'Bearer a-secret'],
        ['/docs/latest.json', 'Bearer a-secret'],
      ]);
      const shown = await machine.svc(['schema', 'show', '--host', host]);
      expect(shown.stderr).toContain(`from ${own.origin}/docs/openapi.json.`);
      expect(shown.stderr).not.toContain('key=secret');
    } finally {
      await own.close();
    }
  });
});

describe('svc schema diff', () => {
  it('prints the changes since the previous import, breaking changes first', async () => {
    const text = { type: 'string' };
    await importText(documentOf({ id: { type: 'integer' }, name: text, colour: text, size: { type: 'string', enum: ['s', 'm'] } }));
    await importText(
      documentOf(
        { id: { type: 'integer' }, floor: text, name: { type: 'integer' }, size: { type: 'string', enum: ['s', 'l'] } },
        { required: ['floor'] },
      ),
    );
    const { code, stdout } = await svc(
      'schema',
      'diff',
      '--jq',
      '.[] | select(.since == "import") | [.breaking, .what, .name, .change] | @csv',
    );
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual([
      'true,"operation","create","changed"',
      'true,"field","name","changed"',
      'true,"field","size","changed"',
      'true,"field","colour","removed"',
      'true,"field","floor","changed"',
      'false,"field","floor","added"',
    ]);
  });

  it('still compares with the import before, after the same import again', async () => {
    const id = { id: { type: 'integer' } };
    const since = async () => (await svc('schema', 'diff', '--jq', '.[] | select(.since == "import") | .name')).stdout;
    await importText(documentOf({ ...id, name: { type: 'string' } }));
    await importText(documentOf({ ...id, seats: { type: 'integer' } }));
    const differences = await since();
    expect(differences).toContain('seats\n');
    await importText(documentOf({ ...id, seats: { type: 'integer' } }));
    expect(await since()).toBe(differences);
  });

  it('prints a field that is newly required on create as a breaking change', async () => {
    const name = { name: { type: 'string' } };
    await importText(documentOf(name));
    await importText(documentOf(name, { required: ['name'] }));
    const { stdout } = await svc('schema', 'diff', '--jq', '.[] | select(.since == "import") | [.breaking, .what, .name] | @csv');
    expect(stdout).toContain('true,"field","name"');
  });

  it('prints which assumptions the API spec confirms, corrects or lacks, and which parts are new', async () => {
    await svc('schema', 'import', '--yes', PLANNING);
    const { stdout } = await svc(
      'schema',
      'diff',
      '--jq',
      '.[] | select(.noun == "work-items" or .noun == "upload-tickets") | [.what, .name, .change, (.assumed|tostring)] | join(" ")',
    );
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toContain('field price added false');
    expect(lines).toContain('field assignee_id confirmed true');
    expect(lines).toContain('filter assignee_id corrected true');
    expect(lines).toContain('field title missing true');
    expect(lines).toContain('field sprint_id missing false');
    expect(lines).toContain('operation transition added false');
    expect(lines).toContain('resource  added false');
  });

  it('exits 3 without an import', async () => {
    expect(await svc('schema', 'diff')).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('svc schema show', () => {
  it('shows whether a resource is documented, described by an import, or missing from the import', async () => {
    const rows = async () =>
      JSON.parse((await svc('schema', 'show', '-o', 'json')).stdout) as { noun: string; known: string; assumed: number }[];
    const before = await rows();
    expect(before.find(({ noun }) => noun === 'worklogs')).toMatchObject({ known: 'documented' });
    expect(before.some(({ assumed }) => assumed > 0)).toBe(true);
    await svc('schema', 'import', '--yes', PLANNING);
    const after = await rows();
    expect(after.find(({ noun }) => noun === 'work-items')).toMatchObject({ known: 'described', documented: 0, assumed: 0 });
    expect(after.find(({ noun }) => noun === 'worklogs')).toMatchObject({ known: 'missing' });
    expect((await svc('schema', 'show', 'worklogs')).code).toBe(3);
    expect((await svc('schema', 'show', '-o', 'table')).stdout).toMatch(/^RESOURCE +KNOWN +PATH +DESCRIBED +DOCUMENTED +ASSUMED\n/);
  });

  it('accepts a resource in the singular, and exits 3 for an unknown resource', async () => {
    expect((await known('absence')).length).toBeGreaterThan(3);
    expect((await svc('schema', 'show', 'spaceships')).code).toBe(3);
  });
});
