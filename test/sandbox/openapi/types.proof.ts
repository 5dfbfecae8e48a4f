import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installTools } from '../../support/locked-tools.ts';
import { partOf } from '../../support/parts.ts';
import { sandbox } from '../support.ts';
import { documentOf, runAll } from './run.ts';
import type { Loose } from './validator.ts';

const run = promisify(execFile);
let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-types-'));
  await symlink(join(await installTools('openapi-typescript'), 'node_modules'), join(directory, 'node_modules'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const DOCUMENTS = [
  ['the default API spec', {}],
  ['the API spec of a tenant, in 3.0.3', { tenant: 11, interpretations: { openapiVersion: '3.0.3', openapiSchemas: 'all-of' } as const }],
] as const;

test.each(partOf(DOCUMENTS, 2))('types generated from %s match recorded answers', async (name, options) => {
  const service = await sandbox({ limits: 'off', switches: { furlough: true }, ...options });
  const document = await documentOf(service);
  const recorded = new Map<string, string>();
  await runAll(service, ({ path, method }, { status, headers, body }) => {
    const type = headers.get('content-type');
    const key = `paths[${JSON.stringify(path)}]['${method.toLowerCase()}']['responses'][${status}]`;
    if (type !== null && body !== undefined) recorded.set(`${key}['content'][${JSON.stringify(type)}]`, JSON.stringify(inShort(body)));
  });
  expect(recorded.size).toBeGreaterThan(500);
  const stem = name.replaceAll(' ', '-');
  await writeFile(join(directory, `${stem}.json`), JSON.stringify(document));
  await run('node', ['node_modules/openapi-typescript/bin/cli.js', `${stem}.json`, '-o', `${stem}.d.ts`], { cwd: directory });
  const lines = [...recorded].map(([type, value], at) => `export const answer${at}: ${type} = ${value};`);
  // What does not fit must be found: else nothing found would say nothing.
  const [me] = [...recorded.keys()].filter((type) => type.includes("/me\"]['get']['responses'][200]"));
  const files = { answers: lines, wrong: [`export const wrong: ${me} = { data: { id: 'one' } };`] };
  for (const [file, text] of Object.entries(files)) {
    await writeFile(join(directory, `${file}.ts`), [`import type { paths } from './${stem}.d.ts';`, ...text, ''].join('\n'));
  }
  const flags = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const found: string = await run('node', ['node_modules/typescript/bin/tsc', ...flags, 'answers.ts', 'wrong.ts'], { cwd: directory }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(
    found
      .split('\n')
      .filter((line) => line.startsWith('answers.ts'))
      .map((line) => line.slice(0, 400)),
  ).toEqual([]);
  expect(found).toContain('wrong.ts(2,');
});

/** Two rows of a page say as much as twenty-five, and are read sooner. */
function inShort(body: Loose): Loose {
  return Array.isArray(body.data) ? { ...body, data: body.data.slice(0, 2) } : body;
}
