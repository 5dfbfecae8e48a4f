import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpServer } from '../../support/http-server.ts';
import { createMachine, type Machine } from '../../support/svc.ts';

const HOST = 'acme.example.com';
const GOOD = new URL('../../schema/documents/planning.yaml', import.meta.url).pathname;

let machine: Machine;
let kept: string[];
beforeAll(async () => {
  machine = await createMachine();
  await machine.svc(['schema', 'import', '--yes', GOOD, '--host', HOST]);
  kept = await everything();
});
afterAll(() => machine.remove());

/** Returns the names of all stored files. The name of a file depends on its content. */
async function everything(): Promise<string[]> {
  return (await readdir(machine.home, { recursive: true })).filter((name) => name.endsWith('.json')).sort();
}

/** Returns a document with one path, and schemas to refer to. */
function withSchema(schema: object | string, schemas: object = {}, path = '/rooms'): string {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
  const get = `{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":${text}}}}}}}`;
  return `{"openapi":"3.1.0","info":{"title":"","version":"1"},"paths":{${JSON.stringify(path)}:${get}},"components":{"schemas":${JSON.stringify(schemas)}}}`;
}

const LIST = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } };
const A = { $ref: '#/components/schemas/A0' };
/** A0 → A1 → … */
const chain = (length: number, link: (ref: object, at: number) => object) =>
  Object.fromEntries(Array.from({ length }, (_, at) => [`A${at}`, link({ $ref: `#/components/schemas/A${at + 1}` }, at)]));
const named = (name: string) => `{"type":"object","properties":{${JSON.stringify(name)}:{"type":"string"}}}`;

