import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { Visitor } from 'rolldown/utils';

/** The test files of the project. */
export interface TestFiles {
  /** From the root, with slashes. */
  readonly all: readonly string[];
  /** Those that run a bundled svc in processes of its own, where nobody sees which code they reach. */
  readonly bundled: ReadonlySet<string>;
}

/** @param among Beginnings of paths: only these. */
export function readTestFiles(root: string, among: readonly string[]): TestFiles {
  const files = typeScriptBelow(root, 'test');
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const bundled = new Set(files.filter((file) => sources.get(file)?.includes("inject('bundle')")));
  const imports = new Map([...sources].map(([file, source]) => [file, importsOf(root, file, source)]));
  for (const reached of bundled) {
    for (const [file, imported] of imports) if (imported.includes(reached)) bundled.add(file);
  }
  const all = files.filter(
    (file) => file.endsWith('.test.ts') && (among.length === 0 || among.some((beginning) => file.startsWith(beginning))),
  );
  return { all, bundled };
}

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

/** The TypeScript files below a folder, from the root, in order of name. */
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
