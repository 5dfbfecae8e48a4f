import { type DirectoryFile, type DirectorySearch, upwards } from '../../config/directory-file.ts';
import { readUnnamed } from '../../config/guarded.ts';
import { NotFoundError } from '../../errors.ts';
import { type FindingByName, idByName } from '../../records/find-by-name.ts';
import { placeholderId } from '../../records/placeholder-id.ts';
import { readWorkItem } from '../../records/work-items.ts';
import type { Needs } from '../../session/context.ts';
import { parseHost } from '../../values/addresses.ts';
import type { JsonObject } from '../../values/json.ts';
import { pathIn } from '../../values/paths.ts';
import { parseWorkItem } from '../../values/scalars.ts';

export type FindingTargets = FindingByName | 'globals' | 'notifyOnce';

export type Placing = FindingTargets | 'files' | 'host' | 'system';

export interface Target {
  readonly name: string;
  readonly fields: JsonObject;
}

type TargetText = { readonly workItem: string } | { readonly project: string };

/**
 * Finds the work item or project that a text names. The id of a project costs no request. Any other text costs at least one request. A dry
 * run sends no request, and returns a placeholder for any text other than an id.
 *
 * @throws NotFoundError for an unknown work item.
 */
export async function findTarget(context: Needs<FindingTargets>, text: TargetText): Promise<Target> {
  if ('project' in text) return findProject(context, text.project);
  const typed = parseWorkItem(text.workItem);
  const shown = typed.kind === 'id' ? String(typed.id) : typed.key;
  if (context.globals.dryRun)
    return { name: shown, fields: { work_item_id: typed.kind === 'id' ? typed.id : placeholderId(context, typed.key) } };
  try {
    const { id, key, title } = await readWorkItem(context, shown);
    return { name: `${key} ${title}`.trim(), fields: { work_item_id: id } };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new NotFoundError(`There is no work item ${shown}.`, {
      hint: 'If the key begins the text, quote the text, or use --description.',
      details: error.details,
      cause: error,
    });
  }
}

/** Fills in a missing target, from a single key in the name of the git branch, otherwise from `.svc.json`. */
export async function fillTarget(context: Needs<Placing>, directory: DirectoryFile | undefined): Promise<Target | undefined> {
  return (
    (await fromBranch(context, await findBranch(context))) ?? (directory === undefined ? undefined : fromDirectory(context, directory))
  );
}

async function fromBranch(context: Needs<FindingTargets>, branch: string | undefined): Promise<Target | undefined> {
  const keys = keysIn(branch ?? '');
  const [key] = keys;
  if (key === undefined) return undefined;
  if (keys.length > 1) {
    await context.notice(`The branch ${branch} names ${keys.join(' and ')}, so svc uses none of these keys.`);
    return undefined;
  }
  try {
    const target = await findTarget(context, { workItem: key });
    await context.notice(`svc uses ${key}, from the branch ${branch}.`);
    return target;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    await context.notice(`The branch ${branch} names ${key}, and there is no such work item.`);
    return undefined;
  }
}

/** Returns the work item or project of a `.svc.json`. Undefined if the file is for another organisation, whose ids differ. */
export async function fromDirectory(
  context: Needs<FindingTargets | 'host'>,
  { path, host, project, workItem }: DirectoryFile,
): Promise<Target | undefined> {
  const { name } = await context.host();
  if (host !== undefined && nameOf(host) !== name) {
    await context.notice(`${path} is for ${host}, so svc does not use its project and work item.`);
    return undefined;
  }
  const text = workItem === undefined ? project : workItem;
  const target = workItem === undefined ? await findProject(context, project ?? '') : await findTarget(context, { workItem });
  await context.notice(`svc uses ${workItem === undefined ? 'project' : 'work item'} ${text}, from ${path}.`);
  return target;
}

function nameOf(host: string): string {
  try {
    return parseHost(host).name;
  } catch {
    return host;
  }
}

async function findProject(context: Needs<FindingTargets>, text: string): Promise<Target> {
  if (/^\d+$/.test(text)) return { name: `project ${text}`, fields: { project_id: Number(text) } };
  if (context.globals.dryRun) return { name: `project ${text}`, fields: { project_id: placeholderId(context, text) } };
  const { id, name } = await idByName(context, await context.catalog.of('projects'), text);
  return { name: name ?? `project ${text}`, fields: { project_id: id } };
}

/**
 * Returns the name of the git branch. svc reads git’s files itself, because running git takes longer.
 *
 * @throws UsageError for the same reasons as {@link readUnnamed}.
 */
async function findBranch(search: DirectorySearch): Promise<string | undefined> {
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
 * Returns the directory that a `.git` file of a worktree or submodule names. svc refuses a network path (`\\server`), because Windows would
 * sign in to that server.
 */
function namedIn(pointer: string, directory: string): string | undefined {
  const path = /^gitdir: (.+)$/m.exec(pointer)?.[1]?.trim();
  if (path === undefined || /^[\\/]{2}/.test(path)) return undefined;
  return /^([\\/]|[A-Za-z]:)/.test(path) ? path : pathIn(directory, path);
}

/** Finds the work item keys in a text, without duplicates: `feature/ABC-12-login` → `ABC-12`. */
export function keysIn(text: string): string[] {
  return [...new Set(text.match(/(?<![A-Za-z0-9])[A-Z][A-Z0-9]*-[0-9]+(?![A-Za-z0-9])/g))];
}
