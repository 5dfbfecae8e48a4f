import { AT_ONCE, inOrder } from '../bulk/import/in-order.ts';
import { type Dependence, independentRuns } from '../bulk/independent-runs.ts';
import type { Resource } from '../catalog/define.ts';
import { isWritable } from '../catalog/rules.ts';
import { shellCommand } from '../cli/shell-word.ts';
import { defineCommand } from '../cli/spec.ts';
import { commandWords } from '../cli/words.ts';
import { DeclinedError, NotFoundError, PartialError, SvcError, UsageError } from '../errors.ts';
import { writtenBody } from '../journal/body-of.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { type NoUndo, planGroupUndo, type UndoPlan } from '../journal/undo-plan.ts';
import { takeBack } from '../records/take-back.ts';
import type { Asking, Needs } from '../session/context.ts';
import type { Printing } from '../session/print.ts';
import { printLine, printRecord, printRows } from '../session/print.ts';
import { parseInteger } from '../values/integer.ts';
import type { JsonObject } from '../values/json.ts';
import { entrySummary, typedLineOf } from './entry-fields.ts';

/** `svc undo [n]`: undoes what one command wrote, unless somebody changed the record since. */
export const undo = defineCommand({
  name: 'undo',
  showsGlobals: ['host', 'output', 'yes'],
  summary: 'Undo your last write, or number n of svc history',
  description:
    'svc deletes a record that you created, which needs a personal access token with the Delete scope. svc sets fields that an update or a transition changed to their old values. If somebody changed the record since, svc undoes nothing and shows the differences. svc undoes the writes of one command together, after a question or with --yes. A delete cannot be undone. svc knows the old values only if it read the record first: at a terminal, in edit, or with --if-unchanged.',
  args: [{ name: 'n', summary: 'The number in svc history (default: the last write)', optional: true }],
  examples: [
    { args: 'undo', does: 'Undo the last command' },
    { args: 'undo 12', does: 'Undo number 12 of svc history' },
  ],
  async run(context: Needs<Printing | Asking | 'catalog' | 'client' | 'journal' | 'settleWrites'>, { args }) {
    const entry = await wantedEntry(context, args[0]);
    const journal = await context.journal();
    const group = entry.group === undefined ? [entry] : await journal.group(entry.group);
    const done = group.filter(({ outcome, undoneBy }) => outcome === 'done' && undoneBy === undefined);
    const noted = done.length === 0 ? [entry] : done;
    const placedOnes = await Promise.all(noted.map((one) => placed(context, one)));
    const entries = await Promise.all(placedOnes.map((one) => withWhatWasWritten(journal, one)));
    const nouns = await resourcesOf(context, entries);
    const operations = await operationsAmong(context, noted);
    const plans = planGroupUndo(entries, (noun, field) => isWritable(nouns.get(noun)?.fields[field], 'create'), operations);
    const [only] = plans;
    if (only === undefined) throw whyNot({ kind: 'none', entry, reason: 'not-done' }, nouns);
    if (plans.length === 1) return undoOne(context, only, nouns);
    await confirmMany(context, plans.length);
    await undoEach(context, plans, nouns);
  },
});

type Nouns = ReadonlyMap<string, Resource>;

async function wantedEntry(context: Needs<'journal'>, typed: string | undefined): Promise<JournalEntry> {
  const journal = await context.journal();
  if (typed === undefined) {
    const last = await journal.last();
    if (last !== undefined) return last;
    throw new NotFoundError('There is nothing to undo.', { hint: 'See what you wrote: svc history' });
  }
  if (!/^\d{1,15}$/.test(typed)) throw new UsageError(`"${typed}" is no number of a write.`, { hint: 'See them: svc history' });
  const entry = await journal.entry(parseInteger(typed));
  if (entry === undefined) throw new NotFoundError(`There is no write ${typed}.`, { hint: 'See what you wrote: svc history' });
  return entry;
}

