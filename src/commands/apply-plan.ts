import { type Dependence, sendEach, splitIndependent } from '../bulk/in-order.ts';
import { shellCommand } from '../cli/shell-word.ts';
import { defineCommand, text } from '../cli/spec.ts';
import { ConflictError, DeclinedError, SvcError, UsageError, withMore } from '../errors.ts';
import { decodePlan, type Plan, type PlannedWrite, planDigest, planRows } from '../journal/plan-file.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import { type PlannedWriteState, planState, sendPlanned } from '../records/planned-writes.ts';
import type { Context, Needs } from '../session/context.ts';
import { planHead } from '../session/planning.ts';
import { printRecord, printRows } from '../session/print.ts';
import { type JsonObject, scalarText, stringifyJson } from '../values/json.ts';
import { idValue } from '../values/scalars.ts';
import { were } from '../values/text.ts';

export const applyPlan = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun'],
  description:
    'svc shows the plan, asks, and sends each write byte for byte. Each write has the ETag of its record at planning time. If a record changed since then, svc stops, and exits with 6. If the connection drops, apply the plan again: svc sends only the writes that are not done yet.\n\nA program names an approved plan with --yes=<SHA-256 of the file>. svc apply --no-input prints that SHA-256, and sends nothing.',
  args: [{ name: 'file', summary: 'The file of the plan', completes: 'file' }],
  options: { yes: text('-y, --yes <digest>', 'Send the plan without a question if its file has this SHA-256') },
  examples: [
    { args: 'worklogs add --minutes 90 --plan today.plan', does: 'Add a write to a plan' },
    { args: 'apply today.plan', does: 'Show the plan, and send it' },
    { args: 'apply today.plan --dry-run', does: 'Print the plan and its cost' },
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
    const { account } = await planHead(context, await context.client());
    if (account !== plan.account) throw notFor(file, plan, `you are user ${account}`);
    const states = await planState(context, plan);
    const open = states.filter(({ isDone }) => !isDone);
    // svc checks that each write has a token, before the first write.
    for (const method of new Set(open.map(({ write }) => write.method)))
      await (await context.credentials())({ method, upload: false, signal: context.signal });
    context.putPeopleFirst();
    await sendAll(context, states);
    await context.notice(
      `${open.length} done${open.length === states.length ? '' : `, ${states.length - open.length} ${were(states.length - open.length)} done before`}.`,
    );
  },
});

/** Returns the plan in the form of `--dry-run` and `--no-input`, with its cost in rate-limit units (rule 15.2). */
function planRecord(plan: Plan, digest: string): JsonObject {
  const { length } = plan.writes;
  return { sha256: digest, origin: plan.origin, account: plan.account, cost: { write: length, read: length }, writes: planRows(plan) };
}

async function approve(context: Context, file: string, plan: Plan, digest: string, approved: string | undefined): Promise<void> {
  if (approved !== undefined) {
    if (approved.toLowerCase() === digest) return;
    throw new ConflictError(`${file} differs from the approved plan: its SHA-256 is ${digest}.`, {
      hint: `Nothing was sent. To see the plan again: ${shellCommand(['apply', file, '--no-input'])}`,
    });
  }
  if (!context.interactive) {
    await printRecord(context, planRecord(plan, digest));
    throw new UsageError('svc cannot ask you to approve the plan here, so svc sent nothing.', {
      hint: 'After a person has approved the plan:',
      details: { resume: shellCommand(['apply', file, `--yes=${digest}`]) },
    });
  }
  for (const row of planRows(plan)) await context.stdio.stderr.write(`  ${neutraliseLine(lineOf(row))}\n`);
  const count = plan.writes.length;
  if (!(await context.prompts.confirm(`Send ${count === 1 ? 'this write' : `these ${count} writes`} to ${plan.origin}?`, context.signal)))
    throw new DeclinedError('Nothing was sent.', { hint: 'You said no.' });
}

/** Formats a write as one line: `1. PATCH /worklogs/7 {"minutes":60}`. */
function lineOf({ number, method, path, body }: JsonObject): string {
  const sent = body === null || body === undefined ? '' : ` ${typeof body === 'string' ? body : stringifyJson(body)}`;
  return `${scalarText(number)}. ${scalarText(method)} ${scalarText(path)}${sent}`;
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

async function sendAll(context: Context, states: readonly PlannedWriteState[]): Promise<void> {
  /** The ETag of each record after the writes of this plan, by path of the record. */
  const left = new Map<string, string | undefined>();
  let done = 0;
  async function send(one: PlannedWriteState): Promise<JsonObject> {
    const { number, write, entry, isDone } = one;
    const at = recordOf(write.path);
    if (isDone) {
      if (entry?.etagLeft !== undefined) left.set(at, entry.etagLeft);
      return { number, method: write.method, path: write.path, id: idOf(entry?.recordId), result: 'done before' };
    }
    const { id, etag } = await sendPlanned(context, one, left.get(at));
    left.set(at, etag);
    done += 1;
    return { number, method: write.method, path: write.path, id: idOf(id), result: 'done' };
  }
  const arranged = await arrangedResources(context, states);
  async function* rows(): AsyncGenerator<JsonObject> {
    for (const run of splitIndependent(states, ({ write }) => dependenceOf(write, arranged))) {
      for await (const row of sendEach(run, send, ({ error }) => error)) {
        yield row;
        await context.resolveWrites();
      }
    }
  }
  try {
    await printRows(context, rows());
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw withMore(error, {
      lines: [`${done} of ${states.length} ${were(done)} sent before this. Apply the plan again to send the rest.`],
    });
  }
}

/**
 * Returns the dependence of a write. Writes of one command are independent. Other writes, and records that users can arrange, can depend on
 * earlier writes.
 */
function dependenceOf({ method, path, noun, command }: PlannedWrite, arranged: ReadonlySet<string>): Dependence {
  const isAction = path.includes('/actions/');
  const isNew = method === 'POST' && !isAction;
  const isPlaced = isNew && (noun === undefined || arranged.has(noun));
  return { kind: isAction || isPlaced ? undefined : [method, ...command].join(' '), record: isNew ? undefined : recordOf(path) };
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