const REFUSED: readonly (readonly [what: string, text: () => string, why: RegExp])[] = [
  ['an empty document', () => '', /is not YAML/],
  ['a login page', () => '<!doctype html><title>Sign in</title>', /not an API spec/],
  ['a list', () => '[1, 2]', /not an API spec/],
  ['a truncated document', () => withSchema(LIST).slice(0, 90), /is not JSON/],
  ['Swagger 2.0', () => '{"swagger":"2.0","paths":{}}', /Swagger 2\.0\. svc reads OpenAPI 3\.0, 3\.1 and 3\.2/],
  ['a document without paths', () => '{"openapi":"3.1.0","paths":{}}', /no path that svc can use/],
  [
    'a million references',
    () => `{"openapi":"3.1.0","x":[${Array(1_000_000).fill('{"$ref":"#/a"}').join()}]}`.replace('"x"', '"y"'),
    /more than 250,000 references/,
  ],
  ['two million levels of JSON', () => `{"openapi":"3.1.0","x":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`, /200 levels/],
  ['deep YAML', () => `openapi: 3.1.0\nx: ${'['.repeat(100_000)}`, /is not YAML/],
  [
    'a YAML bomb',
    () =>
      `openapi: 3.1.0\na0: &a0 [x]\n${Array.from({ length: 25 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join()}]`).join('\n')}`,
    /2,000,000 lists and tables/,
  ],
  ['an alias that contains itself', () => 'openapi: 3.1.0\npaths: &p\n  /rooms: *p\n', /contains itself/],
  ['a reference to itself', () => withSchema(A, { A0: A }), /refers to itself/],
  ['references in a circle', () => withSchema(A, { A0: { $ref: '#/components/schemas/A1' }, A1: A }), /refers to itself/],
  ['a schema that contains itself', () => withSchema(A, { A0: { allOf: [A] } }), /a schema that contains itself/],
  ['a reference to nothing', () => withSchema(A), /#\/components\/schemas\/A0, which the document does not have/],
  [
    'a chain of 20,000 references',
    () =>
      withSchema(
        A,
        chain(20_000, (ref) => ref),
      ),
    /needs too many references/,
  ],
  [
    'a chain of 20,000 parts',
    () =>
      withSchema(
        A,
        chain(20_000, (ref) => ({ allOf: [ref] })),
      ),
    /a chain of more than 200 schemas/,
  ],
  [
    'parts that double in size',
    () =>
      withSchema(
        A,
        chain(300, (ref, at) => ({ allOf: [ref, ref], properties: { [`p${at}`]: {} } })),
      ),
    /a chain of more than 200 schemas/,
  ],
  ['too many resources', () => manyPaths((at) => `/rooms${at}`), /more than 5,000 resources/],
  ['a billion fields', () => manyFields(), /more than 150,000 fields/],
  ['a reference to another file', () => withSchema({ $ref: '../../../etc/passwd' }), /svc does not fetch other documents/],
  ['a field named __proto__', () => withSchema(named('__proto__')), /a name that svc does not accept: __proto__/],
  ['a resource named like a device', () => withSchema(LIST, {}, '/con'), /does not accept for a command: con/],
  ['a resource name with a slash', () => withSchema(LIST, {}, '/rooms%2Fseats'), /misleading target/],
  ['a path that leads up', () => withSchema(LIST, {}, '/rooms/../../oauth/token'), /misleading target/],
  ['an encoded path that leads up', () => withSchema(LIST, {}, '/rooms/%2E%2e/oauth'), /misleading target/],
  ['an escape code in a path', () => withSchema(LIST, {}, '/rooms\u001b[2J'), /hidden characters/],
  ['an escape code in a name', () => withSchema(named('name\u001b]0;title\u0007')), /a name that svc does not accept/],
  ['text that changes its direction', () => withSchema(named('na\u202eme')), /a name that svc does not accept/],
  [
    'an escape code in a value',
    () => withSchema({ type: 'object', properties: { a: { enum: ['a\u001b[2J'] } } }),
    /a value that svc does not accept/,
  ],
];

function manyPaths(pathOf: (at: number) => string): string {
  const get = { 'x-operation': 'look', responses: { 200: { description: '' } } };
  return JSON.stringify({ openapi: '3.1.0', paths: Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [pathOf(at), { get }])) });
}

function manyFields(): string {
  const properties = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`p${at}`, { type: 'string' }]));
  const get = { responses: { 200: { description: '', content: { 'application/json': { schema: A } } } } };
  const paths = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`/rooms${at}`, { get }]));
  return JSON.stringify({ openapi: '3.1.0', paths, components: { schemas: { A0: { type: 'array', items: { properties } } } } });
}

describe('svc schema import of a hostile document', () => {
  it.each(REFUSED)('exits 2 and changes nothing for %s', async (_, text, why) => {
    const result = await machine.svc(['schema', 'import', '--yes', '-', '--host', HOST], { stdin: text() });
    expect(result.stderr).toMatch(why);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).not.toMatch(/[\u001b\u202e]|at .*\.ts:/);
    expect(await everything()).toEqual(kept);
  });

  it('exits 2 for 100 MB, and prints the limit of 32 MB', async () => {
    const path = join(machine.home, 'large');
    await writeFile(path, '{');
    await truncate(path, 100_000_000);
    const result = await machine.svc(['schema', 'import', '--yes', path, '--host', HOST]);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain('The document is larger than 32 MB, the most that svc reads.');
    expect(await everything()).toEqual(kept);
  });

  it('refuses 9 MB of YAML', async () => {
    const result = await machine.svc(['schema', 'import', '--yes', '-', '--host', HOST], {
      stdin: `openapi: 3.1.0\n#${' '.repeat(9_000_000)}`,
    });
    expect(result.stderr).toContain('larger than 8 MB of YAML');
  });

  it('refuses a file that is not UTF-8', async () => {
    const path = join(machine.home, 'bytes');
    await writeFile(path, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    expect((await machine.svc(['schema', 'import', '--yes', path, '--host', HOST])).stderr).toContain('is not text in UTF-8');
  });

  it('exits 2 for a reference to an address, without a request', async () => {
    const server = await startHttpServer();
    try {
      const stdin = withSchema({ $ref: `${server.origin}/schema.json` });
      expect((await machine.svc(['schema', 'import', '--yes', '-', '--host', HOST], { stdin })).code).toBe(2);
      expect(server.requests).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

describe('svc schema import of many operations', () => {
  it('adds a number to the names of 60,000 operations with the same name', async () => {
    const own = await createMachine();
    const result = await own.svc(['schema', 'import', '--yes', '-', '--host', HOST], {
      stdin: manyPaths((at) => `/rooms/{room}/actions/a${at}`),
    });
    expect(result.code, result.stderr).toBe(0);
    const shown = await own.svc(['schema', 'show', 'rooms', '--host', HOST, '-o', 'json']);
    expect(shown.stdout).toContain('"look-59999"');
    await own.remove();
  });
});

describe('svc schema import of unusual content', () => {
  it('leaves out paths with unusual characters, and names each of these paths', async () => {
    const own = await createMachine();
    const document = JSON.parse(withSchema(LIST)) as { paths: Record<string, unknown> };
    Object.assign(document.paths, { '/': {}, '/*': {}, '/a b/c': {} });
    const result = await own.svc(['schema', 'import', '--yes', '-', '--host', HOST], { stdin: JSON.stringify(document) });
    expect(JSON.parse(result.stdout)).toMatchObject({
      nouns: 1,
      left_out: [
        { path: '/*', reason: 'unusual characters' },
        { path: '/a b/c', reason: 'unusual characters' },
      ],
    });
    await own.remove();
  });

  it('ignores a $ref in examples and extensions', async () => {
    const own = await createMachine();
    const stdin = withSchema({ ...LIST, example: { $ref: 'http://elsewhere.example/x' }, 'x-more': { $ref: 'other.yaml' } });
    expect((await own.svc(['schema', 'import', '--yes', '-', '--host', HOST], { stdin })).code).toBe(0);
    await own.remove();
  });
});
