import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';

declare global {
  var svcReached: ((region: string) => void) | undefined;
}

// What a file imports runs again for the next file of the process, so that what is only run at loading counts for each.
vi.resetModules();

const reached = new Set<string>();
globalThis.svcReached = (region) => void reached.add(region);

afterAll(() => {
  const directory = process.env['SVC_MUTATE_REACHED'];
  const { testPath } = expect.getState();
  if (directory === undefined || testPath === undefined) return;
  writeFileSync(join(directory, `${encodeURIComponent(testPath)}.json`), JSON.stringify({ testPath, reached: [...reached] }));
});
