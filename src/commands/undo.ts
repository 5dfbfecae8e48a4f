import { AT_ONCE, type Dependence, inOrder, splitIndependent } from '../bulk/in-order.ts';
import type { Resource } from '../catalog/define.ts';
import { isWritable } from '../catalog/rules.ts';
import { shellCommand } from '../cli/shell-word.ts';
import { defineCommand } from '../cli/spec.ts';
import { commandWords } from '../cli/words.ts';
import { ConflictError, DeclinedError, NotFoundError, PartialError, SignInError, SvcError, UsageError, withMore } from '../errors.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { Journal } from '../journal/open-journal.ts';
import { type NoUndo, planGroupUndo, type UndoPlan } from '../journal/undo-plan.ts';
import { createsRecord, writtenBody } from '../journal/written-values.ts';
import { dateTimeDisplay, type ShowDateTime } from '../output/cell.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import { wrap } from '../output/wrap.ts';
import { undoWrite } from '../records/send-entry.ts';
import { checkMayDelete, describeWrite } from '../records/send-write.ts';
import { timerOfKey } from '../records/timer-hours.ts';
import { allowsTransition } from '../records/workflows.ts';
import type { Asking, Needs } from '../session/context.ts';
import { type Printing, printLine, printOneOrMany, printRecord, printRows } from '../session/print.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { parseInteger } from '../values/scalars.ts';
import { changesText, entryEffect, entrySummary } from './describe-entry.ts';

export const undo = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun', 'yes'],
  summary: 'Undo your last write, or number n of svc history',
  description:
    'If you created the record, svc deletes the record. This delete needs a personal access token with the Delete scope. After an update or a transition, svc sets the changed fields to their old values. If somebody changed the record since, svc undoes nothing and shows the differences. svc undoes the writes of one command together. Without a terminal, several writes need --yes. At a terminal, svc shows what it will undo, and asks. svc cannot undo a delete or an undo. svc has the old values only if svc read the record first: at a terminal, in edit, or with SVC_KEEP_BEFORE=1.',
  args: [{ name: 'n', summary: 'The number in svc history (default: the last write)', optional: true }],
  examples: [
    { args: 'undo', does: 'Undo the last command' },
    { args: 'undo 12', does: 'Undo number 12 of svc history' },
    { args: 'undo --dry-run', does: 'Show the requests that would undo the last command' },
  ],
  async run(
    context: Needs<Printing | Asking | 'catalog' | 'client' | 'credentials' | 'host' | 'journal' | 'plan' | 'resolveWrites'>,
    { args: [typed] },
  ) {
    const entry = await wantedEntry(context, typed);
    const journal = await context.journal();
    const group = entry.group === undefined ? [entry] : await journal.group(entry.group);
    const done = group.filter(({ outcome, undoneBy }) => outcome === 'done' && undoneBy === undefined);
    const written = done.length === 0 ? [entry] : done;
    const located = await Promise.all(written.map((one) => withCollection(context, one)));
    const entries = await Promise.all(located.map((one) => withWhatWasWritten(journal, one)));
    const nouns = await resourcesOf(context, entries);
    const operations = await operationsAmong(context, written);
    const found = planGroupUndo(entries, (noun, field) => isWritable(nouns.get(noun)?.fields[field], 'create'), operations);
    const plans = await withAllowedTransitions(context, await withoutOldEtags(journal, found));
    const [only] = plans;
    if (only === undefined) throw cannotUndo({ kind: 'none', entry, reason: 'not-done' }, nouns);
    if (context.globals.dryRun) return showEach(context, plans, nouns);
    const deleting = plans.find((plan) => plan.kind === 'request' && plan.method === 'DELETE');
    if (context.plan === undefined && deleting !== undefined) {
      const what = `svc would undo entry ${deleting.entry.number}, and delete its record: ${shellCommand(deleting.entry.command)}`;
      await checkMayDelete(context).catch((error) => {
        throw error instanceof SignInError ? withMore(error, { lines: [what] }) : error;
      });
    }
    if (plans.length > 1) {
      await confirmUndo(context, plans, nouns);
      return undoEach(context, plans, nouns);
    }
    if (only.kind === 'none') throw cannotUndo(only, nouns);
    await confirmUndo(context, plans, nouns);
    const record = await undoWrite(context, only);
    if ((await context.presentation()).isDefaultFormat) return printUndone(context, only.entry);
    await printRecord(context, record);
    await context.notice(`Undone: ${entrySummary(only.entry)} (entry ${only.entry.number}).`);
  },
});

type ResourcesByName = ReadonlyMap<string, Resource>;

