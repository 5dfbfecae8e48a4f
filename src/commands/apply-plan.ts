import { type Dependence, independentRuns } from '../bulk/independent-runs.ts';
import { sendEach } from '../bulk/send-each.ts';
import { shellCommand } from '../cli/shell-word.ts';
import { defineCommand, text } from '../cli/spec.ts';
import { ConflictError, DeclinedError, SvcError, UsageError, withMore } from '../errors.ts';
import type { Plan, PlannedWrite } from '../journal/plan.ts';
import { decodePlan, planDigest, planRows } from '../journal/plan-file.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import { type StandingWrite, sendPlanned, standOf } from '../records/planned-writes.ts';
import type { Asking, Needs } from '../session/context.ts';
import { planHead } from '../session/planning.ts';
import type { Printing } from '../session/print.ts';
import { printRecord, printRows } from '../session/print.ts';
import { were } from '../values/counted.ts';
import { type JsonObject, scalarText, stringifyJson } from '../values/json.ts';

type Applying =
  | Printing
  | Asking
  | 'account'
  | 'catalog'
  | 'client'
  | 'credentials'
  | 'journal'
  | 'host'
  | 'plan'
  | 'readBytesArgument'
  | 'settleWrites';

/** `svc apply <file>`: shows a plan, asks, and sends exactly that. */
export const applyPlan = defineCommand({
  name: 'apply',
  showsGlobals: ['host', 'output'],
  summary: 'Send the writes of a plan, made with --plan',
  description:
    'svc shows each write of the plan, asks, and sends it byte for byte. Each write carries the ETag that its record had when it was planned. If a record changed since then, svc stops, and exits with 6. Apply the plan again after a lost answer: svc sends the rest, and nothing twice.\n\nA program names an approved plan with --yes=<SHA-256 of the file>. svc apply --no-input prints that SHA-256, and sends nothing.',
  args: [{ name: 'file', summary: 'The file of the plan', completes: 'file' }],
  options: { yes: text('-y, --yes <digest>', 'Send the plan without a question if its file has this SHA-256') },
  examples: [
    { args: 'worklogs add --minutes 90 --plan today.plan', does: 'Add a write to a plan' },
    { args: 'apply today.plan', does: 'Show the plan, and send it' },
    { args: 'apply today.plan --no-input', does: 'Print the plan and its SHA-256 for approval' },
  ],
  async run(context: Needs<Applying>, { args: [file = ''], options }) {
    if (context.plan !== undefined)
      throw new UsageError('A plan cannot go into a plan.', { hint: 'Leave out --plan, and unset SVC_PLAN.' });
    const bytes = await context.readBytesArgument(file);
    const plan = decodePlan(bytes);
    const { origin } = await context.host();
    if (origin !== plan.origin) throw notFor(file, plan, `this is ${origin}`);
    await approve(context, file, plan, planDigest(bytes), options.yes);
    await checkAccount(context, file, plan);
    const standing = await standOf(context, plan);
    const open = standing.filter(({ isDone }) => !isDone);
    // Without what it takes for all of it, none of it is sent.
    for (const method of new Set(open.map(({ write }) => write.method)))
      await (await context.credentials())({ method, upload: false, signal: context.signal });
    await sendAll(context, standing);
    await context.notice(
      `${open.length} done${open.length === standing.length ? '' : `, ${standing.length - open.length} ${were(standing.length - open.length)} done before`}.`,
    );
  },
});

/** @throws UsageError where nobody can be asked, ConflictError for a plan that is not the one that was approved. */
async function approve(
  context: Needs<Printing | Asking>,
  file: string,
  plan: Plan,
  digest: string,
  approved: string | undefined,
): Promise<void> {
  if (approved !== undefined) {
    if (approved.toLowerCase() === digest) return;
    throw new ConflictError(`${file} is not the plan that was approved: its SHA-256 is ${digest}.`, {
      hint: 'Nothing was sent. Look at it again: svc apply --no-input',
    });
  }
  if (!context.interactive) {
    await printRecord(context, { sha256: digest, origin: plan.origin, account: plan.account, writes: planRows(plan) });
    throw new UsageError('Nobody is there to approve the plan, so nothing was sent.', {
      hint: 'After a person has approved it:',
      details: { resume: shellCommand(['apply', file, `--yes=${digest}`]) },
    });
  }
  for (const row of planRows(plan)) await context.stdio.stderr.write(`  ${neutraliseLine(lineOf(row))}\n`);
  const count = plan.writes.length;
  if (!(await context.prompts.confirm(`Send ${count === 1 ? 'it' : `these ${count}`} to ${plan.origin}?`, context.signal)))
    throw new DeclinedError('Nothing was sent.', { hint: 'You said no.' });
}

