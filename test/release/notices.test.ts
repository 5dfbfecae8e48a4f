import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

it('the bundle brings the licence of every package that is in it, and of jq', async () => {
  const notices = await readFile(join(inject('bundle'), 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  // What the source imports, and two that come with these; pgpass has its licence in its README.
  for (const name of ['undici', 'zod', 'commander', 'oauth4webapi', 'marked', '@inquirer/core', 'string-width', 'pg', 'pgpass'])
    expect(notices, name).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((?:MIT|ISC|BSD-\\d-Clause|Apache-2\\.0)\\)$`, 'm'));
  expect(notices).toContain('jq is copyright (C) 2012 Stephen Dolan');
  expect(notices).toContain('Oniguruma LICENSE');
  // Nothing of what only makes and tests it.
  expect(notices).not.toMatch(/^(?:vitest|rolldown|typescript) /m);
});