/**
 * Removes the ETag from each plan whose record this account changed later, because that ETag is outdated. Adds the latest of these writes
 * that is not undone and not part of the plans.
 */
async function withoutOldEtags(journal: Journal, plans: readonly UndoPlan[]): Promise<readonly UndoPlan[]> {
  const first = Math.min(...plans.map(({ entry }) => entry.at));
  const done = await journal.history({ outcome: 'done', since: first });
  const nameOf = ({ noun, recordId }: JournalEntry) => `${noun} ${recordId}`;
  const planned = new Set(plans.map(({ entry }) => entry.number));
  const isStanding = ({ number, recordId, undoes, undoneBy }: JournalEntry) =>
    recordId !== undefined && undoes === undefined && undoneBy === undefined && !planned.has(number);
  // The history is newest first, so the newest entry of each record remains in the map.
  const latestOf = (entries: readonly JournalEntry[]) => new Map(entries.toReversed().map((entry) => [nameOf(entry), entry]));
  const [latest, standing] = [latestOf(done), latestOf(done.filter(isStanding))];
  const since = (entry: JournalEntry, later: JournalEntry | undefined) =>
    later !== undefined && later.number > entry.number ? later : undefined;
  return plans.map((plan) => {
    const name = nameOf(plan.entry);
    if (plan.kind === 'none' || since(plan.entry, latest.get(name)) === undefined) return plan;
    return { ...plan, ifMatch: undefined, later: since(plan.entry, standing.get(name)) };
  });
}

/** Checks before a question that the workflows allow the transitions back. Without a question, only the service checks. */
async function withAllowedTransitions(
  context: Needs<'client' | 'globals' | 'interactive' | 'plan'>,
  plans: readonly UndoPlan[],
): Promise<readonly UndoPlan[]> {
  if (context.globals.yes || context.globals.dryRun || context.plan !== undefined || !context.interactive) return plans;
  const statusIn = (written: JsonObject | undefined) => Number(scalarText(written?.['workflow_status_id']));
  const checked: UndoPlan[] = [];
  for (const plan of plans) {
    const isTransition = plan.kind === 'request' && plan.method === 'POST';
    const isForbidden = isTransition && (await allowsTransition(context, statusIn(plan.before), statusIn(plan.body))) === false;
    checked.push(isForbidden ? { kind: 'none', entry: plan.entry, reason: 'no-transition' } : plan);
  }
  return checked;
}

async function wantedEntry(context: Needs<'journal'>, typed: string | undefined): Promise<JournalEntry> {
  const journal = await context.journal();
  if (typed === undefined) {
    const last = await journal.last();
    if (last !== undefined) return last;
    throw new NotFoundError('There is nothing to undo.', { hint: 'See your writes: svc history' });
  }
  if (!/^\d{1,15}$/.test(typed)) throw new UsageError(`"${typed}" is not the number of a write.`, { hint: 'See the numbers: svc history' });
  const entry = await journal.entry(parseInteger(typed));
  if (entry === undefined) throw new NotFoundError(`There is no write ${typed}.`, { hint: 'See your writes: svc history' });
  return entry;
}

/**
 * Adds the path of the resource to a journal entry. The entry of a child resource stays unchanged, because only a path with the parent
 * exists.
 */
async function withCollection({ catalog }: Needs<'catalog'>, entry: JournalEntry): Promise<JournalEntry> {
  if (entry.noun === undefined || entry.collection !== undefined) return entry;
  const resource = await catalog.find(entry.noun);
  return resource === undefined || resource.parent !== undefined ? entry : { ...entry, collection: resource.path };
}

/**
 * Adds the deleted record’s values to the journal entry of a delete. If svc did not read the record, the values come from this account’s
 * own writes since its creation.
 */
async function withWhatWasWritten(journal: Journal, entry: JournalEntry): Promise<JournalEntry> {
  const { method, before, noun, number, recordId, path } = entry;
  if (method !== 'DELETE' || before !== undefined || recordId === undefined) return entry;
  const at = path.split('?', 1)[0];
  const writes = (await journal.history({ noun, outcome: 'done' })).filter((write) => write.number < number).reverse();
  const made = writes.findIndex((write) => write.recordId === recordId && createsRecord(write));
  if (made < 0) return entry;
  const changes = writes.slice(made + 1).filter((write) => write.method === 'PATCH' && write.path.split('?', 1)[0] === at);
  return { ...entry, before: Object.assign({}, ...[writes[made], ...changes].map((write) => write && writtenBody(write))) as JsonObject };
}

/**
 * Finds the entries that created no record: a POST within a record, to a path without a child resource. An organisation’s API spec can have
 * such operations. The response can have the id of any record, and svc must not delete that record.
 */
