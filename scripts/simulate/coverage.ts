import { readdirSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mergeProcessCovs } from '@bcoe/v8-coverage';
import { convert } from 'ast-v8-to-istanbul';
import { parseAst } from 'rolldown/parseAst';

const SOURCE = join(import.meta.dirname, '../../src');

/** The folders that keep state: tokens, files, limits, records and writes. */
const STATEFUL = ['auth', 'bulk', 'client', 'database', 'journal'];

export interface FolderCoverage {
  /** The folder below `src`. */
  readonly folder: string;
  readonly branches: number;
  readonly reached: number;
}

/**
 * Counts the branches of the stateful folders that scenarios reached. Branches are those of Istanbul: both sides of `if`, `?:`, `&&`, `||`
 * and `??`, and each `case`.
 *
 * @param directory where Node wrote the coverage of each process (`NODE_V8_COVERAGE`).
 */
export async function branchCoverage(directory: string): Promise<FolderCoverage[]> {
  const read = (name: string) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as { readonly result: Profiler.ScriptCoverage[] };
  const root = pathToFileURL(`${SOURCE}/`).href;
  const ofSource = ({ url }: Profiler.ScriptCoverage) => STATEFUL.some((folder) => url.startsWith(`${root}${folder}/`));
  const { result } = mergeProcessCovs(readdirSync(directory).map((name) => ({ result: read(name).result.filter(ofSource) })));
  const folders = new Map<string, { branches: number; reached: number }>();
  for (const { url, functions } of result) {
    const code = readFileSync(fileURLToPath(url), 'utf8');
    const found = await convert({ code, ast: parseAst(code, { lang: 'ts' }), coverage: { url, functions } });
    const folder = relative(SOURCE, dirname(fileURLToPath(url)));
    const counts = folders.get(folder) ?? { branches: 0, reached: 0 };
    for (const sides of Object.values(found).flatMap(({ b }) => Object.values(b))) {
      counts.branches += sides.length;
      counts.reached += sides.filter((times) => times > 0).length;
    }
    folders.set(folder, counts);
  }
  return [...folders].map(([folder, counts]) => ({ folder, ...counts })).sort((a, b) => a.folder.localeCompare(b.folder));
}
