// What differs between systems, each handed in: no macOS or Windows is asked here. Windows is, under Wine, by test/windows/.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFileStore } from '../../src/auth/stores/file-store.ts';
import { platformKeychain } from '../../src/auth/stores/platform-keychain.ts';
import { resolvePaths } from '../../src/config/paths.ts';
import { codeDirectory } from '../../src/launch/launch.ts';
import { nodeFiles } from '../../src/system/files.ts';
import { createPager } from '../../src/system/pager.ts';
import { sampleRecord } from '../auth/fixtures/store-contract.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-platforms-'));
  return () => rm(directory, { recursive: true, force: true });
});

describe('svc on macOS', () => {
  const home = { platform: 'darwin', home: '/Users/zoe', accountHome: '/Users/zoe' } as const;

  it('uses the XDG directories, by default in the home directory', () => {
    expect(resolvePaths({}, home)).toEqual({
      config: '/Users/zoe/.config/svc',
      cache: '/Users/zoe/.cache/svc',
      state: '/Users/zoe/.local/state/svc',
      tokens: '/Users/zoe/.config/svc/tokens',
      keychain: '/Users/zoe/.local/state/svc/keychain',
    });
    expect(resolvePaths({ XDG_CONFIG_HOME: '/Volumes/x' }, home).config).toBe('/Volumes/x/svc');
    expect(codeDirectory({ HOME: '/Users/zoe' }, 'darwin')).toBe('/Users/zoe/.cache/svc/code');
  });

  it('uses the Keychain, whose entries have no size limit', () => {
    expect(platformKeychain('darwin')).toEqual({ name: 'macOS Keychain', maxBytes: undefined });
  });

  it('reports a token file that others can read, because macOS has file modes', async () => {
    const store = createFileStore(nodeFiles('darwin'), directory, 'darwin');
    await store.write(sampleRecord('https://acme.example.com'));
    expect(await store.exposed('acme.example.com')).toEqual([]);
    const file = join(directory, 'acme.example.com.json');
    await chmod(file, 0o644);
    expect(await store.exposed('acme.example.com')).toEqual([file]);
  });

  it('reads a backslash before a space in a pager command as a shell does', async () => {
    const pager = join(directory, 'a pager');
    await writeFile(pager, `#!/bin/sh\ncat > '${directory}/shown'\n`, { mode: 0o755 });
    async function* input() {
      yield 'a page\n';
    }
    await createPager({ PATH: '/usr/bin:/bin' }, 'darwin')(pager.replaceAll(' ', '\\ '), input(), new AbortController().signal);
    expect(await readFile(`${directory}/shown`, 'utf8')).toBe('a page\n');
  });
});

describe('svc on Windows', () => {
  it('uses the Credential Manager, with 2,560 bytes an entry', () => {
    expect(platformKeychain('win32')).toEqual({ name: 'Windows Credential Manager', maxBytes: 2_560 });
  });

  it('stores compiled code in %LOCALAPPDATA%, or nowhere without that variable', () => {
    expect(codeDirectory({ LOCALAPPDATA: '/local', HOME: '/home/zoe' }, 'win32')).toBe('/local/svc/cache/code');
    expect(codeDirectory({ HOME: '/home/zoe' }, 'win32')).toBeUndefined();
  });

  it('replaces a file by a rename, and fails to rename a missing file', async () => {
    const files = nodeFiles('win32');
    const [from, to] = [join(directory, 'from'), join(directory, 'to')];
    await writeFile(from, 'new');
    await writeFile(to, 'old');
    await files.rename(from, to);
    expect(await readFile(to, 'utf8')).toBe('new');
    await expect(files.rename(from, to)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