async function operationsAmong({ catalog }: Needs<'catalog'>, entries: readonly JournalEntry[]): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const { collection, method, number, path } of entries) {
    // An entry with a recorded resource path created a record at this path, such as a file.
    if (collection !== undefined) continue;
    const [, noun = '', , segment, ...more] = (path.split('?', 1)[0] ?? '').split('/');
    const resource = method === 'POST' && segment !== undefined ? await catalog.find(noun) : undefined;
    if (resource === undefined) continue;
    const isChild = more.length === 0 && resource.nested?.some(({ path: at }) => at.endsWith(`}/${segment}`)) === true;
    if (!isChild) found.add(number);
  }
  return found;
}

async function resourcesOf({ catalog }: Needs<'catalog'>, entries: readonly JournalEntry[]): Promise<ResourcesByName> {
  const found = await Promise.all([...new Set(entries.map(({ noun }) => noun ?? ''))].map(catalog.find));
  return new Map(found.flatMap((resource) => (resource === undefined ? [] : [[resource.noun, resource] as const])));
}

async function showEach(context: Needs<Printing | 'host'>, plans: readonly UndoPlan[], nouns: ResourcesByName): Promise<void> {
  const shown: JsonObject[] = [];
  for (const plan of plans) {
    if (plan.kind === 'none') throw cannotUndo(plan, nouns);
    shown.push(await describeWrite(context, nouns.get(plan.entry.noun ?? ''), plan));
  }
  await printOneOrMany(context, shown, shown.length > 1);
}

async function printUndone(context: Needs<'stdio'>, entry: JournalEntry, count = 1): Promise<void> {
  const timer = timerOfKey(entry.key);
  // Undoing the logged hours of a timer does not start the timer again.
  if (timer !== undefined)
    return printLine(context, `Undone: the hours of timer ${timer} (entry ${entry.number}). svc does not start the timer again.`);
  const writes = count === 1 ? '' : `, ${count} writes`;
  await printLine(context, `Undone: ${shellCommand(entry.command)} (entry ${entry.number}${writes}).`);
}

async function undoEach(
  context: Needs<Printing | 'client' | 'resolveWrites' | 'signal'>,
  plans: readonly UndoPlan[],
  nouns: ResourcesByName,
): Promise<void> {
  const failures: string[] = [];
  let done = 0;
  const attempt = async (plan: UndoPlan): Promise<JsonObject> => {
    const { number, path } = plan.entry;
    try {
      if (plan.kind === 'none') throw cannotUndo(plan, nouns, entrySummary);
      await undoWrite(context, plan);
      done += 1;
      return { number, path, undone: true, error: null };
    } catch (error) {
      // A failure that would repeat for every entry ends the command.
      if (!(error instanceof SvcError) || context.signal.aborted || !REPEATABLE.includes(error.name)) throw error;
      return { number, path, undone: false, error: error.message };
    }
  };
  async function* rows(): AsyncGenerator<JsonObject> {
    for (const run of splitIndependent(plans, dependenceOf)) {
      for await (const row of inOrder(run, () => (done > 0 ? AT_ONCE : 1), attempt)) {
        if (row['undone'] === false) failures.push(`entry ${row['number']}: ${row['error']}`);
        yield row;
        await context.resolveWrites();
      }
    }
  }
  const [last] = plans;
  if (last !== undefined && (await context.presentation()).isDefaultFormat) {
    await Array.fromAsync(rows());
    if (failures.length === 0) return printUndone(context, last.entry, done);
  } else await printRows(context, rows());
  if (failures.length === 0) return;
  const isFinal = failures.length === plans.filter(({ kind }) => kind === 'none').length;
  throw new PartialError(`svc could not undo ${failures.length} of ${plans.length} writes.`, {
    hint: `svc undid the other writes.${isFinal ? '' : ' To try these writes again, run the same command again.'}`,
    details: { lines: failures.slice(0, 50) },
  });
}

/** Returns the facts that decide the order of undo steps. Records of one resource are independent of each other. */
function dependenceOf({ entry, ...plan }: UndoPlan): Dependence {
  return { kind: entry.noun, record: plan.kind === 'none' ? `entry ${entry.number}` : plan.path.replace(/\/actions\/.*$/, '') };
}

/** The names of failures that concern one record only. After such a failure, svc continues with the next record. */
const REPEATABLE = ['ConflictError', 'NotFoundError', 'RefusedError', 'SvcError'];

