import { existsSync } from 'node:fs';
import { AT_ONCE, inOrder } from '../../bulk/in-order.ts';
import { shellCommand } from '../../cli/shell-word.ts';
import { defineCommand, defineGroup, text } from '../../cli/spec.ts';
import type { SqlDatabase } from '../../database/query-database.ts';
import { SignInError, type SvcError, UsageError, undefinedFor } from '../../errors.ts';
import { decodePlan, type Plan, planDigest } from '../../journal/plan-file.ts';
import { referredWrite, withIds } from '../../journal/plan-references.ts';
import type { ProjectTotals } from '../../output/plan-report.ts';
import { differsError, guardedRow, guardedState, planCost, plannedValues, setsFields } from '../../records/guarded-writes.ts';
import { type ChangeRow, changeRows, countChanges, printChanges, shownRow } from '../../records/plan-rows.ts';
import { type PlannedWriteState, planState } from '../../records/planned-writes.ts';
import type { Context } from '../../session/context.ts';
import { changedRecord } from '../../session/planning.ts';
import { printRows } from '../../session/print.ts';
import { startProgress } from '../../session/progress.ts';
import type { JsonObject } from '../../values/json.ts';
import { counted } from '../../values/text.ts';
import { unappliedError } from '../apply-plan.ts';
import { syncPlace } from '../sync-place.ts';

const FILE = { name: 'file', summary: 'The file of the plan', completes: 'file' } as const;

const show = defineCommand({
  name: 'show',
  showsGlobals: ['host', 'output', 'fields', 'jq'],
  summary: 'Show what a plan changes, field by field, or write a page for approval',
  description:
    'svc shows each field that the plan changes, before and after, with names from the local database. svc sends no request. --html writes one page without links to other files, which you can send to the person who approves. The page shows the commands that made the plan. To explain a change, write a comment in the SQL statement. The page also has the hours of each project before and after the plan, from the local database.',
  args: [FILE],
  options: {
    html: text('--html <page>', 'Write the plan to this file, as one HTML page', { type: 'file', completes: 'file' }),
    db: text('--db <file>', 'Take names and hours from this local database (default: your own)', { type: 'file', completes: 'file' }),
  },
  examples: [
    { args: 'plan show fix.plan', does: 'Show what a plan changes' },
    { args: 'plan show fix.plan --html fix.html', does: 'Write a page to send for approval' },
  ],
  async run(context: Context, { args: [file = ''], options: { html, db } }) {
    const bytes = await context.readBytesArgument(file);
    const plan = decodePlan(bytes);
    const database = await databaseOf(context, plan, db);
    try {
      const rows = await changeRows(context, plan.writes, database?.recordOf);
      const digest = planDigest(bytes);
      if (html !== undefined) return await writePlanPage(context, html, { file, plan, digest, rows, database });
      await printChanges(context, rows);
      for (const fact of factsOf(plan, rows)) await context.notice(fact);
      await context.notice(`SHA-256: ${digest}. To send the plan: ${shellCommand(['apply', file])}`);
    } finally {
      database?.close();
    }
  },
});

