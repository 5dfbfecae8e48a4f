import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';

/** The place of a stack frame in the bundle: `/usr/lib/svc/dist/chunks/core.cjs:1:2345`. */
const PLACE = /(?<=\(|at async |at (?!async ))([^()]+\.cjs):(\d+):(\d+)(?=\)?$)/;

/**
 * An error's stack with the files and lines of the source instead of the bundle's. The maps lie beside the bundle and are read
 * here only. A frame of a file without a map stays as it is.
 */
export async function sourceTrace({ stack = '' }: Error): Promise<string> {
  const maps = new Map<string, Promise<SourceMap | undefined>>();
  const lines = stack.split('\n').map(async (text) => {
    const [, file, line, column] = PLACE.exec(text) ?? [];
    if (file === undefined) return text;
    const known = maps.get(file) ?? readMap(file);
    maps.set(file, known);
    // Code that the bundler itself wrote has no origin.
    const origin = (await known)?.findOrigin(Number(line), Number(column));
    return origin === undefined || !('fileName' in origin) ? text : text.replace(PLACE, () => `${origin.fileName}:${origin.lineNumber}`);
  });
  return (await Promise.all(lines)).join('\n');
}

/** The map of a file of the bundle; undefined where there is none, as when svc runs from source. */
async function readMap(file: string): Promise<SourceMap | undefined> {
  try {
    return new SourceMap(JSON.parse(await readText(`${file}.map`)));
  } catch {
    return undefined;
  }
}

async function readText(file: string): Promise<string> {
  const { getAsset, isSea } = process.getBuiltinModule('node:sea');
  return isSea() ? getAsset(file.replaceAll('\\', '/'), 'utf8') : readFile(file, 'utf8');
}
