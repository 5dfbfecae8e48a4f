import { NotFoundError, UsageError, undefinedFor } from '../../../errors.ts';
import { matchProject, type ProjectName, readProjects } from '../../../records/projects.ts';
import { readWorkItem, type WorkItem, workItemsTitled } from '../../../records/work-items.ts';
import type { Needs } from '../../../session/context.ts';
import type { ExportRow } from '../../../time/exports/define.ts';
import { quote } from '../../../values/text.ts';
import { together } from '../../../values/together.ts';
import { keysIn } from '../target.ts';

type RowNames = Pick<ExportRow, 'project' | 'maybeProjects' | 'task' | 'tags' | 'description'>;

export type Matcher = ReturnType<typeof createMatcher>;

/** Makes a matcher for a file. @param chosen The ids of projects from `--map`, by the name in the file. */
export function createMatcher(context: Needs<'client'>, chosen: ReadonlyMap<string, number>) {
  let projects: readonly ProjectName[] = [];
  const items = new Map<string, WorkItem | undefined>();
  const titles = new Map<string, readonly WorkItem[]>();
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

  function nameOf(id: number): string {
    const name = projects.find((candidate) => candidate.id === id)?.name ?? '';
    return name === '' ? `project ${id}` : `${name} (${id})`;
  }

  function projectOfTags(names: readonly string[] = []): number | undefined {
    const found = new Set(names.flatMap((name) => chosen.get(name) ?? matchProject(name, projects).map(({ id }) => id)));
    if (found.size > 1) throw new UsageError(`the tags name projects ${[...found].join(' and ')}, and an entry has only one project.`);
    return [...found][0];
  }

  function workItem({ task, tags, description }: RowNames, projectId: number | undefined): WorkItem | undefined {
    for (const [what, text] of Object.entries({ task, tags, description })) {
      const keys = keysIn(text).filter((key) => items.get(key) !== undefined);
      const leading = keys.find((key) => text.trimStart().startsWith(key));
      if (keys.length > 1 && leading === undefined)
        throw new UsageError(`the ${what} names ${keys.join(' and ')}, and an entry has only one work item.`);
      const item = items.get(leading ?? keys[0] ?? '');
      if (item !== undefined) return item;
      if (what !== 'task' || task === '') continue;
      const byId = /^\d+$/.test(task) ? items.get(task) : undefined;
      if (byId !== undefined) return byId;
      const named = (titles.get(task) ?? []).filter(
        (candidate) => projectId === undefined || candidate.projectId === undefined || candidate.projectId === projectId,
      );
      if (named.length === 1) return named[0];
      if (named.length > 1) throw new UsageError(`its task ${quote(task)} could be work item ${named.map(({ id }) => id).join(' or ')}.`);
    }
    return undefined;
  }

  return {
    /** Looks up each name of the rows once. {@link match} then sends no requests. */
    async prepare(entries: readonly RowNames[]): Promise<void> {
      const names = new Set(entries.map((entry) => entry.project).filter((name) => name !== '' && !chosen.has(name)));
      const needsProjects = names.size > 0 || entries.some(({ maybeProjects = [] }) => maybeProjects.length > 0);
      const named = entries.flatMap(({ task, tags, description }) => [
        ...keysIn(task),
        ...keysIn(tags),
        ...keysIn(description),
        ...(/^\d+$/.test(task) ? [task] : []),
      ]);
      const refs = [...new Set(named)].filter((ref) => !items.has(ref));
      const unnamed = entries.map(({ task }) => task).filter((task) => task !== '' && !/^\d+$/.test(task) && keysIn(task).length === 0);
      const tasks = [...new Set(unnamed)].filter((task) => !titles.has(task));
      const [known, byRef, byTitle] = await together(
        needsProjects ? readProjects(context) : projects,
        together(...refs.map((ref) => readWorkItem(context, ref).catch(undefinedFor(NotFoundError)))),
        together(...tasks.map((task) => workItemsTitled(context, task))),
      );
      projects = known;
      for (const [index, ref] of refs.entries()) items.set(ref, byRef[index]);
      for (const [index, task] of tasks.entries()) titles.set(task, byTitle[index] ?? []);
    },
    match(entry: RowNames) {
      const projectId = project(entry.project) ?? projectOfTags(entry.maybeProjects);
      const item = workItem(entry, projectId);
      if (item?.projectId !== undefined && projectId !== undefined && item.projectId !== projectId) {
        throw new UsageError(
          `work item ${item.id} belongs to project ${item.projectId}, and the row says ${quote(entry.project)} (${projectId}).`,
        );
      }
      const leftOut = item === undefined && entry.task !== '';
      if (leftOut) unmatchedTasks.set(entry.task, (unmatchedTasks.get(entry.task) ?? 0) + 1);
      return {
        project: projectId,
        workItem: item?.id,
        projectName: projectId === undefined ? '' : nameOf(projectId),
        workItemName: item === undefined ? '' : item.key,
        description: leftOut ? [entry.task, entry.description].filter((part) => part !== '').join(': ') : entry.description,
      };
    },
    project,
    projectName: nameOf,
    remarks(): readonly string[] {
      if (unmatchedTasks.size === 0) return [];
      const names = [...unmatchedTasks].slice(0, 5).map(([task, count]) => `${task} (${count})`);
      const more = unmatchedTasks.size > 5 ? ` and ${unmatchedTasks.size - 5} more` : '';
      return [`No work item has these names, so svc puts the tasks before the text: ${names.join(', ')}${more}.`];
    },
  };
}
