import type { EntriesQuery } from '../../records/entries.ts';
import { type BilledProject, type Rates, rateFor, readNames, unlessWithheld } from '../../records/projects.ts';
import { recordAt } from '../../records/record-at.ts';
import type { Needs } from '../../session/context.ts';
import type { OwnInvoice } from '../../time/billing.ts';
import type { DraftEntry, DraftGroup } from '../../time/draft-rows.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { type ReadingHours, readBillingPages } from './read-hours.ts';

/** The minutes that the draft leaves out, by reason. `hidden` is the number of entries that do not show their project. */
export type NotDrafted = Awaited<ReturnType<typeof readDraftEntries>>['leftOut'];

interface DraftQuery extends Pick<EntriesQuery, 'first' | 'last' | 'project'> {
  readonly projects: ReadonlyMap<number, BilledProject>;
  readonly rates: Omit<Rates, 'projects'>;
  readonly group: DraftGroup;
  readonly overBudget: boolean;
  readonly own: OwnInvoice | undefined;
}

/**
 * Reads the hours that a draft bills, and adds up the hours that the draft leaves out. Customers see the names on the invoice, so svc also
 * reads missing names.
 */
export async function readDraftEntries(
  context: Needs<ReadingHours>,
  { first, last, project, projects, rates, group, overBudget, own }: DraftQuery,
) {
  const entries: DraftEntry[] = [];
  const leftOut = { notBillable: 0, overBudget: 0, billed: 0, unknown: 0, hidden: 0 };
  if (projects.size === 0) return { entries, leftOut };
  const people =
    group === 'person' ? unlessWithheld(context, readNames(context, '/users'), 'svc does not know the names of people') : undefined;
  people?.catch(() => undefined);
  const include = group === 'work-item' ? ['work_item'] : [];
  for await (const batch of readBillingPages(context, { first, last, project, projects: [...projects.keys()], include }, own))
    for (const entry of batch) {
      const known = typeof entry.projectId === 'number' ? projects.get(entry.projectId) : undefined;
      if (entry.projectId === undefined) leftOut.hidden += 1;
      if (known === undefined) continue;
      if (entry.state === 'unbilled' || (entry.state === 'over-budget' && overBudget))
        entries.push({ ...entry, project: known.name, rate: rateFor(entry, { ...rates, projects }) });
      else leftOut[LEFT[entry.state]] += entry.minutes;
    }
  const names = await people;
  const items = group === 'work-item' ? await unnamedItems(context, entries) : undefined;
  const named = entries.map((entry): DraftEntry => {
    const item = items?.get(entry.workItemId ?? 0);
    return { ...entry, ...(names !== undefined && { user: names.get(entry.userId ?? 0) }), ...item };
  });
  return { entries: named, leftOut };
}

const LEFT = { 'over-budget': 'overBudget', 'not-billable': 'notBillable', billed: 'billed', unknown: 'unknown' } as const;

/**
 * Reads the key and title of the work items that the service did not include in the entries. The service does not document the relation
 * `work_item` (rule 18.27).
 */
async function unnamedItems(
  context: Needs<'client' | 'notice'>,
  entries: readonly DraftEntry[],
): Promise<ReadonlyMap<number, Pick<DraftEntry, 'key' | 'title'>>> {
  const unnamed = entries
    .filter(({ key, title }) => key === undefined && title === undefined)
    .flatMap(({ workItemId }) => workItemId ?? []);
  const read = [...new Set(unnamed)].map(async (id) => {
    const found = await unlessWithheld(context, recordAt(context, `/work-items/${id}`), `svc does not know the name of work item ${id}`);
    return found === undefined ? [] : [[id, { key: textIn(found.record, 'issue_key'), title: textIn(found.record, 'title') }] as const];
  });
  return new Map((await Promise.all(read)).flat());
}

function textIn(record: JsonObject, name: string): string | undefined {
  return scalarText(record[name]).trim() || undefined;
}
