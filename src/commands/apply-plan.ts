import { isOfOneItem, partialFailure } from '../bulk/import/run-bulk.ts';
import { type Dependence, sendEach, splitIndependent } from '../bulk/in-order.ts';
import { shellCommand } from '../cli/shell-word.ts';
import { defineCommand, text } from '../cli/spec.ts';
import { ConflictError, DeclinedError, SvcError, UsageError, withMore } from '../errors.ts';
import { decodePlan, type Plan, type PlannedWrite, planDigest, planRows } from '../journal/plan-file.ts';
import { withIds } from '../journal/plan-references.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import { differsError, guardedRow, type PlanPeople, planCost, sendGuarded } from '../records/guarded-writes.ts';
import { type PlannedWriteState, planState, sendPlanned } from '../records/planned-writes.ts';
import type { Context, Needs } from '../session/context.ts';
import { planHead } from '../session/planning.ts';
import { printRecord, printRows } from '../session/print.ts';
import { startProgress } from '../session/progress.ts';
import { isJsonObject, type JsonObject, scalarText, stringifyJson } from '../values/json.ts';
import { idValue } from '../values/scalars.ts';
import { were } from '../values/text.ts';

export const applyPlan = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun'],
  description:
    'svc shows the plan, asks, and sends each write byte for byte. Each write has the ETag of its record at planning time. If a record changed since then, svc stops, and exits with 6. A write from svc sql has the earlier values instead. svc sends such a write only if the record still has the earlier values. svc lists the records that differ (exit 10, or 6 if all differ). If the connection drops, apply the plan again: svc sends only the writes that are not done yet.\n\nA program sends an approved plan with --yes=<SHA-256 of the file>. svc apply --no-input prints that SHA-256, and sends nothing.',
  args: [{ name: 'file', summary: 'The file of the plan', completes: 'file' }],
  options: {
    yes: text('-y, --yes <digest>', 'Send the plan without a question if its file has this SHA-256'),
    approvedBy: text('--approved-by <name>', 'Record in svc history who approved the plan (default at a terminal: you)'),
  },
  examples: [
    { args: 'worklogs add --minutes 90 --plan today.plan', does: 'Add a write to a plan' },
    { args: 'apply today.plan', does: 'Show the plan, and send it' },
    { args: 'apply today.plan --dry-run', does: 'Print the plan, its rate-limit units and minutes' },
    { args: 'apply today.plan --no-input', does: 'Print the plan and its SHA-256 for approval' },
  ],
  async run(context: Context, { args: [file = ''], options }) {
    if (context.plan !== undefined)
      throw new UsageError('A plan cannot go into a plan.', { hint: 'Leave out --plan, and unset SVC_PLAN.' });
    const bytes = await context.readBytesArgument(file);
    const plan = decodePlan(bytes);
    const { origin } = await context.host();
    if (origin !== plan.origin) throw notFor(file, plan, `this is ${origin}`);
    const digest = planDigest(bytes);
    if (context.globals.dryRun) return printRecord(context, planRecord(plan, digest));
    await approve(context, file, plan, digest, options.yes);
    await sendPlan(context, file, plan, { approvedBy: await approver(context, options), isShown: false });
  },
});

/**
 * Asks the user whether to send a plan whose changes svc has printed, and sends the plan. Prints no rows for the writes. An error lists the
 * records that svc left unchanged.
 *
 * @throws DeclinedError if the user says no.
 */
export async function askAndApply(context: Context, file: string): Promise<void> {
  const plan = decodePlan(await context.readBytesArgument(file));
  await confirmPlan(context, plan);
  await sendPlan(context, file, plan, { approvedBy: (await context.account())?.user_name, isShown: true });
}

interface Approval {
  /** The name of the person who approved the plan. Undefined if svc does not know the name. */
  readonly approvedBy: string | undefined;
  /** True if svc has already printed the changes. svc then prints no rows for the writes. */
  readonly isShown: boolean;
}

async function sendPlan(context: Context, file: string, plan: Plan, { approvedBy, isShown }: Approval): Promise<void> {
  const { account } = await planHead(context, await context.client());
  // A write that has the earlier values has the same effect from every account, so the account can differ.
  if (account !== plan.account && !plan.writes.every(({ before }) => before !== undefined))
    throw notFor(file, plan, `you are user ${account}`);
  const states = await planState(context, plan);
  const open = states.filter(({ isDone }) => !isDone);
  // svc checks that each write has a token, before the first write.
  for (const method of new Set(open.map(({ write }) => write.method)))
    await (await context.credentials())({ method, upload: false, signal: context.signal });
  context.putPeopleFirst();
  const done = await sendAll(context, states, { plannedBy: plan.madeBy, approvedBy }, isShown);
  const before = states.length - open.length;
  const parts = [
    `${done} done`,
    before > 0 && `${before} ${were(before)} done before`,
    open.length > done && `${open.length - done} unchanged`,
  ];
  await context.notice(`${parts.filter(Boolean).join(', ')}.`);
}

