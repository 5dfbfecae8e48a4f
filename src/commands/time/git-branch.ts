import { type DirectorySearch, upwards } from '../../config/directory-file.ts';
import { readUnnamed } from '../../config/guarded.ts';
import { pathIn } from '../../values/path-in.ts';

/**
 * The name of the git branch that is checked out here; undefined outside a repository, or on no branch. Read from git's own files, which costs less
 * than starting git. They are read as every file that nobody named.
 *
 * @throws UsageError as {@link readUnnamed}.
 */
export async function findBranch(search: DirectorySearch): Promise<string | undefined> {
  for (const directory of upwards(search.system.cwd)) {
    const dotGit = pathIn(directory, '.git');
    const found = await search.files.stat(dotGit).catch(() => undefined);
    if (found === undefined) continue;
    const place = found.isDirectory ? dotGit : namedIn((await readUnnamed(search, dotGit)) ?? '', directory);
    const head = place === undefined ? undefined : await readUnnamed(search, pathIn(place, 'HEAD'));
    return /^ref: refs\/heads\/(.+)$/m.exec(head ?? '')?.[1]?.trim();
  }
  return undefined;
}

/**
 * Where git's files are, as the file `.git` of a worktree or a submodule names it. No address of another machine (`\\server`): Windows would
 * sign in there.
 */
function namedIn(pointer: string, directory: string): string | undefined {
  const path = /^gitdir: (.+)$/m.exec(pointer)?.[1]?.trim();
  if (path === undefined || /^[\\/]{2}/.test(path)) return undefined;
  return /^([\\/]|[A-Za-z]:)/.test(path) ? path : pathIn(directory, path);
}

/** The work item keys in a text, each once: `feature/ABC-12-login` → `ABC-12`. */
export function keysIn(text: string): string[] {
  return [...new Set(text.match(/(?<![A-Za-z0-9])[A-Z][A-Z0-9]*-[0-9]+(?![A-Za-z0-9])/g))];
}
