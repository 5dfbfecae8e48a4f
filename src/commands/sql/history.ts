import type { Files } from '../../deps.ts';
import type { Needs } from '../../session/context.ts';
import { pathIn } from '../../values/path-in.ts';

/** So many lines are kept, and at most twice as many before the older ones go. */
const MOST_LINES = 500;

/** Lines that were typed at the prompt, in a file that nobody else may read. */
export interface History {
  latestFirst(): readonly string[];
  /** Keeps a line. That it cannot be kept is nobody's concern while questions are asked. */
  add(line: string): Promise<void>;
}

export async function openHistory({ files, paths }: { readonly files: Files } & Needs<'paths'>): Promise<History> {
  const path = pathIn(paths.state, 'sql-history');
  const kept = ((await files.readText(path).catch(() => undefined)) ?? '').split('\n').filter((line) => line !== '');
  const lines = kept.slice(-MOST_LINES);
  if (kept.length > 2 * MOST_LINES) await files.writeAtomic(path, `${lines.join('\n')}\n`).catch(() => undefined);
  return {
    latestFirst: () => lines.toReversed(),
    async add(line) {
      if (line === lines.at(-1)) return;
      lines.push(line);
      await files.append(path, `${line}\n`).catch(() => undefined);
    },
  };
}
