import { defineCommand, defineGroup, type LoadedCommand, toggle } from '../cli/spec.ts';
import { unwrapRecord } from '../client/record.ts';
import { NotFoundError, RateLimitError, SvcError, UnavailableError, UsageError } from '../errors.ts';
import type { JournalEntry, UnconfirmedWrite } from '../journal/entry.ts';
import { resendRequest } from '../journal/journaled-client.ts';
import { writtenBody } from '../journal/written-values.ts';
import { dateTimeDisplay } from '../output/cell.ts';
import { sendEntry } from '../records/send-entry.ts';
import { describeWrite } from '../records/send-write.ts';
import type { Context, Needs } from '../session/context.ts';
import { type Printing, printLine, printOneOrMany, printRecords, printRows } from '../session/print.ts';
import { overtakenBy } from '../session/unconfirmed-write.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { parseInteger } from '../values/scalars.ts';
import { utcSeconds } from '../values/temporal.ts';
import { were } from '../values/text.ts';
import { entryEffect, entrySummary } from './describe-entry.ts';
import { throwFailures } from './throw-failures.ts';

const list = defineCommand({
  name: 'list',
  summary: 'List writes that wait or are unconfirmed',
  description:
    'A write waits if you used --later, or if svc could not connect. A write is unconfirmed if svc sent the write and got no answer. To resolve the write, run svc outbox send, or repeat the command that made the write. svc sends no request to list the outbox.',
  examples: [{ args: 'outbox', does: 'List the outbox, oldest first' }],
  run: listOutbox,
});

async function listOutbox(context: Needs<Printing | 'journal'>): Promise<void> {
  const entries = await (await context.journal()).outbox();
  await printRecords(context, entries.map(rowOf), ['number', 'outcome', 'at', 'noun', 'what'], { at: 'date-time' });
  if (entries.length === 0 && context.stdio.stdout.isTTY) await context.notice('The outbox is empty.');
}

function rowOf({ entry, lapsed }: UnconfirmedWrite): JsonObject {
  const { number, outcome, at, noun, method, path, key, command } = entry;
  const body = writtenBody(entry);
  return {
    number,
    outcome,
    at: utcSeconds(at),
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
  summary: 'Send waiting writes, and resolve unconfirmed writes',
  description:
    'svc sends the oldest write first. Each POST has its own Idempotency-Key, so the service does not run the POST twice. Before the first write, svc warns about hours on a full day or a day off, and about equal entries. At a terminal svc asks whether to continue.\n\nIf the service refuses a write, svc names the write and continues. Without a connection svc changes nothing, and exits with 8. Before svc sends a write again after more than a day, svc looks for the result of the first attempt. The service does not document how long it stores an Idempotency-Key.',
  args: [{ name: 'n', summary: 'The numbers of single writes (default: all)', optional: true, variadic: true }],
  showsGlobals: ['host', 'output', 'dryRun'],
  options: { noCheck: toggle('--no-check', 'Send without a check for full days, days off and equal entries') },
  examples: [
    { args: 'outbox send', does: 'Send every write of the outbox' },
    { args: 'outbox send 12', does: 'Send only write 12' },
  ],
  async run(context: Context, { args, options }) {
    const entries = await wantedEntries(context, args);
    if (entries.length === 0) return context.notice('The outbox is empty.');
    if (context.globals.dryRun) return showEach(context, entries);
    if (!options.noCheck) await (await import('./time/check-days.ts')).checkWaiting(context, entries);
    const failures: { readonly entry: JournalEntry; readonly error: SvcError }[] = [];
    const forPerson = (await context.presentation()).isDefaultFormat;
    async function* records(): AsyncGenerator<JsonObject> {
      for (const unconfirmed of entries) {
        const { entry } = unconfirmed;
        try {
          if (await isOvertaken(context, unconfirmed)) continue;
          const record = unwrapRecord((await sendEntry(context, unconfirmed)).body());
          if (forPerson) await printSent(context, entry, record);
          else yield record ?? { number: entry.number, sent: true };
          // The generator continues here after svc has printed the record.
          await context.resolveWrites();
        } catch (error) {
          // The next writes would fail for the same reason.
          const isOfAll = error instanceof UnavailableError || error instanceof RateLimitError;
          if (!(error instanceof SvcError) || isOfAll || context.signal.aborted) throw error;
          failures.push({ entry, error });
        }
      }
    }
    if (forPerson) await Array.fromAsync(records());
    else await printRows(context, records());
    throwFailures(
      failures.map(({ error }) => error),
      entries.length - failures.length,
      `${failures.length} of ${entries.length} ${were(failures.length)} not sent.`,
      'To see the refused writes: svc history',
      failures.map(({ entry, error }) => `entry ${entry.number}: ${error.message}`),
    );
  },
});

