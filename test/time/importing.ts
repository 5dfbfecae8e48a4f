import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PinnedSandbox } from './support.ts';

// The first lines of files from other programs.
export const TOGGL =
  'User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags,Amount (EUR)';
export const CLOCKIFY =
  'Project,Client,Description,Task,User,Group,Email,Tags,Billable,Start Date,Start Time,End Date,End Time,Duration (h),Duration (decimal),Billable Rate (USD),Billable Amount (USD)';
export const HARVEST =
  'Date,Client,Project,Project Code,Task,Notes,Hours,Hours Rounded,Billable?,Invoiced?,Approved?,First Name,Last Name,Employee Id,Roles,Employee?,Billable Rate,Billable Amount,Cost Rate,Cost Amount,Currency,External Reference URL';

/** Imports a text as a file, on a machine without earlier imports. Returns the output of svc and the path of the file. */
export async function importInto(here: PinnedSandbox, text: string, ...flags: readonly string[]) {
  const file = join(here.home, `import-${Math.random().toString(36).slice(2)}.csv`);
  await writeFile(file, text);
  const result = await here.svc(['worklogs', 'import', file, ...flags], { env: { XDG_STATE_HOME: `${file}.state` } });
  return { ...result, file };
}

/** Returns the bodies of the sent POSTs. */
export function postedTo(here: PinnedSandbox): Record<string, unknown>[] {
  return here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}

/** Sorts values, because svc sends several rows at the same time in any order. */
export function inAnyOrder<T extends object>(values: readonly T[]): T[] {
  const text = (value: T) => JSON.stringify(Object.entries(value).sort());
  return values.toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
}
