import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSandboxOrigins } from '../../src/config/sandbox-origins.ts';
import { nodeFiles } from '../../src/system/files.ts';

let state: string;
beforeEach(async () => {
  state = await mkdtemp('/tmp/svc-origins-');
});
afterEach(() => rm(state, { recursive: true, force: true }));

const url = 'http://127.0.0.1:4010';
const origin = {
  url,
  from: 'acme.example.com',
  pseudonyms: true,
  read_at: '2026-11-22T14:00:00Z',
  started_at: '2026-11-23T08:00:00Z',
  last_ids: { projects: 8 },
};
const open = () => openSandboxOrigins(nodeFiles(), state);

it('svc stores the origin of a sandbox in a private file, until another sandbox uses the address', async () => {
  await open().keep(origin);
  const [file = ''] = await readdir(join(state, 'sandboxes'));
  expect(file).toBe('127.0.0.1_4010.json');
  expect((await stat(join(state, 'sandboxes', file))).mode & 0o777).toBe(0o600);
  expect(await open().originOf({ origin: url })).toEqual({ version: 1, ...origin });
  expect(await open().originOf({ origin: 'http://127.0.0.1:4011' })).toBeUndefined();
  expect(await open().originOf({ origin: 'https://127.0.0.1:4010' })).toBeUndefined();
  await open().keep({ ...origin, from: 'other.example.com' });
  expect((await open().originOf({ origin: url }))?.from).toBe('other.example.com');
  await open().forget(url);
  expect(await open().originOf({ origin: url })).toBeUndefined();
});

it('svc refuses a sandbox origin of another version, from a damaged file, or from a file with unsafe permissions', async () => {
  await open().keep(origin);
  const path = join(state, 'sandboxes', '127.0.0.1_4010.json');
  for (const text of ['{', '{}', JSON.stringify({ ...origin, version: 2 }), JSON.stringify({ ...origin, version: 1, from: 7 })]) {
    await writeFile(path, text);
    await expect(open().originOf({ origin: url })).rejects.toThrow(`svc cannot read the content of ${path}.`);
  }
  await open().keep(origin);
  if (process.platform === 'win32') return;
  for (const [each, mode] of [
    [state, 0o755],
    [join(state, 'sandboxes'), 0o755],
    [path, 0o666],
  ] as const)
    await chmod(each, mode);
  await expect(open().originOf({ origin: url })).rejects.toThrow('svc does not use the origin of the sandbox');
});
