import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { INJECTED_BUGS } from '../../scripts/simulate/injected-bugs.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** What `npm run simulate -- --trace` prints of some worlds, without how long it took. */
async function simulate(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['scripts/simulate.ts', ...args], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  return stdout.replace(/ in \d+ s;/, ';');
}

describe('the simulation', () => {
  test('prints the same bytes for a seed in every run, also after other seeds', async () => {
    const [first, later] = await Promise.all([
      simulate('--seed', '7', '--runs', '1', '--trace'),
      simulate('--seed', '6', '--runs', '2', '--trace'),
    ]);
    expect(first).toMatch(/^seed 7: [0-9a-f]{64}$/m);
    // All that happened in it, which is all but the last two lines.
    expect(later).toContain(first.split('\n').slice(0, -3).join('\n'));
    expect(first.split('\n').length).toBeGreaterThan(100);
  });

  test.each(INJECTED_BUGS)('finds the code of the injected bug "$what" exactly once', async ({ file, find }) => {
    expect((await readFile(join(ROOT, 'src', file), 'utf8')).split(find)).toHaveLength(2);
  });
});
