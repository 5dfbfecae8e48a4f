import { upwards } from '../../config/directory-file.ts';
import type { Files } from '../../deps.ts';
import { pathIn } from '../../values/path-in.ts';

/**
 * The name of the git branch that is checked out here; undefined outside a repository, or on no branch. Read from git's own files, which costs less
 * than starting git.
 */
export async function findBranch(files: Pick<Files, 'readText'>, cwd: string): Promise<string | undefined> {
  for (const directory of upwards(cwd)) {
    const read = (path: string) => files.readText(path).catch(() => undefined);
    const dotGit = pathIn(directory, '.git');
    let head = await read(pathIn(dotGit, 'HEAD'));
    if (head === undefined) {
      // In a worktree or a submodule .git is a file that names the directory.
      const pointer = /^gitdir: (.+)$/m.exec((await read(dotGit)) ?? '')?.[1]?.trim();
      if (pointer === undefined) continue;
      head = await read(pathIn(/^([\\/]|[A-Za-z]:)/.test(pointer) ? pointer : pathIn(directory, pointer), 'HEAD'));
    }
    return /^ref: refs\/heads\/(.+)$/m.exec(head ?? '')?.[1]?.trim();
  }
  return undefined;
}

/** The work item keys in a text, each once: `feature/ABC-12-login` → `ABC-12`. */
export function keysIn(text: string): string[] {
  return [...new Set(text.match(/(?<![A-Za-z0-9])[A-Z][A-Z0-9]*-[0-9]+(?![A-Za-z0-9])/g))];
}
