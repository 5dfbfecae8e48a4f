// Parsing JSON of 100,000 levels works, but walking through the result would overflow the stack.
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

const LEVELS = 100_000;

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn();
  await writeFile(`${here.home}/deep.json`, `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`);
});
afterAll(() => here.remove());

it.each([
  ['worklogs create --minutes 5 --data @deep.json', '--data'],
  ['worklogs update 1 --data @deep.json', '--data'],
  ['worklogs import deep.json', 'Line 1'],
  ['api POST /worklogs --input deep.json', '--input'],
])('svc %s refuses JSON of more than 1000 levels, and writes nothing', async (line, where) => {
  here.sandbox.requests.length = 0;
  const run = await here.svc(line.replace('deep.json', `${here.home}/deep.json`).split(' '));
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`${where}: this JSON has more than 1000 levels`) });
  expect(here.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});
