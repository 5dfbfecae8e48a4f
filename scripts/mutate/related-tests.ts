import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { Visitor } from 'rolldown/utils';

/** A test file that may notice a change. */
export interface RelatedTest {
  /** From the root, with slashes. */
  readonly path: string;
  /** Imports between it and the changed file; {@link UNKNOWN} where it may run it in a process of its own. */
  readonly distance: number;
  /** It stands in the folder that mirrors the file's, or imports the file itself, and runs in one process. */
  readonly near: boolean;
}

const UNKNOWN = 6;
/** A test that imports it runs many processes of a bundled svc: the last one to be asked. */
const BUNDLER = 'test/support/binary.ts';

/** Knows what each test file imports, directly or not: `import()` with a literal too. */
export function createRelatedTests(root: string): (file: string) => RelatedTest[] {
  const imports = new Map<string, readonly string[]>();
  const files = ['src', 'test', 'scripts'].flatMap((folder) => typeScriptBelow(root, folder));
  for (const file of files) imports.set(file, importsOf(root, file));
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  const bundling = distancesTo(BUNDLER, imports);

  return (file) => {
    const distances = distancesTo(file, imports);
    const mirror = `test/${file.split('/')[1]}/`;
    return tests.flatMap((path) => {
      const distance = distances.get(path);
      const beside = path.startsWith(mirror);
      if (distance === undefined && !beside) return [];
      return [{ path, distance: distance ?? UNKNOWN, near: (beside || distance === 1) && !bundling.has(path) }];
    });
  };
}

/** How many imports lead from each file to this one, for those that lead there. */
function distancesTo(file: string, imports: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const distances = new Map([[file, 0]]);
  for (const [reached, distance] of distances) {
    for (const [importer, imported] of imports) {
      if (imported.includes(reached) && !distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}

function importsOf(root: string, file: string): string[] {
  const found: string[] = [];
  const add = (source: unknown) => {
    if (typeof source === 'string' && source.startsWith('.')) found.push(slashed(relative(root, join(root, dirname(file), source))));
  };
  new Visitor({
    ImportDeclaration: (node) => node.importKind !== 'type' && add(node.source.value),
    ExportNamedDeclaration: (node) => add(node.source?.value),
    ExportAllDeclaration: (node) => add(node.source.value),
    ImportExpression: (node) => node.source.type === 'Literal' && add(node.source.value),
  }).visit(parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' }, file));
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
