import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** A project with the .npmrc of this one, and a dependency that runs a script when it is installed. */
let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'svc-scripts-'));
  await copyFile('.npmrc', join(project, '.npmrc'));
  await mkdir(join(project, 'dependency'));
  await writeFile(
    join(project, 'dependency', 'package.json'),
    JSON.stringify({ name: 'dependency', version: '1.0.0', scripts: { postinstall: 'node -e 0' } }),
  );
  npm('pack', './dependency');
});
afterAll(() => rm(project, { recursive: true }));

function npm(...args: readonly string[]) {
  return spawnSync('npm', args, { cwd: project, encoding: 'utf8', shell: process.platform === 'win32' });
}

// Older versions of npm have no such setting, and ignore it.
const { stdout } = spawnSync('npm', ['config', 'get', 'strict-allow-scripts'], { encoding: 'utf8', shell: process.platform === 'win32' });

it.skipIf(stdout.trim() === 'undefined')('npm install fails when a dependency without permission has an install script', async () => {
  const manifest = { name: 'project', version: '1.0.0', dependencies: { dependency: 'file:dependency-1.0.0.tgz' } };
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest));
  const refused = npm('install', '--offline', '--no-audit', '--no-fund');
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('ESTRICTALLOWSCRIPTS')]);
  expect(await readdir(project)).not.toContain('node_modules');
});
