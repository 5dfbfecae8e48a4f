import { DIRECTORY_FILE, readDirectoryFile } from '../../config/directory-file.ts';
import type { Files } from '../../deps.ts';
import { UsageError } from '../../errors.ts';
import { isJsonObject, type JsonValue, parseJson } from '../../values/json.ts';

/** What a directory says about the work that is done in it. */
export interface DirectoryContext {
  /** The `.svc.json` that says so. */
  readonly path: string;
  /** The host it is meant for; undefined: any. */
  readonly host: string | undefined;
  /** An id or a name. */
  readonly project: string | undefined;
  /** An id or a key. */
  readonly workItem: string | undefined;
}

/** The nearest `.svc.json`, from a directory upwards, that names a project or a work item. @throws UsageError when it is no JSON. */
export async function findDirectoryContext(files: Pick<Files, 'readText' | 'stat'>, cwd: string): Promise<DirectoryContext | undefined> {
  for (const directory of upwards(cwd)) {
    const path = join(directory, DIRECTORY_FILE);
    const text = await readDirectoryFile(files, path);
    if (text === undefined) continue;
    const content = readObject(text, path);
    const project = textOf(content['project']);
    const workItem = textOf(content['work_item'] ?? content['work-item'] ?? content['workItem']);
    if (project !== undefined || workItem !== undefined) return { path, host: textOf(content['host']), project, workItem };
  }
  return undefined;
}

/**
 * The name of the git branch that is checked out here; undefined outside a repository, or on no branch. Read from git's own files, which costs less
 * than starting git.
 */
export async function findBranch(files: Pick<Files, 'readText'>, cwd: string): Promise<string | undefined> {
  for (const directory of upwards(cwd)) {
    const read = (path: string) => files.readText(path).catch(() => undefined);
    const dotGit = join(directory, '.git');
    let head = await read(join(dotGit, 'HEAD'));
    if (head === undefined) {
      // In a worktree or a submodule .git is a file that names the directory.
      const pointer = /^gitdir: (.+)$/m.exec((await read(dotGit)) ?? '')?.[1]?.trim();
      if (pointer === undefined) continue;
      head = await read(join(/^([\\/]|[A-Za-z]:)/.test(pointer) ? pointer : join(directory, pointer), 'HEAD'));
    }
    return /^ref: refs\/heads\/(.+)$/m.exec(head ?? '')?.[1]?.trim();
  }
  return undefined;
}

/** The work item keys in a text, each once: `feature/ABC-12-login` → `ABC-12`. */
export function keysIn(text: string): string[] {
  return [...new Set(text.match(/(?<![A-Za-z0-9])[A-Z][A-Z0-9]*-[0-9]+(?![A-Za-z0-9])/g))];
}

function* upwards(cwd: string): Generator<string> {
  for (let directory = cwd; ; ) {
    yield directory;
    const trimmed = directory.replace(/[\\/]+$/, '');
    const cut = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\'));
    const parent = cut < 0 ? directory : trimmed.slice(0, cut) || trimmed.slice(0, cut + 1);
    if (parent === directory) return;
    directory = parent;
  }
}

function join(directory: string, name: string): string {
  return `${directory.replace(/[\\/]$/, '')}/${name}`;
}

function readObject(text: string, path: string): Readonly<Record<string, JsonValue>> {
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Falls through to the one message for both.
  }
  throw new UsageError(`${path} is not a JSON object.`, { hint: 'Mend or remove it.' });
}

function textOf(value: JsonValue | undefined): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}
