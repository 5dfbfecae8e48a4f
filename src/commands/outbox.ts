import { type CommandSpec, commandEntry, defineCommand, defineGroup, toggle } from '../cli/spec.ts';
import { exitCodeOf, NotFoundError, PartialError, SvcError, UnavailableError, UsageError } from '../errors.ts';
import { writtenBody } from '../journal/body-of.ts';
import type { JournalEntry, Unsettled } from '../journal/entry.ts';
import { sendEntry } from '../records/send-entry.ts';
import type { Asking, Context, Needs } from '../session/context.ts';
import { overtakenBy } from '../session/lost-change.ts';
import type { Printing } from '../session/print.ts';
import { printRecords, printRows } from '../session/print.ts';
import { were } from '../values/counted.ts';
import { parseInteger } from '../values/integer.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import { entrySummary, serviceMoment } from './entry-fields.ts';

const GROUP = 'Commands';

const list = defineCommand({
  name: 'list',
  summary: 'What waits, and what nobody saw the end of',
  description:
    'Entries that wait were kept by --later, or because no connection could be made. Entries that are unknown were sent, and their answer was lost: svc outbox send settles them, and so does the command that made them, typed again. Needs no connection.',
  examples: [{ args: 'outbox', does: 'Oldest first' }],
  run: listOutbox,
});

async function listOutbox(context: Needs<Printing | 'journal'>): Promise<void> {
  const entries = await (await context.journal()).outbox();
  await printRecords(context, entries.map(rowOf), ['number', 'outcome', 'at', 'noun', 'what'], { at: 'date-time' });
  if (entries.length === 0 && context.stdio.stdout.isTTY) await context.notice('Nothing waits.');
}

function rowOf({ entry, lapsed }: Unsettled): JsonObject {
  const { number, outcome, at, noun, method, path, key, command } = entry;
  const body = writtenBody(entry);
  return {
    number,
    outcome,
    at: serviceMoment(at),
    noun: noun ?? null,
    what: entrySummary(entry),
    method,
    path,
    ...(body !== undefined && { body }),
    idempotency_key: method === 'POST' ? key : null,
    lapsed,
    command: [...command],
  };
}

const send = defineCommand({
  name: 'send',
  summary: 'Send what waits, and settle what is unknown',
  description:
    'Warns first of hours that wait for a day that is full, a holiday, an absence, or that has the same already; at a terminal it asks. Sends each entry under its own key, oldest first, so that what was done already is not done twice. What the service refuses is named, and the rest goes on; without a connection everything stays as it is, and svc exits with 8. An entry that was sent more than a day ago is looked for first, since nobody says how long a key is remembered.',
  args: [{ name: 'n', summary: 'The numbers of single entries; all if not given', optional: true, variadic: true }],
  options: { noCheck: toggle('--no-check', 'Do not look whether a day is full, free, or has the same already') },
  examples: [
    { args: 'outbox send', does: 'Everything that waits' },
    { args: 'outbox send 12', does: 'Only entry 12' },
  ],
  async run(context: Needs<Printing | Asking | 'account' | 'client' | 'clock' | 'dates' | 'journal' | 'settleWrites'>, { args, options }) {
    const entries = await wantedEntries(context, args);
    if (entries.length === 0) return context.notice('Nothing waits.');
    if (!options.noCheck) await (await import('./time/check-waiting.ts')).checkWaiting(context, entries);
    const failures: { readonly entry: JournalEntry; readonly error: SvcError }[] = [];
    async function* records(): AsyncGenerator<JsonObject> {
      for (const unsettled of entries) {
        try {
          if (await isOvertaken(context, unsettled)) continue;
          const body = (await sendEntry(context, unsettled)).body();
          yield isJsonObject(body) ? recordIn(body) : { number: unsettled.entry.number, sent: true };
          // The generator goes on once this one is written.
          await context.settleWrites();
        } catch (error) {
          if (!(error instanceof SvcError) || error instanceof UnavailableError || context.signal.aborted) throw error;
          failures.push({ entry: unsettled.entry, error });
        }
      }
    }
    await printRows(context, records());
    const [first] = failures;
    if (first === undefined) return;
    if (entries.length === 1) throw first.error;
    const lines = failures.map(({ entry, error }) => `entry ${entry.number}: ${error.message}`);
    const isOneReason = failures.length === entries.length && failures.every(({ error }) => exitCodeOf(error) === exitCodeOf(first.error));
    if (isOneReason) throw first.error;
    throw new PartialError(`${failures.length} of ${entries.length} ${were(failures.length)} not sent.`, {
      hint: 'What was refused is in: svc history',
      details: { lines },
    });
  },
});

/** Gives up a change that a later one takes the place of: sent now, it would undo what was meant last. */
async function isOvertaken(context: Needs<'journal' | 'notice'>, { entry }: Unsettled): Promise<boolean> {
  if (entry.outcome !== 'unknown') return false;
  const later = await overtakenBy(context, entry);
  if (later === undefined) return false;
  await (await context.journal()).drop(entry.number);
  await context.notice(`Entry ${entry.number} is given up: entry ${later} writes the same fields after it.`);
  return true;
}

async function wantedEntries(context: Needs<'journal'>, args: readonly string[]): Promise<readonly Unsettled[]> {
  const entries = await (await context.journal()).outbox();
  if (args.length === 0) return entries;
  return args.map((typed) => {
    const number = readNumber(typed);
    const found = entries.find(({ entry }) => entry.number === number);
    if (found === undefined) throw notThere(number);
    return found;
  });
}

/** Bare, or under `data`. */
function recordIn(body: JsonObject): JsonObject {
  const { data } = body;
  return isJsonObject(data) && !Object.hasOwn(body, 'id') ? data : body;
}

const drop = defineCommand({
  name: 'drop',
  summary: 'Give an entry up',
  description: 'It is never sent from here any more. One whose outcome is unknown may have been done all the same.',
  args: [{ name: 'n', summary: 'Its number in svc outbox' }],
  examples: [{ args: 'outbox drop 12', does: 'Entry 12 is not wanted any more' }],
  async run(context: Needs<'journal' | 'notice'>, { args: [typed = ''] }) {
    const number = readNumber(typed);
    if (!(await (await context.journal()).drop(number))) throw notThere(number);
    await context.notice(`Entry ${number} is given up.`);
  },
});

function readNumber(typed: string): number {
  if (!/^\d{1,15}$/.test(typed)) throw new UsageError(`"${typed}" is no number of an entry.`, { hint: 'See them: svc outbox' });
  return parseInteger(typed);
}

function notThere(number: number): NotFoundError {
  return new NotFoundError(`There is no entry ${number} in the outbox.`, { hint: 'See what is in it: svc outbox' });
}

/** `svc outbox [list|send|drop <n>]`: writes that wait, or whose outcome nobody knows. Alone it lists them. */
export const outbox: CommandSpec<Context> = {
  ...defineGroup<Context>({
    name: 'outbox',
    summary: 'Writes that wait, or whose outcome nobody knows; alone it lists them',
    examples: [
      { args: 'outbox', does: 'What waits, and what is unknown' },
      { args: 'outbox send', does: 'Send and settle all of it' },
    ],
    commands: [commandEntry(list, GROUP), commandEntry(send, GROUP), commandEntry(drop, GROUP)],
  }),
  run: listOutbox,
};
