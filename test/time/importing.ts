import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PinnedSandbox } from './support.ts';

// The first lines of what other programs write.
export const TOGGL =
  'User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags,Amount (EUR)';
export const CLOCKIFY =
  'Project,Client,Description,Task,User,Group,Email,Tags,Billable,Start Date,Start Time,End Date,End Time,Duration (h),Duration (decimal),Billable Rate (USD),Billable Amount (USD)';
export const HARVEST =
  'Date,Client,Project,Project Code,Task,Notes,Hours,Hours Rounded,Billable?,Invoiced?,Approved?,First Name,Last Name,Employee Id,Roles,Employee?,Billable Rate,Billable Amount,Cost Rate,Cost Amount,Currency,External Reference URL';

/** Imports a text as a file, on a machine that has imported nothing yet; gives what svc printed, and where the file is. */
export async function importInto(here: PinnedSandbox, text: string, ...flags: readonly string[]) {
  const file = join(here.home, `import-${Math.random().toString(36).slice(2)}.csv`);
  await writeFile(file, text);
  const result = await here.svc(['worklogs', 'import', file, ...flags], { env: { XDG_STATE_HOME: `${file}.state` } });
  return { ...result, file };
}

/** The bodies of the POSTs that went out. */
export function postedTo(here: PinnedSandbox): Record<string, unknown>[] {
  return here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}

/** Rows are sent several at a time: which comes first is nobody's business. */
export function inAnyOrder<T extends object>(values: readonly T[]): T[] {
  const text = (value: T) => JSON.stringify(Object.entries(value).sort());
  return values.toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
}