/** Returns the plan in the form of `--dry-run` and `--no-input`, with its cost in rate-limit units (rule 15.2). */
function planRecord(plan: Plan, digest: string): JsonObject {
  const { origin, account, madeBy } = plan;
  return {
    ...{ sha256: digest, origin, account, ...(madeBy !== undefined && { made_by: madeBy }) },
    cost: planCost(plan),
    writes: planRows(plan),
  };
}

async function approve(context: Context, file: string, plan: Plan, digest: string, approved: string | undefined): Promise<void> {
  if (approved !== undefined) {
    if (approved.toLowerCase() === digest) return;
    throw new ConflictError(`${file} differs from the approved plan: its SHA-256 is ${digest}.`, {
      hint: `svc sent nothing. To see the plan again: ${shellCommand(['apply', file, '--no-input'])}`,
    });
  }
  if (!context.interactive) {
    await printRecord(context, planRecord(plan, digest));
    throw new UsageError('svc cannot ask you to approve the plan here, so svc sent nothing.', {
      hint: 'After a person has approved the plan:',
      details: { resume: shellCommand(['apply', file, `--yes=${digest}`]) },
    });
  }
  if (plan.writes.some(({ takes }) => takes !== undefined))
    await context.notice('{3} is the id of the record that write 3 of the plan creates.');
  for (const row of planRows(plan).slice(0, MOST_LINES)) await context.stdio.stderr.write(`  ${neutraliseLine(lineOf(row))}\n`);
  const count = plan.writes.length;
  if (count > MOST_LINES) await context.stdio.stderr.write(`  and ${count - MOST_LINES} more: ${shellCommand(['plan', 'show', file])}\n`);
  await confirmPlan(context, plan);
}

async function confirmPlan(context: Context, plan: Plan): Promise<void> {
  const count = plan.writes.length;
  const { write, minutes } = planCost(plan);
  if (minutes > 1) await context.notice(`The plan needs ${write} rate-limit units for writing, and about ${minutes} minutes.`);
  if (!(await context.prompts.confirm(`Send ${count === 1 ? 'this write' : `these ${count} writes`} to ${plan.origin}?`, context.signal)))
    throw new DeclinedError('svc sent nothing.', { hint: 'You said no.' });
}

/** The most writes that svc lists before the question. */
const MOST_LINES = 100;

/** Formats a write as one line: `1. PATCH /worklogs/7 {"minutes":60}`. Adds the earlier values that the plan has for a PATCH. */
function lineOf({ number, method, path, body, before }: JsonObject): string {
  const sent = body === null || body === undefined ? '' : ` ${typeof body === 'string' ? body : stringifyJson(body)}`;
  const was = isJsonObject(before) && method === 'PATCH' ? ` (was ${stringifyJson(before)})` : '';
  return `${scalarText(number)}. ${scalarText(method)} ${scalarText(path)}${sent}${was}`;
}

/**
 * Returns the name of the person who approved the plan. Undefined if a program gives the digest without a name, or if svc does not know the
 * user.
 */
async function approver(
  context: Needs<'account'>,
  { yes, approvedBy }: { readonly yes: string | undefined; readonly approvedBy: string | undefined },
): Promise<string | undefined> {
  return approvedBy ?? (yes === undefined ? (await context.account())?.user_name : undefined);
}

function notFor(file: string, { origin, account }: Plan, here: string): UsageError {
  const { host } = new URL(origin);
  return new UsageError(`The plan is for user ${account} of ${origin}, and ${here}.`, {
    hint: `Sign in as that user with svc login ${host}, then: ${shellCommand(['apply', file, '--host', host])}`,
  });
}

function idOf(recordId: string | undefined): string | number | null {
  return recordId === undefined ? null : idValue(recordId);
}

/**
 * Sends the open writes, and returns the number of sent writes. If no write has an ETag, svc leaves out records that differ from the plan
 * or that the service refuses. svc then throws an error that lists these records. If a write has an ETag, svc stops at the first refusal.
 */
