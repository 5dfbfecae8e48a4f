// What a command loads, by name and not by time: a heavy module where it is not needed fails here.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DescribedResource } from '../../src/schema/described.ts';
import { storeResources } from '../schema/store-description.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { type Built, builtSvc, type Run } from './fixtures/built.ts';

/** Libraries and parts of svc that cost milliseconds, each with what may load it. */
const HEAVY = {
  undici: /^undici\//,
  zod: /^zod\//,
  oauth: /^oauth4webapi\//,
  prompts: /^@inquirer\//,
  tables: /^(cli-table3|string-width|chalk)\//,
  jq: /^jq-wasm\//,
  csv: /^csv-/,
  yaml: /^js-yaml\//,
  markdown: /^marked\//,
  dates: /^temporal-polyfill\//,
  browser: /^open\//,
  sandbox: /^(hono|@hono)\/|^src\/sandbox\//,
  client: /^src\/client\/api-client/,
  stores: /^src\/auth\/(accounts|stores)/,
  keychain: /^src\/system\/keychain|^keytar/,
  commander: /^commander\//,
  catalog: /^src\/catalog\/(time|leave|work-items|billing|drive|projects|customers)\.ts$/,
};

/** Built-in modules that cost milliseconds. */
const HEAVY_BUILT_INS = ['net', 'stream', 'tls', 'http', 'https', 'http2', 'zlib', 'crypto', 'assert', 'sqlite', 'child_process', 'tty'];
const HEAVIER_BUILT_INS = [...HEAVY_BUILT_INS, 'fs/promises', 'worker_threads', 'inspector', 'readline'];

function heavyOf(run: Run): string[] {
  return Object.entries(HEAVY)
    .filter(([, pattern]) => run.modules.some((module) => pattern.test(module)))
    .map(([name]) => name);
}

function heavyBuiltInsOf(run: Run): string[] {
  return run.builtIns.filter((name) => HEAVIER_BUILT_INS.includes(name)).sort();
}

/** A noun as an organisation might describe it, with a field that svc itself does not know. */
const WORKLOGS: DescribedResource = {
  noun: 'worklogs',
  singular: 'worklog',
  summary: 'Hours',
  path: '/worklogs',
  itemPath: '/worklogs/{worklog}',
  fields: { id: { kind: 'id' }, mood: { kind: 'string', write: 'both' } },
  operations: [{ name: 'create', method: 'POST', path: '/worklogs', body: { mood: { kind: 'string' } } }],
};

let built: Built;
let home: string;
beforeAll(async () => {
  built = await builtSvc();
  home = await mkdtemp(join(tmpdir(), 'svc-home-'));
});
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

it('the patterns for heavy modules match modules that commands load', async () => {
  // A pattern that matches nothing would let everything pass.
  const sandbox = await built.run(['sandbox', '--help'], { home });
  expect(sandbox.code).toBe(0);
  const table = await built.run(['config', 'list', '--output', 'table'], { home });
  expect(heavyOf(table)).toEqual(expect.arrayContaining(['tables', 'commander']));
  await writeFile(join(home, 'rows.csv'), 'date,minutes\n');
  const csv = await built.run(['worklogs', 'import', join(home, 'rows.csv'), '--dry-run'], { home });
  expect(heavyOf(csv)).toContain('csv');
  const host = ['--host', 'acme.example.com', '--dry-run'];
  const text = await built.run(['work-items', 'create', '--title', 'T', '--project', '1', '--description', '*x*', ...host], { home });
  expect(heavyOf(text)).toContain('markdown');
});