async function confirmUndo(
  context: Needs<Asking | 'globals' | 'plan' | 'stdio' | 'timeZone'>,
  plans: readonly UndoPlan[],
  nouns: ResourcesByName,
): Promise<void> {
  // The user approves a plan with `svc apply`, so this step needs no question.
  if (context.globals.yes || context.plan !== undefined) return;
  const count = plans.length;
  if (!context.interactive) {
    if (count === 1) return;
    throw new UsageError(`The command made ${count} writes, and svc undo would undo all these writes.`, {
      hint: 'If you are sure, add --yes.',
    });
  }
  const { columns = Number.POSITIVE_INFINITY } = context.stdio.stderr;
  const showDateTime = dateTimeDisplay(await context.timeZone());
  const lines = plans.slice(0, MOST_LINES).map((plan) => `${wrap(`  ${neutraliseLine(undoText(plan, nouns, showDateTime))}`, columns)}\n`);
  await context.stdio.stderr.write(`${lines.join('')}${count > MOST_LINES ? `  and ${count - MOST_LINES} more\n` : ''}`);
  const command = shellCommand(plans[0]?.entry.command ?? []);
  const question = count === 1 ? `Undo ${command} (entry ${plans[0]?.entry.number})?` : `Undo all ${count} writes of ${command}?`;
  if (!(await context.prompts.confirm(question, context.signal))) throw new DeclinedError('svc undid nothing.', { hint: 'You said no.' });
}

const MOST_LINES = 10;

/** Describes the effect of an undo: `#5916: will be minutes 1h30 again`. */
function undoText(plan: UndoPlan, nouns: ResourcesByName, showDateTime: ShowDateTime): string {
  const { entry } = plan;
  const resource = nouns.get(entry.noun ?? '');
  const written = entryEffect(entry, resource, showDateTime);
  if (plan.kind === 'none') return `${written}: svc cannot undo this write`;
  if (plan.method === 'DELETE') return `${written}: will be deleted`;
  if (plan.method === 'POST') return `${written}: will have its earlier status again`;
  return `${written}: will be ${changesText(resource, plan.body ?? {}, {}, showDateTime)} again`;
}

/** Makes the error for an entry that svc cannot undo. @param say Returns the text for the write: the command line, or the request. */
function cannotUndo(
  { entry, reason, fields = [], again }: NoUndo,
  nouns: ResourcesByName,
  say: (entry: JournalEntry) => string = ({ command }) => shellCommand(command),
): SvcError {
  const what = `Entry ${entry.number} (${say(entry)})`;
  switch (reason) {
    case 'deleted': {
      if (entry.noun === 'timers')
        return new SvcError(`${what} ended a timer, and svc cannot start this timer again.`, {
          hint: 'If the timer logged hours, look up their number in svc history, then: svc undo <n>',
        });
      const resource = nouns.get(entry.noun ?? '');
      const words = resource === undefined ? again?.slice(0, 2) : commandWords(resource, 'create').split(' ');
      return new SvcError(`${what} deleted a record, and svc cannot undo a delete.`, {
        hint:
          again === undefined
            ? 'svc did not read the record before the delete, so svc cannot create the record again.'
            : 'You can create the record again, with another id.',
        details: { resume: again === undefined ? undefined : shellCommand([...(words ?? []), ...again.slice(2)]) },
      });
    }
    case 'action':
      return new SvcError(`${what} is an action that svc cannot undo.`, { hint: 'See other commands: svc commands' });
    case 'not-seen':
      return new SvcError(
        `svc does not know the old values of entry ${entry.number} (${say(entry)})${fields.length === 0 ? '' : `: ${fields.join(', ')}`}.`,
        {
          hint: 'svc reads a record before a change at a terminal, or with SVC_KEEP_BEFORE=1. svc needs permission to read the record.',
        },
      );
    case 'not-done':
      return new SvcError(`${what} was not done, or is unconfirmed: ${entry.outcome}.`, {
        hint: entry.outcome === 'unknown' ? `Resolve the write first: svc outbox send ${entry.number}` : 'There is nothing to undo.',
      });
    case 'undone':
      return new SvcError(`${what} was undone already, by entry ${entry.undoneBy}.`, { hint: 'See: svc history' });
    case 'unchanged':
      return new SvcError(`${what} changed nothing.`, { hint: 'There is nothing to undo.' });
    case 'no-transition':
      return new ConflictError(`svc cannot undo entry ${entry.number}: the workflow has no transition back.`, {
        hint: `To set another status: svc ${entry.noun} transition ${entry.path.split('/')[2]}`,
      });
    case 'undo':
      return new SvcError(`${what} undid another write, and svc cannot undo an undo.`, {
        hint: 'To make the first write again, run its command again. See: svc history',
      });
  }
}