/** A record of a nested collection with a noun of its own is reached under that, and not below its parent. */
async function placed({ catalog }: Needs<'catalog'>, entry: JournalEntry): Promise<JournalEntry> {
  if (entry.noun === undefined || entry.collection !== undefined) return entry;
  const resource = await catalog.find(entry.noun);
  return resource === undefined || resource.parent !== undefined ? entry : { ...entry, collection: resource.path };
}

/** What a deleted record held, where nobody read it: what this account wrote to it from here, if it made it. */
async function withWhatWasWritten(journal: Journal, entry: JournalEntry): Promise<JournalEntry> {
  const { method, before, noun, number, recordId, path } = entry;
  if (method !== 'DELETE' || before !== undefined || recordId === undefined) return entry;
  const at = path.split('?', 1)[0];
  const writes = (await journal.history({ noun, outcome: 'done' })).filter((write) => write.number < number).reverse();
  const made = writes.findIndex((write) => write.method === 'POST' && write.recordId === recordId && !write.path.includes('/actions/'));
  if (made < 0) return entry;
  const changes = writes.slice(made + 1).filter((write) => write.method === 'PATCH' && write.path.split('?', 1)[0] === at);
  return { ...entry, before: Object.assign({}, ...[writes[made], ...changes].map((write) => write && writtenBody(write))) as JsonObject };
}

/**
 * Those that did something to a record and made none, by their numbers: a POST below a record that is no collection there, as a
 * description may have them. The id in its answer is that of any record, and to delete that would be wrong.
 */
async function operationsAmong({ catalog }: Needs<'catalog'>, entries: readonly JournalEntry[]): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const { collection, method, number, path } of entries) {
    // Whoever noted a collection knew that a record is made there: a file, by the address of a ticket.
    if (collection !== undefined) continue;
    const [, noun = '', , segment, ...more] = (path.split('?', 1)[0] ?? '').split('/');
    const resource = method === 'POST' && segment !== undefined ? await catalog.find(noun) : undefined;
    if (resource === undefined) continue;
    const isNested = more.length === 0 && resource.nested?.some(({ path: at }) => at.endsWith(`}/${segment}`)) === true;
    if (!isNested) found.add(number);
  }
  return found;
}

async function resourcesOf({ catalog }: Needs<'catalog'>, entries: readonly JournalEntry[]): Promise<Nouns> {
  const found = await Promise.all([...new Set(entries.map(({ noun }) => noun ?? ''))].map(catalog.find));
  return new Map(found.flatMap((resource) => (resource === undefined ? [] : [[resource.noun, resource] as const])));
}

async function undoOne(context: Needs<Printing | 'client'>, plan: UndoPlan, nouns: Nouns): Promise<void> {
  if (plan.kind === 'none') throw whyNot(plan, nouns);
  const record = await takeBack(context, plan);
  if ((await context.presentation()).isUnasked) return sayTakenBack(context, plan.entry);
  await printRecord(context, record);
  await context.notice(`Undone: ${entrySummary(plan.entry)} (entry ${plan.entry.number}).`);
}

/** For a person, in the words that were typed. */
async function sayTakenBack(context: Needs<'stdio'>, entry: JournalEntry, count = 1): Promise<void> {
  const writes = count === 1 ? '' : `, ${count} writes`;
  await printLine(context, `Undone: ${typedLineOf(entry)} (entry ${entry.number}${writes}).`);
}