describe('a command without a request', () => {
  it.each([['--version'], ['-V']])('(svc %s) loads no code of svc', async (...argv) => {
    const run = await built.run(argv, { home });
    expect(run.stdout).toMatch(/^svc \d+\.\d+\.\d+\S*\n$/);
    expect(run).toMatchObject({ code: 0, files: [], builtIns: [] });
  });

  it.each([
    [['--help'], ['commander']],
    [['help'], ['commander']],
    [
      ['worklogs', '--help'],
      ['commander', 'catalog'],
    ],
    [
      ['worklogs', 'add', '--help'],
      ['commander', 'catalog'],
    ],
    [
      ['worklogs', 'add', '--minutes', '5', '--help'],
      ['commander', 'catalog'],
    ],
    [
      ['sales-invoices', 'rows', 'list', '--help'],
      ['commander', 'catalog'],
    ],
    [['login', '--help'], ['commander']],
    [['token', 'set', '--help'], ['commander']],
    [['week', '--help'], ['commander']],
    [['sandbox', '--help'], ['commander']],
    [['doctor', '--help'], ['commander']],
  ])('loads only the code of help for %j', async (argv, allowed) => {
    const run = await built.run(argv, { home });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('Usage:');
    expect(heavyOf(run).filter((name) => !allowed.includes(name))).toEqual([]);
    expect(heavyBuiltInsOf(run)).toEqual([]);
  });

  it('loads only the code of help for a resource from an API spec', async () => {
    const described = await mkdtemp(join(tmpdir(), 'svc-home-'));
    try {
      await storeResources(described, 'acme.example.com', [WORKLOGS]);
      const run = await built.run(['worklogs', 'create', '--help'], { home: described, env: { SVC_HOST: 'acme.example.com' } });
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(run.stdout).toContain('--mood');
      expect(heavyOf(run).filter((name) => name !== 'catalog' && name !== 'commander')).toEqual([]);
      expect(heavyBuiltInsOf(run)).toEqual([]);
    } finally {
      await rm(described, { recursive: true, force: true });
    }
  });

  it('loads only the catalog file of its resource', async () => {
    const { modules } = await built.run(['worklogs', 'list', '--help'], { home });
    const areas = modules.filter((module) => HEAVY.catalog.test(module));
    expect(areas).toEqual(['src/catalog/time.ts']);
  });

  it('loads only the code of help when mistyped', async () => {
    const run = await built.run(['worklog', 'ad'], { home });
    expect(run.code).toBe(2);
    expect(heavyOf(run).filter((name) => name !== 'catalog' && name !== 'commander')).toEqual([]);
    expect(heavyBuiltInsOf(run)).toEqual([]);
  });
});

describe('a command with a valid token', () => {
  let person: SignedIn;
  beforeAll(async () => {
    person = await signedIn();
  });
  afterAll(() => person.remove());

  /** Of a request in clear over HTTP/1.1; a real host adds TLS. */
  const REQUEST = ['commander', 'undici', 'client', 'stores'];

  /** What a socket and the id of a request need. */
  const NETWORK = ['net', 'stream', 'crypto'];

  it.each([
    [['me'], REQUEST],
    [
      ['worklogs', 'add', '--minutes', '90'],
      [...REQUEST, 'catalog'],
    ],
    [
      ['worklogs', 'list', '--limit', '3'],
      [...REQUEST, 'catalog'],
    ],
    [['api', '/me'], REQUEST],
  ])('loads only the code for one request with %j', async (argv, allowed) => {
    const run = await built.run(argv, { home: person.home });
    expect(run).toMatchObject({ code: 0 });
    // Dates are native from Node 26 on.
    const given = 'Temporal' in globalThis ? allowed : [...allowed, 'dates'];
    expect(heavyOf(run).filter((name) => !given.includes(name))).toEqual([]);
    // The zone is the one that is known.
    if ('Temporal' in globalThis || argv[0] === 'me') expect(run.dates).toBe(false);
    // What is written is noted first.
    const noting = argv[1] === 'add' ? ['sqlite'] : [];
    expect(run.builtIns.filter((name) => HEAVY_BUILT_INS.includes(name) && !NETWORK.includes(name))).toEqual(noting);
  });

  it('compiles the HTTP parser without the optimising compiler of V8', async () => {
    const { stdout } = await built.run(['me'], { home: person.home, node: ['--trace-wasm-compilation-times'] });
    expect(stdout).toContain('using Liftoff');
    expect(stdout).not.toContain('using TurboFan');
  });
});