const check = defineCommand({
  name: 'check',
  showsGlobals: ['host', 'output', 'fields', 'jq'],
  summary: 'Check whether a plan still applies, and change nothing',
  description:
    'svc reads each record of the plan, and compares the record with the values or the ETag in the plan. svc exits with 0 if every write applies or is done. svc exits with 10 if the values of some records differ. svc exits with 6 if all records differ, or if an ETag differs.',
  args: [FILE],
  examples: [{ args: 'plan check fix.plan', does: 'Check a plan before you approve it' }],
  async run(context: Context, { args: [file = ''] }) {
    const plan = decodePlan(await context.readBytesArgument(file));
    const { origin } = await context.host();
    if (origin !== plan.origin)
      throw new UsageError(`The plan is for ${plan.origin}, and the command is for ${origin}.`, {
        hint: `Add --host ${new URL(plan.origin).host}`,
      });
    context.putPeopleFirst();
    const states = await planState(context, plan);
    const failed: { readonly label: string; readonly error: SvcError }[] = [];
    const { client } = context;
    const limits = (await client()).limits;
    const progress = startProgress(context, { what: 'writes', total: () => states.length, limits, silent: context.stdio.stdout.isTTY });
    /** The values that earlier writes of the plan set, by the path of the record. */
    const expected = new Map<string, Promise<JsonObject>>();
    const checkOne = async (state: PlannedWriteState): Promise<JsonObject> => {
      const { number, write, isDone } = state;
      const { method, path, before } = write;
      const row = { number, method, path };
      if (isDone) return { ...row, result: 'done before' };
      const resolved = withIds(write, (each) => states[each - 1]?.entry?.recordId);
      const [earlier] = resolved.path.split(/[/?]/).flatMap((part) => referredWrite(part) ?? []);
      if (earlier !== undefined) return { ...row, result: `applies after write ${earlier}` };
      if (before === undefined) return { ...row, result: 'applies' };
      const at = changedRecord(method, resolved.path) ?? '';
      const earlierValues = expected.get(at) ?? Promise.resolve({});
      const checked = earlierValues.then((values) => guardedState(context, { ...state, write: resolved }, values));
      const applies = async () => (await checked).kind === 'applies' && setsFields(write);
      expected.set(
        at,
        earlierValues.then(async (values) => ((await applies()) ? { ...values, ...plannedValues(resolved) } : values)),
      );
      const found = await checked;
      if (found.kind === 'differs') failed.push({ label: `write ${number}, ${path}`, error: differsError(found) });
      return { ...row, ...guardedRow(found) };
    };
    async function* rows(): AsyncGenerator<JsonObject> {
      for await (const row of inOrder(states, AT_ONCE, checkOne)) {
        progress.add(1);
        yield row;
      }
    }
    try {
      await printRows(context, rows());
    } finally {
      progress.end();
    }
    if (failed.length > 0) throw unappliedError(failed, states.length);
    await context.notice(`The plan applies. To send it: ${shellCommand(['apply', file])}`);
  },
});

export const plan = defineGroup<Context>({
  description: 'A plan is a file with writes that svc has not sent. --plan adds writes to a plan, and svc apply sends them.',
  commands: [show, check],
});

/** Opens the local database of the plan’s organisation, for names. Returns undefined without such a database. */
async function databaseOf(context: Context, plan: Plan, db: string | undefined): Promise<SqlDatabase | undefined> {
  const place = await syncPlace(context, db).catch(undefinedFor(SignInError, UsageError));
  if (place === undefined || !existsSync(place.name)) return undefined;
  const { openForSql } = await import('../../database/query-database.ts');
  const database = await openForSql(place.name, 'To create the local database: svc sync');
  if (database.host() === new URL(plan.origin).host) return database;
  database.close();
  return undefined;
}

/** Returns sentences about a plan: the changes, the person who made the plan, and the cost. */
function factsOf(plan: Plan, rows: readonly ChangeRow[]): readonly string[] {
  const { write, read, minutes } = planCost(plan);
  return [
    countChanges(rows) || 'The plan is empty.',
    ...(plan.madeBy === undefined ? [] : [`Made by ${plan.madeBy}.`]),
    `The plan needs ${write} write and ${read} read rate-limit units, about ${counted(minutes, 'minute')}.`,
  ];
}

interface ShownPlan {
  readonly file: string;
  readonly plan: Plan;
  readonly digest: string;
  readonly rows: readonly ChangeRow[];
  readonly database: SqlDatabase | undefined;
}

async function writePlanPage(context: Context, html: string, { file, plan, digest, rows, database }: ShownPlan): Promise<void> {
  const [{ planReport }, { projectTotals }, { printReport }] = await Promise.all([
    import('../../output/plan-report.ts'),
    import('./project-totals.ts'),
    import('../print-report.ts'),
  ]);
  const totals: ProjectTotals | undefined = database && projectTotals(database, plan.writes);
  const commands = new Map<string, number>();
  for (const { command } of plan.writes) commands.set(shellCommand(command), (commands.get(shellCommand(command)) ?? 0) + 1);
  const changes = rows.map((row) => {
    const { resource, id, record, field, before, after } = shownRow(row);
    return { label: [resource, id, record].filter((part) => part !== '').join(' '), field, before, after };
  });
  const apply = shellCommand(['apply', file, `--yes=${digest}`]);
  const { host } = new URL(plan.origin);
  const report = planReport({ host, facts: factsOf(plan, rows), digest, apply, commands, totals, changes });
  await printReport(context, { records: () => [], report: () => report, html });
}
