import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn();
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const list = (...flags: string[]) => here.svc(['labels', 'list', '--output', 'ids', ...flags]);

it('svc uses the stored labels for a second list, unless you give --no-cache or create a label', async () => {
  const first = await list();
  expect(first.code, first.stderr).toBe(0);
  expect((await list()).stdout).toBe(first.stdout);
  expect(here.sandbox.requests).toHaveLength(1);
  await list('--no-cache');
  expect(here.sandbox.requests).toHaveLength(2);
  expect((await here.svc(['labels', 'create', '--name', 'Brand new', '-F', 'color=#112233'])).code).toBe(0);
  expect((await list()).stdout).not.toBe(first.stdout);
});

it('svc reads labels again after a write without an answer', async () => {
  const first = await list('--no-cache');
  await list();
  here.sandbox.setFaults([{ method: 'POST', path: '/labels', drop: 'after', times: 20 }]);
  expect((await here.svc(['labels', 'create', '--name', 'Unanswered', '-F', 'color=#112233'], { hurried: true })).code).not.toBe(0);
  here.sandbox.setFaults([]);
  expect((await list()).stdout).not.toBe(first.stdout);
});

it('the cache contains no token and no answer that is marked no-store', async () => {
  await list();
  await here.svc(['worklogs', 'list', '--limit', '3']);
  const directory = join(here.home, '.cache', 'svc', 'answers');
  const names = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.json'));
  expect(names.length).toBeGreaterThan(0);
  expect(names.every((name) => /\/labels-/.test(name))).toBe(true);
  for (const name of names) expect(await readFile(join(directory, name), 'utf8')).not.toMatch(/bearer|svcsb/i);
});
