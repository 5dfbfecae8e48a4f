import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { Visitor } from 'rolldown/utils';

/**
 * Returns the test files that import changed files, directly or indirectly. Leaves out tests that run a bundled svc, because these take
 * minutes and hide which code they reach.
 *
 * @param changed files with changes.
 * @param among starts of paths. Only tests with such a path are returned. Default: all tests.
 */
export function testsOf(root: string, changed: readonly string[], among: readonly string[]): string[] {
  const files = ['src', 'test', 'scripts'].flatMap((folder) => typeScriptBelow(root, folder));
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const imports = new Map([...sources].map(([file, source]) => [file, importsOf(root, file, source)]));
  const bundlers = files.filter((file) => file.startsWith('test/') && sources.get(file)?.includes("inject('bundle')"));
  const bundled = importersOf(bundlers, imports);
  const importing = importersOf(changed, imports);
  return files
    .filter((file) => file.endsWith('.test.ts') && importing.has(file) && !bundled.has(file))
    .filter((file) => among.length === 0 || among.some((start) => file.startsWith(start)));
}

/** Returns the given files and all files that import them, directly or indirectly. */
function importersOf(files: readonly string[], imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set(files);
  for (const reached of found) {
    for (const [file, imported] of imports) if (imported.includes(reached)) found.add(file);
  }
  return found;
}

/** Returns the relative imports of a file, including `import()` with a literal. */
function importsOf(root: string, file: string, text: string): string[] {
  const found: string[] = [];
  const add = (source: unknown) => {
    if (typeof source === 'string' && source.startsWith('.')) found.push(slashed(relative(root, join(root, dirname(file), source))));
  };
  new Visitor({
    ImportDeclaration: (node) => node.importKind !== 'type' && add(node.source.value),
    ExportNamedDeclaration: (node) => add(node.source?.value),
    ExportAllDeclaration: (node) => add(node.source.value),
    ImportExpression: (node) => node.source.type === 'Literal' && add(node.source.value),
  }).visit(parseAst(text, { lang: 'ts' }, file));
  return found;
}

/** Returns the TypeScript files in a folder, sorted by name. Paths are relative to the root. */
export function typeScriptBelow(root: string, folder: string): string[] {
  if (folder.endsWith('.ts')) return [folder];
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => `${folder}/${slashed(name)}`)
    .sort();
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
