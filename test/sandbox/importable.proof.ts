import { execFile, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { svcBinary } from '../support/binary.ts';
import { ROOT } from '../support/bundle.ts';

const run = promisify(execFile);
const python = spawnSync('python3', ['--version']).status === 0;

/** Somebody else's project, with svc among its packages as npm would unpack it. */
let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'svc-import-'));
  const source = join(project, 'source');
  await mkdir(source);
  // What prepack would build is the bundle of this run.
  await cp(join(dirname(svcBinary().path), '..'), source, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', project], { cwd: source });
  const [packed = ''] = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  const installed = join(project, 'node_modules', 'svc-cli');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(project, packed), '-C', installed, '--strip-components=1']);
  await rm(source, { recursive: true });
  await mkdir(join(project, 'bin'));
  await writeFile(join(project, 'bin', 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${join(installed, 'bin', 'svc.js')}' "$@"\n`);
  await chmod(join(project, 'bin', 'svc'), 0o755);
  const guide = await readFile(join(ROOT, 'docs/guides/sandbox-in-tests.md'), 'utf8');
  for (const [language, name] of [
    ['js', 'hours.test.mjs'],
    ['python', 'test_hours.py'],
  ]) {
    const [, code = ''] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide) ?? [];
    expect(code, `${language} in the guide`).toContain(`${name}, run by: `);
    await writeFile(join(project, name ?? ''), code);
  }
});
afterAll(() => rm(project, { recursive: true, force: true }));

const env = () => ({ HOME: project, PATH: `${join(project, 'bin')}:${process.env['PATH']}` });

describe('the packed svc, in another project', () => {
  it('runs the guide’s test in Node', async () => {
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'hours.test.mjs'], { cwd: project, env: env() });
    expect(stdout).toMatch(/^# pass 2$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  });

  it.skipIf(!python && process.env['SVC_TEST_PYTHON'] !== 'required')(
    'runs the guide’s test in Python (skipped where there is no Python)',
    async () => {
      const { stderr } = await run('python3', ['-W', 'error', '-m', 'unittest'], { cwd: project, env: env() });
      expect(stderr).toMatch(/^Ran 2 tests in [\s\S]*\nOK\n$/m);
    },
  );

  it('can be imported with its types, as an ES module and as CommonJS', async () => {
    await writeFile(
      join(project, 'esm.mts'),
      `import { parseFault, type Sandbox, startSandbox } from 'svc-cli/sandbox';
const sandbox: Sandbox = await startSandbox({ limits: 'off', interpretations: { descending: 'suffix' }, faults: [parseFault('503')] });
const first: string | undefined = sandbox.tokens[0]?.value;
export const status: number | undefined = sandbox.requests[0]?.status;
// @ts-expect-error There is no such limit.
await startSandbox({ limits: 'none' });
// @ts-expect-error There is no such option.
await startSandbox({ interpretations: { nothing: true } });
export { first };
`,
    );
    await writeFile(
      join(project, 'common.cts'),
      `import svc = require('svc-cli/sandbox');\nexport const started: Promise<svc.Sandbox> = svc.startSandbox();\n`,
    );
    for (const [module, files] of [
      ['nodenext', ['esm.mts', 'common.cts']],
      ['preserve', ['esm.mts']],
    ] as const) {
      const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', module, '--types', ''];
      const checked = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...flags, ...files], {
        cwd: project,
      }).catch((error: { readonly stdout: string }) => error);
      expect(checked.stdout, module).toBe('');
    }
  });

  it('can be required from CommonJS, and does not export its main program', async () => {
    const required = "require('svc-cli/sandbox').startSandbox().then((s) => { console.log(s.rows('users').length); return s.close(); })";
    expect((await run(process.execPath, ['-e', required], { cwd: project })).stdout).toBe('12\n');
    await expect(run(process.execPath, ['-e', "require('svc-cli/dist/main.cjs')"], { cwd: project })).rejects.toThrow(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    );
    expect((await run(process.execPath, ['-p', "require('svc-cli/package.json').name"], { cwd: project })).stdout).toBe('svc-cli\n');
  });
});
