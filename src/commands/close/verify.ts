import { SvcError, UsageError, undefinedFor } from '../../errors.ts';
import { type Seal, sealReport } from '../../output/seal-report.ts';
import { rateFor, readBilledProjects, readBudgetRates, unlessWithheld } from '../../records/projects.ts';
import type { Needs } from '../../session/context.ts';
import { readBillingEntry } from '../../time/billing.ts';
import type { DateRange } from '../../time/date-range.ts';
import { readEntry } from '../../time/entry.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
import { formatDuration } from '../../values/duration.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownEntry, scalarText } from '../../values/json.ts';
import { divideRounded, formatAmount } from '../../values/money.ts';
import { together } from '../../values/together.ts';
import { printReport, type Reporting } from '../print-report.ts';
import { compareMonth, type MonthComparison, type SealDifference } from './compare.ts';
import { readSeal, sealedRecords, sealPath } from './seal.ts';
import { checkSignature, type Signing } from './signature.ts';

export type Verifying = Reporting | Signing | 'account' | 'accountDatabase' | 'client' | 'isOffline' | 'paths' | 'timeZone';

interface VerifyOptions extends Record<'allowedSigners' | 'html', string | undefined> {
  readonly month: string;
  readonly range: DateRange;
  readonly team: boolean;
  /** The id of the signed-in user. */
  readonly own: number;
}

/**
 * Checks the seal and its signature, reads the month again, and prints each difference.
 *
 * @throws SvcError (exit 1) after a difference, for a changed seal, a wrong signature, and an outdated local database.
 * @throws UsageError for a seal of another month or host.
 */
export async function verifySeal(context: Needs<Verifying>, file: string, options: VerifyOptions): Promise<void> {
  const { month, range, team, own, allowedSigners, html } = options;
  const { seal, path, text } = await readSeal(context, file);
  const { name: host } = await context.host();
  if (seal.host !== host || seal.month !== month || (team && !seal.team))
    throw new UsageError(`The seal is of ${seal.month} at ${seal.host}${seal.team ? '' : `, for user ${seal.account} alone`}.`, {
      hint: 'Name this month and host.',
    });
  if (!seal.signed && allowedSigners !== undefined) throw new SvcError('Nobody signed the seal.', { hint: 'Leave out --allowed-signers.' });
  const signature = seal.signed ? await checkSignature(context, path, text, allowedSigners) : UNSIGNED;
  await context.notice(signature);
  const at = (await context.isOffline()) ? (await context.accountDatabase()).completeAt('worklogs') : undefined;
  if (at !== undefined && at < seal.read_at)
    throw new SvcError(`The worklogs in the database were complete at ${at}, before the seal of ${seal.read_at}.`, {
      hint: 'To update the local database: svc sync worklogs',
    });
  // A copy of the seal has no file with records, but your own seal has this file.
  const stored = await sealedRecords(context, [path, await sealPath(context, own, month, seal.team)]);
  const compared = await compareMonth(context, seal, { range, own, stored });
  const { differences, present } = compared;
  const news = [...new Set(present.flatMap((record) => Object.keys(record)))].filter(
    (name) => name !== 'links' && !seal.fields.includes(name),
  );
  if (news.length > 0 && seal.entries.length > 0)
    await context.notice(`The seal does not cover these fields, which are new: ${news.join(', ')}.`);
  const priceOf = differences.length === 0 ? () => 0n : await pricing(context);
  const worths = differences.map(({ before, after, kind }) => {
    const [old, now] = [kind === 'added' ? 0n : before && priceOf(before, compared), after ? priceOf(after, compared) : 0n];
    return old === undefined || now === undefined ? undefined : now - old;
  });
  const rows = differences.map((difference, index) => rowOf(difference, compared, worths[index], seal));
  const effect = differences.length === 0 ? [] : effectOf(seal, compared, worths);
  await printReport(context, {
    records: () => rows,
    view: {
      columns: ['kind', 'id', 'user', 'date', 'minutes_before', 'minutes_after', 'amount', 'at', 'message'].map((path) => ({ path })),
    },
    report: () => sealReport(seal, signature, { rows, effect }),
    html,
  });
  if (differences.length === 0) return;
  if ((await context.presentation()).reader === 'program') for (const line of effect) await context.notice(line);
  const counts = ['added', 'changed', 'deleted'].map((kind) => `${rows.filter((row) => row.kind === kind).length} ${kind}`);
  throw new SvcError(`The month differs from its seal of ${seal.read_at}: ${counts.join(', ')}.`, {
    hint: 'To seal the month as it is now: --replace without --verify.',
  });
}