async function sendAll(context: Context, states: readonly PlannedWriteState[], people: PlanPeople, isShown: boolean): Promise<number> {
  /** The ETag of each record after the writes of this plan, by path of the record. */
  const left = new Map<string, string | undefined>();
  /** The ids of the records that writes of this plan created, by number of the write. */
  const made = new Map<number, string>();
  for (const { number, entry, isDone } of states) if (isDone && entry?.recordId !== undefined) made.set(number, entry.recordId);
  /** True if no write has an ETag. svc then lists the records that differ or that the service refuses, and sends the other writes. */
  const isEach = states.every(({ write }) => write.ifMatch === undefined);
  // With one group, one undo reverts the whole plan, even if svc needed several runs.
  const note = { group: states.find(({ entry }) => entry?.group !== undefined)?.entry?.group, ...people };
  const failed: { readonly label: string; readonly error: SvcError }[] = [];
  let done = 0;
  const client = await context.client();
  const progress = startProgress(context, {
    what: 'writes',
    total: () => states.length,
    limits: () => client.limits().filter(({ kind }) => kind === 'write'),
    silent: context.stdio.stdout.isTTY && !isShown,
  });
  async function send(one: PlannedWriteState): Promise<JsonObject> {
    const { number, entry, isDone } = one;
    const { method, path, takes = [] } = one.write;
    const label = `write ${number}, ${recordOf(path)}`;
    const row = { number, method, path, id: idOf(entry?.recordId) };
    if (isDone) {
      if (entry?.etagLeft !== undefined) left.set(recordOf(path), entry.etagLeft);
      return { ...row, result: 'done before' };
    }
    const missing = takes.find((earlier) => !made.has(earlier));
    if (missing !== undefined) {
      const error = new ConflictError(`the write needs the record of write ${missing}, and this record does not exist`, {
        hint: 'Apply the plan again.',
      });
      failed.push({ label, error });
      return { ...row, result: 'left out', error: error.message };
    }
    const write = withIds(one.write, (earlier) => made.get(earlier));
    const at = recordOf(write.path);
    try {
      if (write.before !== undefined) {
        const result = await sendGuarded(context, { ...one, write }, note);
        if (result.kind === 'done') done += 1;
        if (result.kind === 'differs') failed.push({ label, error: differsError(result) });
        return { ...row, path: write.path, id: idOf(at.split('/').at(-1)), ...guardedRow(result) };
      }
      const ifMatch = write.ifMatch === undefined ? undefined : (left.get(at) ?? write.ifMatch);
      const { id, etag } = await sendPlanned(context, { ...one, write }, { ifMatch, ...note });
      left.set(at, etag);
      if (id !== undefined) made.set(number, id);
      done += 1;
      return { ...row, path: write.path, id: idOf(id), result: 'done' };
    } catch (error) {
      if (!isEach || !isOfOneItem(error)) throw error;
      failed.push({ label, error });
      return { ...row, path: write.path, result: 'refused', error: error.message };
    }
  }
  const arranged = await arrangedResources(context, states);
  async function* rows(): AsyncGenerator<JsonObject> {
    for (const run of splitIndependent(states, ({ write }) => dependenceOf(write, arranged))) {
      for await (const row of sendEach(run, send, ({ error }) => error)) {
        progress.add(1);
        yield row;
        await context.resolveWrites();
      }
    }
  }
  try {
    if (isShown) await Array.fromAsync(rows());
    else await printRows(context, rows());
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw withMore(error, {
      lines: [`${done} of ${states.length} ${were(done)} sent before the failure. Apply the plan again to send the other writes.`],
    });
  } finally {
    progress.end();
  }
  if (failed.length > 0) throw unappliedError(failed, states.length);
  return done;
}

/**
 * Returns the error for the writes that svc left out, with exit code 10. If svc left out all writes for one reason, the exit code is 6
 * (conflict) or 9.
 */
export function unappliedError(failed: readonly { readonly label: string; readonly error: SvcError }[], all: number): SvcError {
  const message = `${failed.length} of ${all} writes do not apply, so svc left their records unchanged.`;
  return partialFailure(message, failed, failed.length < all, 'Check these records, and plan their changes again.');
}

/**
 * Returns the kind and the record by which svc decides which writes run in parallel. Writes of one command are independent, except actions
 * and new records that users can arrange. All other writes can depend on earlier writes.
 */
function dependenceOf({ method, path, takes = [], noun, command }: PlannedWrite, arranged: ReadonlySet<string>): Dependence {
  const isAction = path.includes('/actions/');
  const isNew = method === 'POST' && !isAction;
  const isPlaced = isNew && (noun === undefined || arranged.has(noun));
  // A write that takes the id of another write differs from that write in `takes`. svc therefore never runs these two writes in parallel.
  const kind = isAction || isPlaced ? undefined : [method, ...takes, ...command].join(' ');
  return { kind, record: isNew ? undefined : recordOf(path) };
}

/** Returns the path of a record, without a query and without an action. */
function recordOf(path: string): string {
  return path.split(/[?]|\/actions\//, 1)[0] ?? '';
}

async function arrangedResources({ catalog }: Needs<'catalog'>, states: readonly PlannedWriteState[]): Promise<ReadonlySet<string>> {
  const nouns = [...new Set(states.flatMap(({ write }) => write.noun ?? []))];
  const found = await Promise.all(nouns.map(catalog.find));
  return new Set(nouns.filter((_, index) => found[index]?.reorderable === true));
}
