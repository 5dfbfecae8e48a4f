import { naming } from '../../cli/naming.ts';
import { defineCommand, parsed, recordFlag, text, toggle } from '../../cli/spec.ts';
import { spelled } from '../../cli/tool-aliases.ts';
import { DeclinedError, ForbiddenError, UsageError } from '../../errors.ts';
import { readFields } from '../../records/body.ts';
import { BODY_OPTIONS } from '../../records/body-flags.ts';
import { type DraftState, INVOICES, matchRows, readDraftState, rowWrite } from '../../records/draft-invoice.ts';
import { readReference, readReferenceFlag } from '../../records/kinds.ts';
import { readBilledProjects, readBudgetRates, unlessWithheld } from '../../records/projects.ts';
import { recordAt } from '../../records/record-at.ts';
import { describeWrite } from '../../records/send-write.ts';
import type { Context, Needs } from '../../session/context.ts';
import { printOneOrMany } from '../../session/print.ts';
import { inZone } from '../../session/time-zone.ts';
import { DRAFT_GROUPS, type DraftGroup, draftRows } from '../../time/draft-rows.ts';
import { parseCalendarDate } from '../../values/dates.ts';
import { stepOf } from '../../values/duration.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { parseRate } from '../../values/money.ts';
import { parsePercentage } from '../../values/scalars.ts';
import { together } from '../../values/together.ts';
import { readDraftEntries } from './draft-entries.ts';
import { type Draft, leftOutLines, ROW_VIEW, reportDraft, reportSentDraft, rowBody, rowRecord } from './draft-output.ts';
import { DAYS_ARG, DAYS_OPTIONS, readBilledDays } from './read-hours.ts';
import { sendDraft } from './send-draft.ts';

export const draft = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun', 'yes'],
  description:
    'svc shows the invoice and its rows, and creates the invoice and the rows after you confirm. The rows bill hours that are billable, within the budget, and on no invoice. svc rounds the time of each row to the nearest step, and half a step up. svc does not round single entries. A quantity is in hours. If two decimals cannot express the hours (20 minutes), the row has quantity 1 and the full price. The texts of the entries are not on the invoice.\n\nsvc marks no hours as billed; the service decides which hours count as billed. Running the same command again resumes where svc stopped, and makes no second invoice. --again makes another invoice.',
  args: [DAYS_ARG],
  options: {
    ...DAYS_OPTIONS,
    to: text('--to <date>', 'Bill hours until this day', { type: 'date' }),
    customer: recordFlag('--customer', 'Bill this customer (required)', 'customers'),
    project: recordFlag(spelled('project'), 'Bill only hours on this project', 'projects'),
    group: text('--group <what>', 'Make a row for each of these (default: work-item)', { choices: DRAFT_GROUPS }),
    round: parsed('--round <duration>', 'Round each row to this step: 15m', stepOf('--round'), { type: 'duration' }),
    rate: parsed('--rate <amount>', 'Use this price of an hour (default: the prices of budgets and projects)', parseRate, {
      type: 'money',
    }),
    vat: parsed('--vat <0-100>', 'Set the VAT in percent (default: the service decides)', parsePercentage, { type: 'percentage' }),
    overBudget: toggle('--over-budget', 'Bill hours over the budget too'),
    date: text('--date <date>', 'Set the date of the invoice (default: svc sends no date)', { type: 'date' }),
    field: BODY_OPTIONS.field,
    rawField: BODY_OPTIONS.rawField,
  },
  examples: [
    {
      args: 'billing draft --customer "Bakkerij Jansen & Zonen" last month --round 15m',
      does: 'Show the invoice, and create it after you confirm',
    },
    { args: 'billing draft --customer 5 2026-10 --rate 95 --vat 21 --dry-run', does: 'Print every request, and send nothing' },
    { args: 'billing draft --customer 5 --to 2026-10-31 --group person --yes', does: 'Create the invoice without a question' },
  ],
  async run(context: Context, { args, options }) {
    const { customer: whose, project: which, date, vat: vatRate } = options;
    const group = (options.group ?? 'work-item') as DraftGroup;
    if (whose === undefined) throw new UsageError('The draft needs a customer.', { hint: 'Add --customer with a name or an id.' });
    if (args.length === 0 && options.to === undefined)
      throw new UsageError('The draft needs the last day of the hours.', { hint: 'Add "last month", 2026-10, or --to 2026-10-31' });
    if (context.plan !== undefined)
      throw new UsageError('svc cannot plan a draft: its rows need the id of the invoice.', {
        hint: 'See every request with --dry-run.',
      });
    const [days, customer, project, invoiceDate, fields] = await together(
      readBilledDays(context, { ...options, words: args }),
      naming('--customer', () => readReference(context, 'customers', whose)),
      readReferenceFlag(context, '--project', 'projects', which),
      date === undefined ? undefined : naming('--date', () => inZone(context, (dates) => parseCalendarDate(date, dates))),
      readFields(context, options.rawField, options.field),
    );
    const body = { customer_id: customer, ...(invoiceDate !== undefined && { invoice_date: invoiceDate }), ...fields };
    const plan = { body, of: [String(customer), days.first, days.last, String(project ?? '')] };
    const given = options.rate;
    const [draftState, customerName, projects, budgets] = await together(
      readDraftState(context, plan),
      nameOf(context, customer),
      readBilledProjects(context, customer),
      given === undefined ? unlessWithheld(context, readBudgetRates(context), 'svc does not know the rates of budgets') : undefined,
    );
    if (project !== undefined && !projects.has(project))
      throw new UsageError(`Project ${project} is not billed to customer ${customer}.`, {
        hint: `See: svc projects list --customer ${customer}`,
      });

    const { invoice } = draftState;
    const { entries, leftOut } = await readDraftEntries(context, {
      first: days.first,
      last: days.last,
      project,
      projects,
      rates: { given, budgets },
      group,
      overBudget: options.overBudget === true,
      // Entries on a row of this invoice count as not billed yet, so the draft includes these entries.
      own: invoice && { invoice: invoice.id, rows: new Set(invoice.rows.flatMap(({ id }) => id ?? [])) },
    });
    const all = draftRows(entries, { group, round: options.round, vatRate });
    for (const line of leftOutLines(leftOut, all)) await context.notice(line);
    const rows = all.filter(({ minutes }) => minutes !== 0);
    const draft: Draft = { customer, customerName, group, vatRate, days, round: options.round };
    const show = (id?: number, made: readonly (JsonObject | undefined)[] = []) =>
      printOneOrMany(
        context,
        rows.map((row, index) => rowRecord(row, draft, id, made[index])),
        true,
        ROW_VIEW,
      );
    if (rows.length === 0) {
      await context.notice(`${customerName ?? `Customer ${customer}`} has nothing to bill from ${days.first} to ${days.last}.`);
      return show();
    }
    await reportDraft(context, rows, draft);
    const bodies = rows.map((row) => rowBody(row, vatRate));
    const there = await reportExisting(context, draftState, bodies);
    const id = invoice?.id;
    const missing = bodies.filter((_, index) => there[index] === undefined);
    if (missing.length === 0) return show(id, there);
    if (id === undefined) await reportAssumed(context, body);
    if (context.globals.dryRun) return printOneOrMany(context, await requestsOf(context, body, missing, id), true);
    if (context.globals.yes !== true) {
      await show(id, there);
      const what = id === undefined ? 'the invoice' : `the missing rows of invoice ${id}`;
      if (!context.interactive) return context.notice(`svc sent nothing. To create ${what}, run the same command with --yes.`);
      if (!(await context.prompts.confirm(`Create ${what}?`, context.signal)))
        throw new DeclinedError('svc sent nothing.', { hint: 'To change the rows: --group, --round, --rate, --project' });
    }
    const sent = await sendDraft(context, plan, bodies, draftState);
    if (context.globals.yes === true) await show(sent.id, sent.rows);
    await reportSentDraft(context, sent, rows, draft);
  },
});

