import type { System } from '../deps.ts';
import { UsageError } from '../errors.ts';
import { isPlainObject, parsedJson } from '../values/json.ts';
import { pathIn } from '../values/paths.ts';
import { type ReadingUnnamed, readUnnamed } from './guarded.ts';

/** Defaults for everyone who works in a directory. Another person can have written the file, because a checkout can contain the file. */
export interface DirectoryFile {
  readonly path: string;
  readonly host: string | undefined;
  readonly account: string | undefined;
  readonly project: string | undefined;
  readonly workItem: string | undefined;
}

const NAME = '.svc.json';
const HINT = 'Fix or remove the file, or use flags such as --host.';

export interface DirectorySearch extends ReadingUnnamed {
  readonly system: Pick<System, 'cwd'>;
}

/**
 * Finds the nearest `.svc.json`, from the working directory upwards, for which `says` returns true. svc ignores a file that another user
 * owns or can change, and prints a notice.
 *
 * @throws UsageError for a file that is not a JSON object, or has a member of the wrong type. Also for a large or special file, because
 * reading a device or a pipe would never end.
 */
export async function findDirectoryFile(
  search: DirectorySearch,
  says: (file: DirectoryFile) => boolean,
): Promise<DirectoryFile | undefined> {
  for (const directory of upwards(search.system.cwd)) {
    const path = pathIn(directory, NAME);
    const text = await readUnnamed(search, path);
    const file = text === undefined ? undefined : parse(text, path);
    if (file !== undefined && says(file)) return file;
  }
  return undefined;
}

export function namesWork({ project, workItem }: DirectoryFile): boolean {
  return project !== undefined || workItem !== undefined;
}

export function* upwards(from: string): Generator<string> {
  for (let directory = from; ; ) {
    yield directory;
    const trimmed = directory.replace(/[\\/]+$/, '');
    const cut = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\'));
    const parent = cut < 0 ? directory : trimmed.slice(0, cut) || trimmed.slice(0, cut + 1);
    if (parent === directory) return;
    directory = parent;
  }
}

function parse(text: string, path: string): DirectoryFile {
  const content = parsedJson(text);
  if (!isPlainObject(content)) throw new UsageError(`${path} is not a JSON object.`, { hint: HINT });
  const read = (...names: string[]) => {
    const name = names.find((each) => content[each] !== undefined && content[each] !== null) ?? '';
    const value = content[name];
    const word = typeof value === 'number' && name !== 'host' && name !== 'account' ? String(value) : (value ?? '');
    if (typeof word !== 'string') throw new UsageError(`${path}: ${name} is not a string.`, { hint: HINT });
    return word.trim() === '' ? undefined : word.trim();
  };
  return {
    path,
    host: read('host'),
    account: read('account'),
    project: read('project'),
    workItem: read('work_item', 'work-item', 'workItem'),
  };
}