async function printSent(context: Needs<Printing | 'catalog'>, entry: JournalEntry, record: JsonObject | undefined): Promise<void> {
  const id = record?.['id'];
  const sent = { ...entry, ...(id !== undefined && { recordId: scalarText(id) }) };
  await printLine(
    context,
    `Sent entry ${entry.number}: ${entryEffect(sent, await context.catalog.find(entry.noun ?? ''), dateTimeDisplay(await context.timeZone()))}`,
  );
}

async function showEach(context: Needs<Printing | 'catalog' | 'host'>, entries: readonly UnconfirmedWrite[]): Promise<void> {
  const shown = entries.map(async ({ entry }) => {
    const { method, path, idempotencyKey, ifMatch } = resendRequest(entry);
    const resource = await context.catalog.find(entry.noun ?? '');
    return describeWrite(context, resource, { method, path, body: writtenBody(entry), idempotencyKey, ifMatch });
  });
  await printOneOrMany(context, await Promise.all(shown), shown.length > 1);
}

/** Drops an unconfirmed change if a later write has the same fields. Sending the change now would undo the later write. */
async function isOvertaken(context: Needs<'journal' | 'notice'>, { entry }: UnconfirmedWrite): Promise<boolean> {
  if (entry.outcome !== 'unknown') return false;
  const later = await overtakenBy(context, entry);
  if (later === undefined) return false;
  await (await context.journal()).drop(entry.number);
  await context.notice(`svc dropped entry ${entry.number}, because the later entry ${later} writes the same fields.`);
  return true;
}

async function wantedEntries(context: Needs<'journal'>, args: readonly string[]): Promise<readonly UnconfirmedWrite[]> {
  const entries = await (await context.journal()).outbox();
  if (args.length === 0) return entries;
  return args.map((typed) => {
    const number = readNumber(typed);
    return entries.find(({ entry }) => entry.number === number) ?? notThere(number);
  });
}

const drop = defineCommand({
  name: 'drop',
  summary: 'Remove a write from the outbox',
  description: 'svc never sends this write again. The service may still have run an unconfirmed write.',
  args: [{ name: 'n', summary: 'The number in svc outbox' }],
  examples: [{ args: 'outbox drop 12', does: 'Remove write 12' }],
  async run(context: Needs<'journal' | 'notice'>, { args: [typed = ''] }) {
    const number = readNumber(typed);
    if (!(await (await context.journal()).drop(number))) notThere(number);
    await context.notice(`svc dropped entry ${number}.`);
  },
});

function readNumber(typed: string): number {
  if (!/^\d{1,15}$/.test(typed)) throw new UsageError(`"${typed}" is not the number of an entry.`, { hint: 'See the numbers: svc outbox' });
  return parseInteger(typed);
}

function notThere(number: number): never {
  throw new NotFoundError(`There is no entry ${number} in the outbox.`, { hint: 'See the outbox: svc outbox' });
}

export const outbox: LoadedCommand<Context> = {
  ...defineGroup<Context>({
    examples: [
      { args: 'outbox', does: 'List the outbox' },
      { args: 'outbox send', does: 'Send and resolve all writes' },
    ],
    commands: [list, send, drop],
  }),
  run: listOutbox,
};
