import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

it('the third-party notices of the bundle name the licences of bundled packages and of jq, but no development package', async () => {
  const notices = await readFile(join(inject('bundle'), 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  // What the source imports, and two that come with these; pgpass has its licence in its README.
  for (const name of [
    'undici',
    'zod',
    'commander',
    'oauth4webapi',
    'marked',
    '@inquirer/core',
    'string-width',
    'pg',
    'pgpass',
    '@github/keytar',
  ])
    expect(notices, name).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((?:MIT|ISC|BSD-\\d-Clause|Apache-2\\.0)\\)$`, 'm'));
  expect(notices).toContain('jq is copyright (C) 2012 Stephen Dolan');
  expect(notices).toContain('Oniguruma LICENSE');
  // Nothing of what only makes and tests it.
  expect(notices).not.toMatch(/^(?:vitest|rolldown|typescript) /m);
});

it('the list of packages in CycloneDX names exactly the packages in the bundle', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-sbom-'));
  try {
    await copyFile(join(inject('bundle'), 'dist', 'THIRD-PARTY-NOTICES.txt'), join(directory, 'THIRD-PARTY-NOTICES.txt'));
    execFileSync(process.execPath, ['scripts/sbom.ts', directory], { stdio: ['ignore', 'ignore', 'pipe'] });
    const sbom = JSON.parse(await readFile(join(directory, 'sbom.cdx.json'), 'utf8'));
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'svc-cli', purl: expect.stringMatching(/^pkg:npm\/svc-cli@/) } },
    });
    const notices = await readFile(join(directory, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const bundled = [...notices.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \(/gm)].map(([, name, version]) => `${name}@${version}`);
    const listed = (sbom.components as { readonly purl: string }[]).map(({ purl }) => decodeURIComponent(purl.replace('pkg:npm/', '')));
    const installed = listed.filter((name) => !bundled.includes(name)).map((name) => name.replace(/@[^@]*$/, ''));
    expect(bundled.filter((name) => !listed.includes(name))).toEqual([]);
    expect(installed.sort()).toEqual([]);
    const refs = new Set(['svc-cli', ...sbom.components.map((component: { 'bom-ref': string }) => component['bom-ref'])]);
    for (const { dependsOn } of sbom.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
  } finally {
    await rm(directory, { recursive: true });
  }
});
