import { createHash } from 'node:crypto';
import { shellCommand } from '../cli/shell-word.ts';
import { openSandboxOrigins } from '../config/sandbox-origins.ts';
import { ConflictError, NotFoundError, PartialError, UsageError } from '../errors.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { planRehearsal, type RehearsedWrite } from '../records/rehearsed-writes.ts';
import { canDelete } from '../records/send-write.ts';
import type { Context } from '../session/context.ts';
import { createContext } from '../session/create-context.ts';
import { addToPlan, planHead } from '../session/planning.ts';
import { printRows, toAsync } from '../session/print.ts';
import { parseHost } from '../values/addresses.ts';
import type { JsonObject } from '../values/json.ts';
import { idValue } from '../values/scalars.ts';
import { counted } from '../values/text.ts';
import { entrySummary } from './describe-entry.ts';

const MOST_LINES = 50;

/**
 * Writes a plan for an organisation from this account’s writes in a sandbox that started with the organisation’s records.
 *
 * @param isWanted selects the writes for the plan.
 * @throws PartialError if the plan has only some of the writes, UsageError if the plan would have none.
 * @throws ConflictError for an existing file, NotFoundError without a wanted write.
 */
export async function planFromSandbox(context: Context, organisation: string, isWanted: (entry: JournalEntry) => boolean): Promise<void> {
  const { globals, plan: file } = context;
  if (file === undefined) throw new UsageError('svc does not know where to write the plan.', { hint: 'Add --plan month.plan' });
  if (((await context.files.readText(file)) ?? '') !== '')
    throw new ConflictError(`${file} exists, and svc does not change it.`, { hint: 'Name another file, or delete this file.' });
  const target = parseHost(organisation);
  const sandbox = await context.host();
  const origin = await openSandboxOrigins(context.files, context.paths.state).originOf(sandbox);
  if (origin?.from !== target.name) {
    const what = origin === undefined ? 'no sandbox with the records of an organisation' : `a sandbox with the records of ${origin.from}`;
    throw new UsageError(`${sandbox.name} is ${what}.`, {
      hint: `To start a sandbox with the records of ${target.name}: svc sandbox --from ${target.name}`,
    });
  }
  const { SVC_TOKEN: _, SVC_PLAN: __, SVC_PLAN_ONLY: ___, ...env } = context.env;
  const inside = { ...context, env };
  const there = createContext(inside, context.catalog, { ...globals, host: target.name, plan: undefined }, context.argv, false);
  try {
    // The service stores the writer of many records. The user of the sandbox must therefore be the user of the organisation.
    const [here, other] = [await planHead(context, await context.client()), await planHead(there, await there.client())];
    if (here.account !== other.account)
      throw new UsageError(`You are user ${here.account} of the sandbox, and user ${other.account} of ${other.origin}.`, {
        hint: 'Sign in at the sandbox as the same user, and rehearse again.',
      });
    const undone = new Set((await (await there.journal()).history()).flatMap(({ key, undoneBy }) => (undoneBy === undefined ? [] : key)));
    /** Returns the same key for the same write in each plan. After an undo in the organisation, svc makes a new key. */
    const keyOf = ({ key }: JournalEntry, taken: readonly string[]) => {
      const parts = [sandbox.origin, origin.started_at, key, ...taken].join('\0');
      const digest = createHash('sha256').update(parts).digest('hex').slice(0, 40);
      // An import recognises its rows by their keys.
      const [, stem = `svc-rehearsed-${digest}-`, first = '1'] = /^(svc-import-.*-)(\d+)$/.exec(key) ?? [];
      let number = Number(first);
      while (undone.has(`${stem}${number}`)) number += 1;
      return `${stem}${number}`;
    };
    const started = Date.parse(origin.started_at);
    const entries = (await (await context.journal()).history()).filter(({ at }) => at >= started).reverse();
    const { rehearsed, writes } = await planRehearsal(context, entries, {
      isWanted,
      sandbox: sandbox.name,
      organisation: target.name,
      canDelete: await canDelete(there),
      // The key does not decide which values `pseudonymiser` replaces. svc therefore uses any key.
      disguise: origin.pseudonyms ? (await import('../database/pseudonyms.ts')).pseudonymiser('any') : (values) => values,
      lastIds: origin.last_ids,
      keyOf,
    });
    if (rehearsed.length === 0) throw new NotFoundError('This account made no such writes in the sandbox.', { hint: 'See: svc history' });
    const columns = ['number', 'write', 'what', 'result', 'reason'].map((path) => ({ path }));
    await printRows(context, toAsync([rehearsed.map(rowOf)]), { columns });
    const left = rehearsed.filter(({ number, isWithoutEffect }) => number === undefined && !isWithoutEffect);
    const isWritten = writes.length > 0 && !globals.dryRun;
    if (isWritten) await addToPlan({ ...there, plan: file }, await there.client(), file, writes);
    const review = shellCommand(['plan', 'show', file, '--host', target.name]);
    const result = isWritten
      ? `Planned ${counted(writes.length, 'write')} in ${file}. svc sent nothing. To review: ${review}`
      : `svc wrote no plan${writes.length === 0 ? '' : `, which would have ${counted(writes.length, 'write')}`}.`;
    if (left.length === 0) return await context.notice(result);
    const lines = left.slice(0, MOST_LINES).map(({ entry, reason }) => `entry ${entry.number}, ${entrySummary(entry)}: ${reason}`);
    const Failure = writes.length === 0 ? UsageError : PartialError;
    throw new Failure(`svc cannot plan ${left.length} of ${counted(rehearsed.length, 'write')}.`, {
      hint: result,
      details: { lines },
    });
  } finally {
    await there.close();
  }
}

function rowOf({ entry, number, reason, isWithoutEffect }: RehearsedWrite): JsonObject {
  const result = number !== undefined ? 'planned' : isWithoutEffect ? 'no effect' : 'left out';
  const id = entry.recordId === undefined ? null : idValue(entry.recordId);
  return { number: entry.number, write: number ?? null, record_id: id, what: entrySummary(entry), result, reason: reason ?? null };
}
