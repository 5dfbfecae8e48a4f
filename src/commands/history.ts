import { naming } from '../cli/naming.ts';
import { shellCommand } from '../cli/shell-word.ts';
import { defineCommand, parsed, text } from '../cli/spec.ts';
import { UsageError } from '../errors.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { dateTimeDisplay } from '../output/cell.ts';
import type { Context, Needs } from '../session/context.ts';
import { printRecords } from '../session/print.ts';
import { parseDateTime } from '../values/dates.ts';
import type { JsonObject } from '../values/json.ts';
import { idValue, parseInteger } from '../values/scalars.ts';
import { utcSeconds } from '../values/temporal.ts';
import { entryEffect, entrySummary } from './describe-entry.ts';

export const history = defineCommand({
  showsGlobals: ['host', 'output', 'fields', 'jq', 'plan', 'dryRun'],
  summary: 'List your writes from this machine, newest first',
  description:
    'svc lists every write of this account from this machine. The result of a write is done, refused, unconfirmed (no answer arrived), waiting or dropped. The writes of one command share a line and a number. svc undo accepts this number. svc sends no request.\n\nWith --for and --plan, svc turns your writes in a sandbox into a plan for the organisation. svc sandbox --from starts such a sandbox. Each write has the earlier values of its record as a precondition. svc apply resolves the ids of records that the sandbox created. svc lists each write that the plan cannot have, with the reason. svc exits with 10 if the plan has only some writes, and with 2 if the plan would be empty.',
  options: {
    for: text('--for <host>', 'Turn the writes in this sandbox into a plan for this organisation', { type: 'host', completes: 'host' }),
    since: text('--since <date>', 'List writes from this time on: today, monday, -3d, 2025-03-31', { type: 'date-time' }),
    resource: text('--resource <resource>', 'List only writes of this resource, such as worklogs'),
    limit: parsed('-L, --limit <n>', 'List at most this many writes', (value) => parseInteger(value, { min: 1 }), { type: 'integer' }),
  },
  examples: [
    { args: 'history --since today', does: 'List your writes of today' },
    { args: 'history --resource worklogs -L 20', does: 'List the last 20 writes of worklogs' },
    {
      args: 'history --host 127.0.0.1:4010 --for acme.example.com --plan month.plan',
      does: 'Plan the writes of a sandbox for the organisation',
    },
  ],
  async run(context: Context, { options: { for: organisation, since, resource, limit } }) {
    const from =
      since === undefined ? undefined : Date.parse(await naming('--since', async () => parseDateTime(since, await context.dates())));
    if (organisation !== undefined) {
      if (limit !== undefined) throw new UsageError('You cannot use --for and --limit together.', { hint: 'Use --since or --resource.' });
      const { planFromSandbox } = await import('./plan-rehearsal.ts');
      return planFromSandbox(context, organisation, ({ at, noun }) => at >= (from ?? 0) && (resource === undefined || noun === resource));
    }
    const entries = await (await context.journal()).history({ since: from, noun: resource, limit });
    const { isScreen, width = 0 } = await context.presentation();
    if (isScreen && entries.length === 0) return context.notice('This account has no such writes from this machine.');
    const groups = byCommand(entries);
    const rows = groups.map(async (group) =>
      isScreen ? { ...rowOf(group, await asDone(context, group)), command: asTyped(group) } : rowOf(group, asSent(group)),
    );
    const columns = !isScreen ? COLUMNS : width < WIDE ? COLUMNS_TO_READ : [...COLUMNS_TO_READ, 'command'];
    await printRecords(context, await Promise.all(rows), columns, { at: 'date-time' });
  },
});

const COLUMNS = ['number', 'at', 'outcome', 'what', 'record_id', 'undone_by'];
/** The columns for a person. On a terminal with a width of {@link WIDE} characters or more, svc shows the command line too. */
const COLUMNS_TO_READ = ['number', 'at', 'what'];
const WIDE = 80;

type Group = readonly [JournalEntry, ...JournalEntry[]];

function byCommand(entries: readonly JournalEntry[]): Group[] {
  const groups = new Map<string, Group>();
  for (const entry of entries) {
    const name = entry.group === undefined ? `entry ${entry.number}` : `group ${entry.group}`;
    const group = groups.get(name);
    groups.set(name, group === undefined ? [entry] : [...group, entry]);
  }
  return [...groups.values()];
}

async function asDone({ catalog, timeZone }: Needs<'catalog' | 'timeZone'>, group: Group): Promise<string> {
  const [entry, ...others] = group;
  const resource = entry.noun === undefined ? undefined : await catalog.find(entry.noun);
  const outcomes = [...new Set(group.map(({ outcome }) => outcome))].filter((outcome) => outcome !== 'done');
  const notes = [
    ...outcomes.map((outcome) => (outcome === 'unknown' ? 'unconfirmed' : outcome)),
    ...(entry.undoneBy === undefined ? [] : [`undone by ${entry.undoneBy}`]),
  ];
  const many = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${entryEffect(entry, resource, dateTimeDisplay(await timeZone()))}${many}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

function asTyped([entry, ...others]: Group): string {
  const many = others.length === 0 ? '' : ` (${others.length + 1} writes)`;
  // For `undo` without a number, `which` is the number of the write that svc chose.
  const which = entry.undoes === undefined || entry.command.length > 1 ? '' : ` ${entry.undoes}`;
  return `${shellCommand(entry.command)}${which}${many}`;
}

function asSent([entry, ...others]: Group): string {
  return others.length === 0 ? entrySummary(entry) : `${others.length + 1} writes, the last: ${entrySummary(entry)}`;
}

function rowOf(entries: Group, what: string): JsonObject {
  const [entry] = entries;
  const { number, at, noun, method, path, recordId, undoneBy, undoes, command, plannedBy, approvedBy } = entry;
  const outcomes = [...new Set(entries.map(({ outcome }) => outcome))];
  return {
    number,
    at: utcSeconds(at),
    outcome: outcomes.join(', '),
    what,
    writes: entries.length,
    noun: noun ?? null,
    method,
    path,
    record_id: recordId === undefined ? null : idValue(recordId),
    undoes: undoes ?? null,
    undone_by: undoneBy ?? null,
    ...(plannedBy !== undefined && { planned_by: plannedBy }),
    ...(approvedBy !== undefined && { approved_by: approvedBy }),
    command: [...command],
  };
}
