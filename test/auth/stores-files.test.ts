import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { nodeFiles } from '../../src/system/files.ts';

const files = nodeFiles();
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-files-'));
  return () => rm(directory, { recursive: true });
});

test('svc writes files with mode 0600, or the given mode, into directories with mode 0700', async () => {
  const path = join(directory, 'a', 'b', 'secret');
  await files.writeAtomic(path, 'one');
  await files.writeAtomic(join(directory, 'a', 'public'), 'two', 0o644);
  expect(await readFile(path, 'utf8')).toBe('one');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(directory, 'a', 'public'))).mode & 0o777).toBe(0o644);
  for (const made of ['a', 'a/b']) expect((await stat(join(directory, made))).mode & 0o777).toBe(0o700);
});

test('svc replaces a file that others can read with a file of mode 0600', async () => {
  const path = join(directory, 'secret');
  await writeFile(path, 'old');
  await chmod(path, 0o644);
  await files.writeAtomic(path, 'new');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('svc returns a complete file to every read during a hundred writes', async () => {
  const path = join(directory, 'state');
  const texts = ['a', 'b'].map((letter) => letter.repeat(100_000));
  await files.writeAtomic(path, texts[0] ?? '');
  let writing = true;
  const writer = (async () => {
    for (let count = 0; count < 100; count++) await files.writeAtomic(path, texts[count % 2] ?? '');
    writing = false;
  })();
  while (writing) expect(texts).toContain(await files.readText(path));
  await writer;
});

test('svc leaves no temporary file when the target cannot be replaced', async () => {
  await files.writeAtomic(join(directory, 'occupied', 'file'), 'x');
  await expect(files.writeAtomic(join(directory, 'occupied'), 'text')).rejects.toThrow();
  expect(await readdir(directory)).toEqual(['occupied']);
});

test('svc replaces a link, or on request the linked file, which keeps its mode', async () => {
  await writeFile(join(directory, 'real'), 'old', { mode: 0o640 });
  await symlink(join(directory, 'real'), join(directory, 'link'));
  await files.writeThroughLink(join(directory, 'link'), 'new');
  expect((await lstat(join(directory, 'link'))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(directory, 'real'), 'utf8')).toBe('new');
  expect((await stat(join(directory, 'real'))).mode & 0o777).toBe(0o640);
  await files.writeAtomic(join(directory, 'link'), 'newer');
  expect((await lstat(join(directory, 'link'))).isFile()).toBe(true);
  expect(await readFile(join(directory, 'real'), 'utf8')).toBe('new');
});

test('svc returns undefined, false or an empty list for a missing file, and reports no error', async () => {
  const path = join(directory, 'nothing');
  expect(await files.readText(path)).toBeUndefined();
  expect(await files.remove(path)).toBe(false);
  expect(await files.list(path)).toEqual([]);
  expect(await files.stat(path)).toBeUndefined();
});

test('svc fails to read a directory as a file', async () => {
  await expect(files.readText(directory)).rejects.toMatchObject({ code: 'EISDIR' });
});

test('svc lists files in order, removes files, and returns the size and mode of a file', async () => {
  await files.writeAtomic(join(directory, 'b'), '12345');
  await files.writeAtomic(join(directory, 'a'), '');
  expect(await files.list(directory)).toEqual(['a', 'b']);
  expect(await files.stat(join(directory, 'b'))).toMatchObject({ mode: 0o600, size: 5 });
  expect(await files.remove(join(directory, 'b'))).toBe(true);
  expect(await files.list(directory)).toEqual(['a']);
});
