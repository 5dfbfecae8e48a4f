import { dayName } from '../../time/calendar.ts';
import type { DateContext } from '../../values/dates.ts';
import { formatDuration } from '../../values/duration.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import { quote } from '../../values/quote.ts';
import type { Target } from './target.ts';

/** One day's entry. */
export interface PlannedEntry {
  readonly date: string;
  readonly minutes: number;
}

/** Entries in words: `1h30 on Thu 2026-06-04, ABC-12 Login, "Review"`. */
export function describeEntries(
  entries: readonly PlannedEntry[],
  { target, body, dates }: { readonly target: Target | undefined; readonly body: JsonObject; readonly dates: DateContext },
): string {
  const { description, project_id: project, work_item_id: item } = body;
  const place =
    target?.name ??
    (typeof item === 'number'
      ? `work item ${item}`
      : typeof project === 'number'
        ? `project ${project}`
        : // In a dry run a name is not looked up.
          standInName(item ?? project));
  return [
    describeDays(entries, dates),
    place,
    ...(typeof description === 'string' && description !== '' ? [quote(description)] : []),
    ...(body['is_overtime'] === true ? ['overtime'] : []),
    ...(body['is_not_billable'] === true ? ['not billable'] : []),
    ...(typeof body['user_id'] === 'number' ? [`of user ${body['user_id']}`] : []),
  ].join(', ');
}

/** `Web shop` of `<id of Web shop>`. */
function standInName(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.replace(/^<id of (.*)>$/s, '$1') : 'no work item and no project';
}

function describeDays(entries: readonly PlannedEntry[], { temporal }: DateContext): string {
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return 'as long as the other entry';
  if (entries.length === 1) return `${formatDuration(first.minutes)} on ${dayName(first.date, temporal)}`;
  const lengths = new Set(entries.map(({ minutes }) => minutes));
  const total = formatDuration(entries.reduce((sum, { minutes }) => sum + minutes, 0));
  const each = lengths.size === 1 ? `${formatDuration(first.minutes)} on each of ${entries.length} days` : `${entries.length} days`;
  return `${each}, ${dayName(first.date, temporal)} to ${dayName(last.date, temporal)}, ${total} in all`;
}
