import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { json } from '../../support/http-server.ts';
import { type Recording, startRecording } from '../../support/recording.ts';

/** Names that every JavaScript object inherits. svc refuses `__proto__`. */
const NAMES = [...Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__'), 'prototype'];

const fields = Object.fromEntries([['id', { type: 'integer' }], ...NAMES.map((name) => [name, { type: 'string' }])]);
const answer = (schema: object) => ({ '200': { description: '', content: { 'application/json': { schema } } } });
const record = { $ref: '#/components/schemas/constructor' };
const query = (name: string, schema: object = { type: 'string' }) => ({ name, in: 'query', schema });
/** Returns a resource with only these names. */
const paths = (noun: string) => ({
  [`/${noun}`]: {
    get: {
      parameters: [
        ...NAMES.flatMap((name) => [query(name), query(`filter[${name}]`)]),
        query('include', { type: 'string', enum: NAMES }),
        query('sort', { type: 'string', enum: NAMES }),
      ],
      responses: answer({ type: 'object', properties: { data: { type: 'array', items: record } } }),
    },
    post: {
      requestBody: {
        content: { 'application/json': { schema: { type: 'object', properties: fields } } },
      },
      responses: answer(record),
    },
  },
  [`/${noun}/{constructor}`]: { get: { responses: answer({ type: 'object', properties: { id: { type: 'integer' } } }) } },
  [`/${noun}/{constructor}/actions/constructor`]: { post: { responses: answer(record) } },
});
const document = {
  openapi: '3.1.0',
  info: { title: 'Names', version: '1' },
  tags: [{ name: 'constructor', description: 'Things that make things' }],
  paths: { ...paths('constructors'), ...paths('prototypes'), ...paths('constructor') },
  components: { schemas: { constructor: { type: 'object', properties: fields } } },
};

let here: Recording;
beforeAll(async () => {
  here = await startRecording();
  here.server.fallback((request, response, socket) => {
    const full = Object.fromEntries(NAMES.map((name) => [name, 'x']));
    const isList = request.method === 'GET' && !request.path.endsWith('/7');
    json(200, { data: isList ? [{ id: 7 }, { id: 8, ...full }] : { id: 7 } })(request, response, socket);
  });
});
afterAll(() => here.remove());

describe('an API spec with names such as constructor and valueOf', () => {
  it('is imported, and each of its commands exits 0', async () => {
    const imported = await here.svc(['schema', 'import', '--yes', '-', '-o', 'json'], { stdin: JSON.stringify(document) });
    expect(imported.code, imported.stderr).toBe(0);
    expect(JSON.parse(imported.stdout)).toMatchObject({ nouns: 3, stored: true });
    const flags = NAMES.flatMap((name) => [`--raw-field`, `${name}=1`]);
    const lines = ['constructors', 'prototypes', 'constructor'].flatMap((noun) => [
      [noun, '--help'],
      [noun, 'list'],
      [noun, 'list', '-o', 'table'],
      [noun, 'list', '-o', 'csv', '--fields', NAMES.join(',')],
      // A filter name cannot start with an underscore.
      ...NAMES.filter((name) => !name.startsWith('_')).flatMap((name) => [
        [noun, 'list', '--filter', `${name}=1`],
        [noun, 'list', '--include', name],
        [noun, 'list', '--sort', name],
      ]),
      [noun, 'get', '7'],
      [noun, 'get', '7', '-o', 'table'],
      [noun, 'create', ...flags],
      [noun, 'create', '--dry-run', ...flags],
      [noun, 'constructor', '7', '--yes'],
      [noun, 'create', '--to-string', '5', '--value-of', '6'],
      ['schema', 'show', noun],
      ['commands', noun],
    ]);
    const wrong: string[] = [];
    for (const argv of [...lines, ['schema', 'diff'], ['schema', 'export'], ['commands', '--brief']]) {
      const { code, stdout, stderr } = await here.svc(argv);
      if (code !== 0 || /damaged|native code|inside svc/.test(stdout + stderr))
        wrong.push(`svc ${argv.join(' ')} → ${code}: ${stdout} ${stderr}`);
    }
    expect(wrong).toEqual([]);
    const bodies = new Set(
      here.server.requests.filter(({ method, path }) => method === 'POST' && !path.includes('/actions/')).map(({ body }) => body),
    );
    expect([...bodies]).toEqual([JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, '1']))), '{"toString":"5","valueOf":"6"}']);
  });

  it('makes svc exit 2 for an unknown command valueOf', async () => {
    const { code, stderr } = await here.svc(['constructors', 'ls']);
    expect(code, stderr).toBe(0);
    expect((await here.svc(['constructors', 'valueOf'])).code).toBe(2);
  });
});

it('svc prints the usual hint for the problem type constructor', async () => {
  here.server.script(json(422, { type: 'constructor', title: 'No', status: 422, detail: 'No.' }));
  const { code, stderr } = await here.svc(['api', '/things']);
  expect(code, stderr).toBe(9);
  expect(stderr).toContain('To check the request');
});
