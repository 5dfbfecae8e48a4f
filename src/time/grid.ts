import { compareTexts } from '../values/text.ts';
import { type Entry, projectName, workItemName } from './entry.ts';

export type GridRow = ReturnType<typeof rowOf>;

export function gridRows(entries: readonly Entry[], days: readonly string[]): GridRow[] {
  const rows = [...Map.groupBy(entries, ({ projectId, workItemId }) => `${projectId} ${workItemId}`).values()].map((group) =>
    rowOf(group, days),
  );
  const projects = Map.groupBy(rows, ({ projectId }) => String(projectId));
  return [...projects.values()]
    .map((group) => group.sort((a, b) => b.total - a.total || compareTexts(a.workItem ?? '', b.workItem ?? '')))
    .sort((a, b) => sum(b) - sum(a) || compareTexts(a[0]?.project ?? '', b[0]?.project ?? ''))
    .flat();
}

function rowOf(entries: readonly Entry[], days: readonly string[]) {
  const [first] = entries as readonly [Entry, ...Entry[]];
  const named = entries.find(({ project }) => project !== undefined) ?? first;
  const minutes = days.map((day) => entries.reduce((total, entry) => total + (entry.date === day ? entry.minutes : 0), 0));
  return {
    projectId: first.projectId,
    project: projectName(named),
    isProjectOver: entries.some(({ isProjectOver }) => isProjectOver),
    workItemId: first.workItemId,
    key: first.key,
    workItem: first.workItemId === null ? undefined : workItemName(first),
    minutes,
    total: minutes.reduce((total, value) => total + value, 0),
  };
}

function sum(rows: readonly GridRow[]): number {
  return rows.reduce((total, row) => total + row.total, 0);
}
