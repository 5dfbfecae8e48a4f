import { rows } from '../../client/pages.ts';
import { NotFoundError, RefusedError, UsageError } from '../../errors.ts';
import { matchProject, type ProjectName, readProjects } from '../../records/projects.ts';
import { readRecord } from '../../records/read-record.ts';
import type { Context } from '../../session/context.ts';
import type { ExportRow } from '../../time/exports.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { quote } from '../../values/quote.ts';
import { keysIn } from './git-branch.ts';

/** What of a row names a project and a work item. */
export type Named = Pick<ExportRow, 'project' | 'task' | 'tags' | 'description'>;

/** What they are here. */
export interface Matched {
  readonly project: number | undefined;
  readonly workItem: number | undefined;
  readonly description: string;
}

/** Finds projects and work items by what a file calls them. */
export interface Matcher {
  /** Looks everything up that the rows name, each once; then {@link match} needs nothing more. */
  prepare(entries: readonly Named[]): Promise<void>;
  /** @throws UsageError for what is not there, or not clear. */
  match(entry: Named): Matched;
  /** @throws UsageError for a project that is not there, or one of several. */
  project(name: string): number | undefined;
  /** What was left out, in words, after all rows. */
  remarks(): readonly string[];
}

interface Item {
  readonly id: number;
  readonly project: number | undefined;
}

/** @param chosen Projects by the names that somebody gave an id for. */
export function createMatcher(context: Context, chosen: ReadonlyMap<string, number>): Matcher {
  let projects: readonly ProjectName[] = [];
  const items = new Map<string, Item | undefined>();
  const titles = new Map<string, readonly Item[]>();
  const unmatchedTasks = new Map<string, number>();

  function project(name: string): number | undefined {
    if (name === '') return undefined;
    const known = chosen.get(name);
    if (known !== undefined) return known;
    const found = matchProject(name, projects);
    const [only] = found;
    if (only !== undefined && found.length === 1) return only.id;
    if (only === undefined) throw new UsageError(`there is no project ${quote(name)}.`);
    throw new UsageError(`${quote(name)} could be project ${found.map(({ id }) => id).join(' or ')}.`);
  }

  function workItem({ task, tags, description }: Named, projectId: number | undefined): Item | undefined {
    for (const [text, what] of [
      [task, 'task'],
      [tags, 'tags'],
      [description, 'description'],
    ] as const) {
      const keys = keysIn(text).filter((key) => items.get(key) !== undefined);
      const leading = keys.find((key) => text.trimStart().startsWith(key));
      if (keys.length > 1 && leading === undefined)
        throw new UsageError(`its ${what} names ${keys.join(' and ')}, and an entry belongs to one.`);
      const item = items.get(leading ?? keys[0] ?? '');
      if (item !== undefined) return item;
      if (what !== 'task' || task === '') continue;
      const byId = /^\d+$/.test(task) ? items.get(task) : undefined;
      if (byId !== undefined) return byId;
      const named = (titles.get(task) ?? []).filter(
        (candidate) => projectId === undefined || candidate.project === undefined || candidate.project === projectId,
      );
      if (named.length === 1) return named[0];
      if (named.length > 1) throw new UsageError(`its task ${quote(task)} could be work item ${named.map(({ id }) => id).join(' or ')}.`);
    }
    return undefined;
  }

  return {
    async prepare(entries) {
      const names = new Set(entries.map((entry) => entry.project).filter((name) => name !== '' && !chosen.has(name)));
      if (names.size > 0) projects = await readProjects(context);
      const refs = new Set(
        entries.flatMap(({ task, tags, description }) => [
          ...keysIn(task),
          ...keysIn(tags),
          ...keysIn(description),
          ...(/^\d+$/.test(task) ? [task] : []),
        ]),
      );
      for (const ref of refs) if (!items.has(ref)) items.set(ref, await readItem(context, ref));
      const tasks = new Set(
        entries.map(({ task }) => task).filter((task) => task !== '' && !/^\d+$/.test(task) && keysIn(task).length === 0),
      );
      for (const task of tasks) if (!titles.has(task)) titles.set(task, await itemsCalled(context, task));
    },
    match(entry) {
      const projectId = project(entry.project);
      const item = workItem(entry, projectId);
      if (item?.project !== undefined && projectId !== undefined && item.project !== projectId) {
        throw new UsageError(
          `work item ${item.id} belongs to project ${item.project}, and the row says ${quote(entry.project)} (${projectId}).`,
        );
      }
      const leftOut = item === undefined && entry.task !== '';
      if (leftOut) unmatchedTasks.set(entry.task, (unmatchedTasks.get(entry.task) ?? 0) + 1);
      return {
        project: projectId,
        workItem: item?.id,
        description: leftOut ? [entry.task, entry.description].filter((part) => part !== '').join(': ') : entry.description,
      };
    },
    project,
    remarks() {
      if (unmatchedTasks.size === 0) return [];
      const names = [...unmatchedTasks].slice(0, 5).map(([task, count]) => `${task} (${count})`);
      const more = unmatchedTasks.size > 5 ? ` and ${unmatchedTasks.size - 5} more` : '';
      return [`Tasks that are no work item here stand before the text instead: ${names.join(', ')}${more}.`];
    },
  };
}

/** A work item by id or key; undefined when there is none. */
async function readItem(context: Context, ref: string): Promise<Item | undefined> {
  const client = await context.client();
  try {
    return itemOf(readRecord(await client.send({ method: 'GET', path: `/work-items/${ref}`, query: [['view', 'summary']] })));
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Work items of exactly this title. Whether the service searches them is not documented; if it does not, there are none. */
async function itemsCalled(context: Context, title: string): Promise<readonly Item[]> {
  const found: Item[] = [];
  const query = [
    ['q', title],
    ['per_page', '100'],
  ] as const;
  try {
    for await (const record of rows(await context.client(), { method: 'GET', path: '/work-items', query })) {
      const item = itemOf(record);
      if (item !== undefined && scalarText(record['title'] ?? record['name']).trim() === title) found.push(item);
    }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
  return found;
}

function itemOf(record: JsonObject): Item | undefined {
  const { id, project_id: project } = record;
  return typeof id === 'number' ? { id, project: typeof project === 'number' ? project : undefined } : undefined;
}
