import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';

declare global {
  var svcReached: ((region: string) => void) | undefined;
}

// Removes loaded modules, so that code that runs on loading counts for each test file.
vi.resetModules();

const reached = new Set<string>();
globalThis.svcReached = (region) => void reached.add(region);

afterAll(() => {
  const directory = process.env['SVC_MUTATE_REACHED'];
  const { testPath } = expect.getState();
  if (directory === undefined || testPath === undefined) return;
  writeFileSync(join(directory, `${encodeURIComponent(testPath)}.json`), JSON.stringify({ testPath, reached: [...reached] }));
});
