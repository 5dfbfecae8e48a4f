import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';

const PLACE = /(?<=\(|at async |at (?!async ))([^()]+\.cjs):(\d+):(\d+)(?=\)?$)/;

/** Returns an error’s stack with positions in the source, by the maps beside the bundle. Keeps a frame without a map unchanged. */
export async function sourceTrace({ stack = '' }: Error): Promise<string> {
  const maps = new Map<string, Promise<SourceMap | undefined>>();
  const lines = stack.split('\n').map(async (text) => {
    const [, file, line, column] = PLACE.exec(text) ?? [];
    if (file === undefined) return text;
    const known = maps.get(file) ?? readMap(file);
    maps.set(file, known);
    const origin = (await known)?.findOrigin(Number(line), Number(column));
    return origin === undefined || !('fileName' in origin) ? text : text.replace(PLACE, () => `${origin.fileName}:${origin.lineNumber}`);
  });
  return (await Promise.all(lines)).join('\n');
}

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