const UNSIGNED = 'The seal has no signature, so svc detects changes by mistake, but no forgery.';

/**
 * Returns a function that prices a record of the month, in minutes times cents per hour. The price is undefined if the rate or the billing
 * state is unknown. The function also prices billed entries.
 */
async function pricing(context: Needs<Verifying>): Promise<(record: JsonObject, { minutesOf }: MonthComparison) => bigint | undefined> {
  // The local database may lack projects or budgets.
  const read = <T>(reading: Promise<T>) => unlessWithheld(context, reading, 'svc does not know the rates').catch(undefinedFor(UsageError));
  const [projects, budgets] = await together(read(readBilledProjects(context)), read(readBudgetRates(context)));
  return (record, { minutesOf }) => {
    const entry = readBillingEntry(record);
    if (entry.state === 'not-billable' || entry.state === 'over-budget' || minutesOf(record) === 0) return 0n;
    const rate = entry.state === 'unknown' ? undefined : rateFor(entry, { given: undefined, projects, budgets });
    return rate === undefined ? undefined : BigInt(entry.minutes) * rate;
  };
}

const VERBS = { added: 'created', changed: 'updated', deleted: 'deleted' } as const;

function rowOf(
  { kind, id, before, after, shown }: SealDifference,
  { minutesOf, names }: MonthComparison,
  worth: bigint | undefined,
  seal: Seal,
) {
  const record = after ?? before;
  const entry = record && readEntry(record);
  const fields = before && after && changedFields(before, after, seal.fields);
  // The documentation shows no field that names who changed a record, so svc tries the usual names.
  const [at, by] = ['at', 'by'].map((what) => plain(shown?.[`${VERBS[kind]}_${what}_id`] ?? shown?.[`${VERBS[kind]}_${what}`]));
  return {
    kind,
    id,
    user_id: entry?.userId ?? null,
    user: names.get(entry?.userId ?? 0) ?? null,
    date: entry?.date ?? null,
    minutes_before: kind === 'added' ? 0 : before ? minutesOf(before) : null,
    minutes_after: after ? minutesOf(after) : 0,
    amount: worth === undefined ? null : formatAmount(divideRounded(worth, 60n)),
    fields: fields ?? null,
    at: at ?? null,
    by: by ?? null,
    message: messageOf(kind, fields, entry?.minutes),
  };
}

function plain(value: JsonValue | undefined): JsonValue {
  if (isJsonObject(value)) return plain(value['name'] ?? value['id']);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

type ChangedFields = readonly { readonly field: string; readonly before?: JsonValue; readonly after?: JsonValue }[];

/** Returns the sealed fields that differ. If a record lacks the field, `before` or `after` is missing. */
function changedFields(before: JsonObject, after: JsonObject, sealed: readonly string[]): ChangedFields {
  return sealed.flatMap((field) => {
    const [old, now] = [ownEntry(before, field), ownEntry(after, field)];
    if (old === now || (old !== undefined && now !== undefined && canonicalJson(old) === canonicalJson(now))) return [];
    return [{ field, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) }];
  });
}

function messageOf(kind: SealDifference['kind'], fields: ChangedFields | undefined, minutes: number | undefined): string {
  const duration = minutes === undefined ? '' : `, ${formatDuration(minutes)}`;
  if (kind !== 'changed') return `${kind === 'added' ? 'added' : 'deleted, or no longer visible'}${duration}`;
  if (fields === undefined) return 'changed; svc does not have the sealed record, so the fields are unknown';
  const shown = (value: JsonValue | undefined) => (value === undefined ? 'not shown' : scalarText(value) || 'none');
  // The time of the change has a column of its own.
  const others = fields.filter(({ field }) => field !== 'updated_at' || fields.length === 1);
  return others.map(({ field, before, after }) => `${field}: ${shown(before)} → ${shown(after)}`).join('; ');
}

function effectOf(
  { minutes: sealed }: Seal,
  { present, minutesOf }: MonthComparison,
  worths: readonly (bigint | undefined)[],
): readonly string[] {
  const minutes = present.reduce((sum, record) => sum + minutesOf(record), 0);
  const worth = worths.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0n);
  const change = `${minutes < sealed ? '−' : '+'}${formatDuration(Math.abs(minutes - sealed))}`;
  return [
    `Hours: ${formatDuration(sealed)} sealed, ${formatDuration(minutes)} now (${change}).`,
    `Change of the billable amount, at the present rates: ${worth === undefined ? 'unknown' : formatAmount(divideRounded(worth, 60n))}.`,
  ];
}
