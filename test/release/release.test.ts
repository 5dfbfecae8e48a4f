import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notesOf, releasedChangelog } from '../../scripts/release/changelog.ts';
import { checksums, provenance } from '../../scripts/release/provenance.ts';
import { isLaterVersion } from '../../src/values/versions.ts';

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- More.\n\n## [0.1.0] - 2026-01-02\n\n- The first.\n';

describe('the changelog of a release', () => {
  it('has the unreleased changes under the new version', () => {
    const released = releasedChangelog(CHANGELOG, '0.2.0', '2026-12-01');
    expect(released).toBe(
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- More.\n\n## [0.1.0] - 2026-01-02\n\n- The first.\n',
    );
    expect(notesOf(released, '0.2.0')).toBe('### Added\n\n- More.');
    expect(notesOf(released, '0.1.0')).toBe('- The first.');
    expect(notesOf(released, '9.9.9')).toBe('');
  });

  it('has the changes of the first release under its version', () => {
    expect(releasedChangelog('## [Unreleased]\n\n- All.\n', '0.1.0', '2026-12-01')).toBe(
      '## [Unreleased]\n\n## [0.1.0] - 2026-12-01\n\n- All.\n',
    );
  });

  it('is refused when Unreleased has no changes', () => {
    expect(() => releasedChangelog('## [Unreleased]\n\n## [0.1.0]\n\n- All.\n', '0.2.0', '2026-12-01')).toThrow('nothing under Unreleased');
    expect(() => releasedChangelog('# Changelog\n', '0.2.0', '2026-12-01')).toThrow('nothing under Unreleased');
  });
});

describe('a version', () => {
  it.each([
    ['0.1.1', '0.1.0', true],
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.1.0', '0.1.0', false],
    ['0.1.0', '0.2.0', false],
    ['0.2.9', '0.10.0', false],
    ['01.2.3', '0.1.0', false],
    ['1.2', '0.1.0', false],
    ['', '0.1.0', false],
    ['2.0.0-beta.1', '0.1.0', false],
  ])('counts as later only if valid and with a larger number ("%s" after "%s": %s)', (version, than, later) => {
    expect(isLaterVersion(version, than)).toBe(later);
  });
});

describe('the files next to a release', () => {
  it('contain checksums for sha256sum, and the origin of the files', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-release-'));
    const file = join(directory, 'svc-0.2.0.tgz');
    await writeFile(file, 'abc');
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(await checksums(directory, ['svc-0.2.0.tgz'])).toBe(`${digest}  svc-0.2.0.tgz\n`);
    const origin = {
      repository: 'r',
      commit: 'c0ffee',
      version: '0.2.0',
      nodeVersion: '26.0.0',
      lockfile: 'abc',
      builtAt: '2026-12-01T00:00:00Z',
    };
    expect(JSON.parse(await provenance(directory, ['svc-0.2.0.tgz'], origin))).toMatchObject({
      subject: [{ name: 'svc-0.2.0.tgz', digest: { sha256: digest } }],
      predicate: { buildDefinition: { resolvedDependencies: [{ digest: { gitCommit: 'c0ffee' } }, { digest: { sha256: digest } }] } },
    });
    await rm(directory, { recursive: true });
  });
});

describe('scripts/release.ts', () => {
  it('exits 1 without a person at a terminal', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/release.ts', '99.0.0'], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('Run this script yourself at a terminal. Nothing was changed.');
  });
});
