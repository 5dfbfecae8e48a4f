import { formatDuration } from '../../values/duration.ts';
import { type JsonObject, type JsonValue, scalarText } from '../../values/json.ts';
import { counted, quote } from '../../values/text.ts';
import { aboutWorklogs, type CheckedEntry, isBilled } from './checked-entry.ts';
import { type Finding, type Judgement, notJudgedIf, onlyNotJudged } from './finding.ts';

export const BILLED_WITHIN_DAYS = 45;

/**
 * Finds billable hours before the day `limit` (`YYYY-MM-DD`) without an invoice. The service does not document whether an invoice marks its
 * hours (rule 18.33). svc therefore reports such hours only if at least one entry has a mark.
 */
export function checkBilled(entries: readonly CheckedEntry[], limit: string): Judgement {
  const old = entries.filter(({ date, billable, minutes }) => date < limit && billable !== false && minutes > 0);
  const left = old.filter((entry) => !isBilled(entry));
  const hidden = left.some(({ billable, rowId, invoiceId }) => billable === undefined || rowId === undefined || invoiceId === undefined);
  if (hidden) return onlyNotJudged('not-billed', 'The service does not show which entries are billable, and which are billed');
  if (left.length === 0) return { findings: [], notJudged: [] };
  if (!entries.some(isBilled))
    return onlyNotJudged(
      'not-billed',
      'No entry of these days names an invoice, so svc does not know whether the service marks billed hours',
    );
  const groups = Map.groupBy(left, ({ userId, projectId }) => `${userId} ${projectId}`);
  return {
    findings: [...groups.values()].map((own) => {
      const [{ userId, projectId }] = own as [CheckedEntry];
      return {
        kind: 'not-billed',
        ...aboutWorklogs(userId, own),
        ...(typeof projectId === 'number' && { projectId }),
        message: `${counted(own.length, 'billable entry', 'billable entries')} of more than ${BILLED_WITHIN_DAYS} days ago on no invoice`,
      };
    }),
    notJudged: [],
  };
}

/**
 * Compares invoice rows with their hours. Leaves out rows with a null `billable_minutes`, because such rows bill no time. @param sums
 * minutes by row id, of all people and days.
 */
export function checkInvoiceRows(rows: readonly JsonObject[], sums: ReadonlyMap<number, number>): Judgement {
  const hidden: number[] = [];
  const findings = rows.flatMap((row): Finding[] => {
    const { id, billable_minutes: billable, name } = row;
    if (typeof id !== 'number' || billable === null) return [];
    const sum = sums.get(id);
    if (typeof billable !== 'number' || sum === undefined) hidden.push(id);
    else if (billable !== sum) {
      const message = `${labelOf('Row', id, name)} bills ${formatDuration(billable)}, its entries have ${formatDuration(sum)}`;
      const minutes = billable - sum;
      return [{ kind: 'row-differs', userId: null, date: null, minutes, noun: 'sales-invoice-rows', ids: [id], message }];
    }
    return [];
  });
  const message = `The service does not show the minutes of ${counted(hidden.length, 'row')} of invoices`;
  return { findings, notJudged: notJudgedIf(hidden.length > 0, ['row-differs'], message) };
}

/** Returns the name of a record. Without a name, returns the id. */
function labelOf(what: string, id: number, name: JsonValue | undefined): string {
  return scalarText(name) === '' ? `${what} ${id}` : `${what} ${quote(scalarText(name))}`;
}

export function checkBudgets(entries: readonly CheckedEntry[], budgets: readonly JsonObject[]): Judgement {
  const known = new Map(budgets.map((budget) => [budget['id'], budget]));
  const groups = Map.groupBy(
    entries.filter(({ budgetId, exceededBudget }) => typeof budgetId === 'number' || exceededBudget === true),
    ({ budgetId, userId }) => (typeof budgetId === 'number' ? `${budgetId}` : `of ${userId}`),
  );
  const findings: Finding[] = [];
  const hidden: number[] = [];
  for (const group of groups.values()) {
    const [{ budgetId, userId }] = group as [CheckedEntry];
    const exceeding = group.filter(({ exceededBudget }) => exceededBudget === true);
    const saying = exceeding.length === 0 ? '' : `${counted(exceeding.length, 'entry', 'entries')} over budget`;
    if (typeof budgetId !== 'number') {
      findings.push({ kind: 'over-budget', ...aboutWorklogs(userId, exceeding), message: saying });
      continue;
    }
    const { budget, logged_minutes: logged, name } = known.get(budgetId) ?? {};
    const isKnown = budget === null || (typeof budget === 'number' && typeof logged === 'number');
    const over = typeof budget === 'number' && typeof logged === 'number' ? logged - budget : 0;
    if (over > 0 || exceeding.length > 0) {
      const figures = over > 0 ? `${formatDuration(Number(logged))} logged of ${formatDuration(Number(budget))}` : saying;
      const message = `${labelOf('Budget', budgetId, name)}: ${figures}`;
      const minutes = over > 0 ? over : null;
      findings.push({ kind: 'over-budget', userId: null, date: null, minutes, noun: 'budgets', ids: [budgetId], message });
    } else if (!isKnown) hidden.push(budgetId);
  }
  const figures = `The service does not show the figures of ${counted(hidden.length, 'budget')}`;
  const hidesBudgets = entries.some(({ budgetId }) => budgetId === undefined);
  const notJudged = [
    ...notJudgedIf(hidden.length > 0, ['over-budget'], figures),
    ...notJudgedIf(hidesBudgets, ['over-budget'], 'The service does not show which budget each entry is on'),
  ];
  return { findings, notJudged };
}