/** `1. PATCH /worklogs/7 {"minutes":60}` */
function lineOf({ number, method, path, body }: JsonObject): string {
  const sent = body === null || body === undefined ? '' : ` ${typeof body === 'string' ? body : stringifyJson(body)}`;
  return `${scalarText(number ?? null)}. ${scalarText(method ?? null)} ${scalarText(path ?? null)}${sent}`;
}

async function checkAccount(context: Needs<'account' | 'client'>, file: string, plan: Plan): Promise<void> {
  const { account } = await planHead(context, await context.client());
  if (account !== plan.account) throw notFor(file, plan, `you are user ${account}`);
}

/** The plan is for another organisation or user. */
function notFor(file: string, { origin, account }: Plan, here: string): UsageError {
  const { host } = new URL(origin);
  return new UsageError(`The plan is for user ${account} of ${origin}, and ${here}.`, {
    hint: `Sign in as that user with svc login ${host}, then: ${shellCommand(['apply', file, '--host', host])}`,
  });
}

async function sendAll(
  context: Needs<Printing | 'catalog' | 'client' | 'settleWrites'>,
  standing: readonly StandingWrite[],
): Promise<void> {
  /** The ETag that the plan itself left of a record. */
  const left = new Map<string, string | undefined>();
  let done = 0;
  async function send(one: StandingWrite): Promise<JsonObject> {
    const { number, write, entry, isDone } = one;
    const at = recordOf(write.path);
    if (isDone) {
      if (entry?.etagLeft !== undefined) left.set(at, entry.etagLeft);
      return { number, method: write.method, path: write.path, id: entry?.recordId ?? null, result: 'done before' };
    }
    const { id, etag } = await sendPlanned(context, one, left.get(at));
    left.set(at, etag);
    done += 1;
    return { number, method: write.method, path: write.path, id: id ?? null, result: 'done' };
  }
  const arranged = await arrangedNouns(context, standing);
  async function* rows(): AsyncGenerator<JsonObject> {
    for (const run of independentRuns(standing, ({ write }) => dependenceOf(write, arranged))) {
      for await (const row of sendEach(run, send, ({ error }) => error)) {
        yield row;
        await context.settleWrites();
      }
    }
  }
  try {
    await printRows(context, rows());
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw withMore(error, {
      lines: [`${done} of ${standing.length} ${were(done)} sent before this. Applied again, the plan does the rest.`],
    });
  }
}

/**
 * What one command planned for several records does not build on itself. What another command planned may build on it, and so may an
 * action; and where people arrange records, they stand in the order in which they were made.
 */
function dependenceOf({ method, path, noun, command }: PlannedWrite, arranged: ReadonlySet<string>): Dependence {
  const isAction = path.includes('/actions/');
  const isNew = method === 'POST' && !isAction;
  const isPlaced = isNew && (noun === undefined || arranged.has(noun));
  return { kind: isAction || isPlaced ? undefined : [method, ...command].join(' '), record: isNew ? undefined : recordOf(path) };
}

/** The record that a path is about, without the query and the action on it. */
function recordOf(path: string): string {
  return path.split(/[?]|\/actions\//, 1)[0] ?? '';
}

async function arrangedNouns({ catalog }: Needs<'catalog'>, standing: readonly StandingWrite[]): Promise<ReadonlySet<string>> {
  const nouns = [...new Set(standing.flatMap(({ write }) => write.noun ?? []))];
  const found = await Promise.all(nouns.map(catalog.find));
  return new Set(nouns.filter((_, index) => found[index]?.reorderable === true));
}