async function undoEach(
  context: Needs<Printing | 'client' | 'settleWrites' | 'signal'>,
  plans: readonly UndoPlan[],
  nouns: Nouns,
): Promise<void> {
  const failures: string[] = [];
  let done = 0;
  const attempt = async (plan: UndoPlan): Promise<JsonObject> => {
    const { number, path } = plan.entry;
    try {
      if (plan.kind === 'none') throw whyNot(plan, nouns, entrySummary);
      await takeBack(context, plan);
      done += 1;
      return { number, path, undone: true, error: null };
    } catch (error) {
      // What would befall every other one too ends it.
      if (!(error instanceof SvcError) || context.signal.aborted || !isAboutOne(error)) throw error;
      return { number, path, undone: false, error: error.message };
    }
  };
  async function* rows(): AsyncGenerator<JsonObject> {
    for (const run of independentRuns(plans, dependenceOf)) {
      for await (const row of inOrder(run, () => (done > 0 ? AT_ONCE : 1), attempt)) {
        if (row['undone'] === false) failures.push(`entry ${row['number']}: ${row['error']}`);
        yield row;
        await context.settleWrites();
      }
    }
  }
  const [last] = plans;
  if (last !== undefined && (await context.presentation()).isUnasked) {
    await Array.fromAsync(rows());
    if (failures.length === 0) return sayTakenBack(context, last.entry, done);
  } else await printRows(context, rows());
  if (failures.length === 0) return;
  throw new PartialError(`${failures.length} of ${plans.length} writes could not be undone.`, {
    hint: 'The others were undone. Run the same command again to try these again.',
    details: { lines: failures.slice(0, 50) },
  });
}

/** Records of one kind do not build on one another; what another kind is made of may be among what was written before. */
function dependenceOf({ entry, ...plan }: UndoPlan): Dependence {
  return { kind: entry.noun, record: plan.kind === 'none' ? `entry ${entry.number}` : recordOf(plan.path) };
}

/** The record that a path is about, without the action on it. */
function recordOf(path: string): string {
  return path.replace(/\/actions\/.*$/, '');
}

function isAboutOne(error: SvcError): boolean {
  return ['ConflictError', 'NotFoundError', 'RefusedError', 'SvcError'].includes(error.name);
}

async function confirmMany(context: Needs<Asking | 'globals'>, count: number): Promise<void> {
  if (context.globals.yes) return;
  if (!context.interactive)
    throw new UsageError(`That command made ${count} writes, and svc undo would undo all of them.`, {
      hint: 'If you are sure, add --yes.',
    });
  if (!(await context.prompts.confirm(`Undo all ${count} writes of that command?`, context.signal)))
    throw new DeclinedError('Nothing was undone.', { hint: 'You said no.' });
}

/** @param say What the write was: what somebody typed, or of many that one command made, what was sent. */
function whyNot({ entry, reason, fields = [], again }: NoUndo, nouns: Nouns, say: (entry: JournalEntry) => string = typedLineOf): SvcError {
  const what = `Entry ${entry.number} (${say(entry)})`;
  switch (reason) {
    case 'deleted': {
      const resource = nouns.get(entry.noun ?? '');
      const words = resource === undefined ? again?.slice(0, 2) : commandWords(resource, 'create').split(' ');
      return new SvcError(`${what} deleted a record, and a delete cannot be undone.`, {
        hint:
          again === undefined
            ? 'svc did not read the record before the delete, so it cannot create it again.'
            : 'The record can be created again, with another id.',
        details: { resume: again === undefined ? undefined : shellCommand([...(words ?? []), ...again.slice(2)]) },
      });
    }
    case 'action':
      return new SvcError(`${what} is an action that svc cannot undo.`, { hint: 'See what other commands there are: svc commands' });
    case 'not-seen':
      return new SvcError(`svc did not read the old values before ${what}${fields.length === 0 ? '' : `: ${fields.join(', ')}`}.`, {
        hint: 'Next time, add --if-unchanged: it reads the record first.',
      });
    case 'not-done':
      return new SvcError(`${what} was not done, or is unconfirmed: ${entry.outcome}.`, {
        hint: entry.outcome === 'unknown' ? `Resolve it first: svc outbox send ${entry.number}` : 'There is nothing to undo.',
      });
    case 'undone':
      return new SvcError(`${what} was undone already, by entry ${entry.undoneBy}.`, { hint: 'See: svc history' });
    case 'undo':
      return new SvcError(`${what} undid another write, and cannot be undone itself.`, { hint: 'Run the first command again.' });
  }
}
