import type { DirectoryFile } from '../../config/directory-file.ts';
import { NotFoundError, UsageError } from '../../errors.ts';
import { matchProject, readProjects } from '../../records/projects.ts';
import { readWorkItem } from '../../records/work-items.ts';
import type { Needs } from '../../session/context.ts';
import { parseHost } from '../../values/host.ts';
import type { JsonObject } from '../../values/json.ts';
import { nearest } from '../../values/suggest.ts';
import { parseWorkItem } from '../../values/work-item.ts';
import { findBranch, keysIn } from './git-branch.ts';

/** What it takes of a context to find where an entry belongs. */
export type Placing = 'client' | 'files' | 'globals' | 'host' | 'notice' | 'system' | 'tellOnce';

/** Where an entry belongs. */
export interface Target {
  /** For a person: `ABC-12 Login`. */
  readonly name: string;
  /** As a body has it: `work_item_id` or `project_id`. */
  readonly fields: JsonObject;
}

/** What names a target: an id or key of a work item, or an id, key or name of a project. */
export type TargetText = { readonly workItem: string } | { readonly project: string };

/**
 * Finds the target that somebody named, with what it is called: one request for a work item or a project’s name, none for a project’s
 * id, and none at all in a dry run.
 *
 * @throws NotFoundError for a work item that is not there.
 */
export async function findTarget(context: Needs<'client' | 'globals'>, text: TargetText): Promise<Target> {
  if ('project' in text) return findProject(context, text.project);
  const typed = parseWorkItem(text.workItem);
  const shown = typed.kind === 'id' ? String(typed.id) : typed.key;
  if (context.globals.dryRun) return { name: shown, fields: { work_item_id: typed.kind === 'id' ? typed.id : `<id of ${typed.key}>` } };
  try {
    const { id, key, title } = await readWorkItem(context, shown);
    return { name: `${key} ${title}`.trim(), fields: { work_item_id: id } };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new NotFoundError(`There is no work item ${shown}.`, {
      hint: 'If it is the beginning of the text, quote the text, or use --description.',
      details: error.details,
      cause: error,
    });
  }
}

/**
 * What the place says where nothing is typed: the one key in the name of the git branch, else the work item or project of
 * `.svc.json`; with a line that says so.
 */
export async function fillTarget(context: Needs<Placing>, directory: DirectoryFile | undefined): Promise<Target | undefined> {
  return (
    (await fromBranch(context, await findBranch(context))) ?? (directory === undefined ? undefined : fromDirectory(context, directory))
  );
}

async function fromBranch(context: Needs<'client' | 'globals' | 'notice'>, branch: string | undefined): Promise<Target | undefined> {
  const keys = keysIn(branch ?? '');
  const [key] = keys;
  if (key === undefined) return undefined;
  if (keys.length > 1) {
    await context.notice(`The branch ${branch} names ${keys.join(' and ')}, so none of them is taken.`);
    return undefined;
  }
  try {
    const target = await findTarget(context, { workItem: key });
    await context.notice(`${key} is taken from the branch ${branch}.`);
    return target;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    await context.notice(`The branch ${branch} names ${key}, which is no work item.`);
    return undefined;
  }
}

/** What a `.svc.json` says, with a line that says so. Ids of one organisation mean nothing in another. */
export async function fromDirectory(
  context: Needs<'client' | 'globals' | 'host' | 'notice'>,
  { path, host, project, workItem }: DirectoryFile,
): Promise<Target | undefined> {
  const { name } = await context.host();
  if (host !== undefined && nameOf(host) !== name) {
    await context.notice(`${path} is for ${host}, so its project and work item are not taken.`);
    return undefined;
  }
  const text = workItem === undefined ? project : workItem;
  const target = workItem === undefined ? await findProject(context, project ?? '') : await findTarget(context, { workItem });
  await context.notice(`${workItem === undefined ? 'Project' : 'Work item'} ${text} is taken from ${path}.`);
  return target;
}

/** The name of a host as somebody wrote it; as it stands where it is none. */
function nameOf(host: string): string {
  try {
    return parseHost(host).name;
  } catch {
    return host;
  }
}

async function findProject(context: Needs<'client' | 'globals'>, text: string): Promise<Target> {
  if (/^\d+$/.test(text)) return { name: `project ${text}`, fields: { project_id: Number(text) } };
  if (context.globals.dryRun) return { name: `project ${text}`, fields: { project_id: `<id of ${text}>` } };
  const projects = await readProjects(context);
  const found = matchProject(text, projects);
  const [only] = found;
  if (only !== undefined && found.length === 1) return { name: only.name, fields: { project_id: only.id } };
  if (only !== undefined) {
    throw new UsageError(`Several projects are called "${text}".`, { hint: `Use an id: ${found.map(({ id }) => id).join(', ')}.` });
  }
  const near = nearest(
    text,
    projects.flatMap(({ name, key }) => [name, key].filter((part) => part !== '')),
  );
  const begins = projects.find(({ name }) => name.toLowerCase().startsWith(text.toLowerCase()))?.name;
  const meant = begins ?? near;
  throw new UsageError(`There is no project "${text}".`, {
    hint: `${meant === undefined ? '' : `Did you mean "project:${meant}"? `}See: svc projects list --fields id,name`,
  });
}
