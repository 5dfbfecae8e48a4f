// Two exports into one directory at the same time. Each one is complete or refused. SVC_TEST_FULL=1 runs 50 pairs.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { svcBinary } from '../support/binary.ts';
import { IS_FULL } from '../support/parts.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const PAIRS = IS_FULL ? 50 : 4;
const RESOURCE_NAMES = ['worklogs', 'customers'];

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
});
afterAll(() => here.remove());

async function filesIn(directory: string): Promise<Record<string, string>> {
  const names = (await readdir(directory)).sort();
  expect(names).toEqual(['customers.ndjson', 'manifest.json', 'worklogs.ndjson']);
  const read = async (name: string) => [name, await readFile(join(directory, name), 'utf8')];
  return Object.fromEntries(await Promise.all(names.filter((name) => name.endsWith('.ndjson')).map(read)));
}

it(`${PAIRS} pairs of exports into one directory leave complete files, or svc refuses one export`, { timeout: 600_000 }, async () => {
  const start = { home: here.home, env: { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' } };
  const run = (directory: string, ...more: string[]) =>
    svcBinary().run(['export', directory, ...RESOURCE_NAMES, '--no-children', '--view', 'detail', ...more], start);
  const whole = join(here.home, 'whole');
  expect((await run(whole)).code).toBe(0);
  const expected = await filesIn(whole);
  let refused = 0;
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    const directory = join(here.home, `pair-${pair}`);
    // Every second pair updates an existing export.
    const more = pair % 2 === 0 ? ['--since', 'last'] : [];
    if (pair % 2 === 0) expect((await run(directory)).code).toBe(0);
    const ends = await Promise.all([run(directory, ...more), run(directory, ...more)]);
    for (const { code, stderr } of ends) {
      if (code === 0) continue;
      refused += 1;
      expect([code, stderr]).toEqual([1, expect.stringContaining(`exports into ${directory}`)]);
    }
    expect(ends.map(({ code }) => code)).toContain(0);
    expect(await filesIn(directory), `pair ${pair}`).toEqual(expected);
  }
  console.log(`${refused} of ${2 * PAIRS} were refused`);
});
