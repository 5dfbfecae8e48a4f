import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

function foldersOf(path: string): string[] {
  return readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

it('every folder of src has a folder of tests', () => {
  const tested = foldersOf('test').filter((name) =>
    readdirSync(join(ROOT, 'test', name), { recursive: true, encoding: 'utf8' }).some((file) => /\.(?:test|proof)\.ts$/.test(file)),
  );
  expect(foldersOf('src').filter((name) => !tested.includes(name))).toEqual([]);
});

it('docs/contributing/architecture.md names exactly the test folders without a folder of the same name in src', () => {
  const [, listed = ''] =
    /^ {4}test\/ +a folder for each folder of src; besides them: ([\s\S]*?)\n {4}\S/m.exec(
      readFileSync(join(ROOT, 'docs/contributing/architecture.md'), 'utf8'),
    ) ?? [];
  const named = [...listed.matchAll(/\b([a-z0-9]+)\//g)].map(([, name]) => name);
  const mirrored = foldersOf('src');
  expect(named.toSorted()).toEqual(
    foldersOf('test')
      .filter((name) => !mirrored.includes(name))
      .toSorted(),
  );
});
