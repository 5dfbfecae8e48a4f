import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { SVC_VERSION } from '../../src/version.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Returns the time that all files of a release have, in seconds since 1970. It is the day of the version in the changelog, so that two
 * builds of a version are equal. Before the release it is the time of the last commit. In an archive without Git, it is the time of the
 * changelog.
 */
export async function releaseTime(): Promise<number> {
  const changelog = await readFile(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const [, day] = new RegExp(`^## \\[${RegExp.escape(SVC_VERSION)}\\] - (\\d{4}-\\d\\d-\\d\\d)$`, 'm').exec(changelog) ?? [];
  if (day !== undefined) return Date.parse(day) / 1000;
  const isClone = existsSync(new URL('../../.git', import.meta.url));
  if (!isClone) return Math.floor((await stat(new URL('../../CHANGELOG.md', import.meta.url))).mtimeMs / 1000);
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
}