async function reportExisting(
  context: Needs<'host' | 'journal' | 'notice'>,
  { invoice }: DraftState,
  bodies: readonly JsonObject[],
): Promise<readonly (JsonObject | undefined)[]> {
  if (invoice === undefined) return bodies.map(() => undefined);
  const there = await matchRows(context, invoice, bodies);
  const missing = there.filter((row) => row === undefined).length;
  const lacks = missing === 0 ? 'has all of these rows' : `lacks ${missing} of these ${bodies.length} rows`;
  await context.notice(`svc created invoice ${invoice.id} for these days earlier. The invoice ${lacks}.`);
  return there;
}

/** Returns the name of the customer. Undefined if the service does not show the name. @throws NotFoundError for an unknown customer. */
async function nameOf(context: Needs<'client' | 'notice'>, customer: number): Promise<string | undefined> {
  try {
    const { record } = await recordAt(context, `/customers/${customer}`);
    return scalarText(record['name']) || undefined;
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    await context.notice(`The customer’s name is not known: ${error.message}`);
    return undefined;
  }
}

/** Prints a notice of the undocumented fields of the invoice, because the service can refuse these fields. */
async function reportAssumed(context: Needs<'catalog' | 'notice'>, body: JsonObject): Promise<void> {
  const fields = (await context.catalog.find('sales-invoices'))?.fields ?? {};
  const assumed = Object.keys(body).filter((name) => fields[name]?.assumed !== undefined || fields[name] === undefined);
  if (assumed.length > 0)
    await context.notice(`The documentation of the service does not show these fields of an invoice: ${assumed.join(', ')}.`);
}

async function requestsOf(
  context: Needs<'host'>,
  body: JsonObject,
  rows: readonly JsonObject[],
  invoice: number | undefined,
): Promise<readonly JsonObject[]> {
  const writes = rows.map((row) => rowWrite(invoice ?? '<id of the invoice>', row));
  const all = invoice === undefined ? [{ method: 'POST', path: INVOICES, body } as const, ...writes] : writes;
  const requests = await Promise.all(all.map((write) => describeWrite(context, { ability: 'sales_invoices' }, write)));
  // The address can have a placeholder instead of an id. A decoded placeholder is easier to read, and a dry run never sends the address.
  return requests.map((request) => ({ ...request, url: decodeURIComponent(scalarText(request['url'])) }));
}
