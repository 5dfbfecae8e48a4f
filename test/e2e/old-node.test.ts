import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { SVC } from './support/account.ts';

/** An older Node on this machine; svc needs 22.19. */
const old = [process.env['SVC_TEST_OLD_NODE'], '/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  if (path === undefined || path === '') return false;
  try {
    const [major = 0, minor = 0] = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.').map(Number);
    return major < 22 || (major === 22 && minor < 19);
  } catch {
    return false;
  }
});

it.skipIf(old === undefined)(
  `svc exits 1 and names the required version on a Node older than 22.19${old === undefined ? ' (skipped: no Node older than 22.19 here; name one in SVC_TEST_OLD_NODE)' : ''}`,
  () => {
    let failure: { status?: number; stdout?: string; stderr?: string } = {};
    try {
      execFileSync(old ?? '', [SVC, 'me'], { encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      failure = error as typeof failure;
    }
    expect(failure).toMatchObject({ status: 1, stdout: '' });
    expect(failure.stderr).toMatch(/^svc needs Node 22\.19 or newer; this is \d+\.\d+\.\d+\..*\n$/);
  },
);
