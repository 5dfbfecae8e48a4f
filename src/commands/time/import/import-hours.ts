import type { Translation } from '../../../bulk/import/check-rows.ts';
import type { ExistingRecord } from '../../../bulk/import/identify-row.ts';
import { naming } from '../../../cli/naming.ts';
import { type Options, repeated, text } from '../../../cli/spec.ts';
import { spelled } from '../../../cli/tool-aliases.ts';
import { uncached } from '../../../client/cached-send.ts';
import { UsageError } from '../../../errors.ts';
import { readEntries } from '../../../records/entries.ts';
import { readUser } from '../../../records/kinds.ts';
import type { Needs } from '../../../session/context.ts';
import { rangeOf } from '../../../time/date-range.ts';
import { klogRows } from '../../../time/exports/klog.ts';
import { recogniseExport } from '../../../time/exports/recognise.ts';
import { type JsonObject, type JsonValue, scalarText } from '../../../values/json.ts';
import { parseId } from '../../../values/scalars.ts';
import { exportRows, type HoursChoices } from './export-rows.ts';
import { createMatcher } from './match-names.ts';
import { ownRows } from './own-rows.ts';

const GROUP = 'Files of other programs';

const OPTIONS = {
  map: repeated('--map <name=id>', 'Use project 12 for a project of the file: --map "Website=12"', { group: GROUP }),
  user: text(`${spelled('user')} <id|me|name>`, 'Import all hours as hours of this user', {
    type: 'user',
    group: GROUP,
  }),
  dateOrder: text('--date-order <order>', 'Read ambiguous dates in this order', {
    choices: ['ymd', 'dmy', 'mdy'],
    group: GROUP,
  }),
  invoiced: text('--invoiced <what>', 'Keep or skip hours that another tool has already billed', {
    choices: ['keep', 'skip'],
    group: GROUP,
  }),
} as const satisfies Options;

export const hoursTranslation: Translation = {
  description:
    'svc recognises the exports of Toggl Track, Clockify, Harvest, Tempo, Kimai, Timewarrior, Watson and klog by their content. svc finds projects by id, key or exact name, and people by e-mail address or name. svc finds work items by a key in the task, tags or description, or by exact name. Before svc sends anything, svc lists every unclear row and every row that it leaves out.',
  options: OPTIONS,
  shows: ['date', 'duration', 'project', 'work_item', 'person', 'text'],
  read: klogRows,
  existing: existingHours,
  async rows(context, rows, options) {
    const {
      map,
      user: whose,
      ...others
    } = options as Omit<HoursChoices, 'user'> & { readonly map?: readonly string[]; readonly user?: string };
    const user = whose === undefined ? undefined : await naming('--user', () => readUser(context, whose));
    const choices: HoursChoices = { ...others, ...(user !== undefined && { user }) };
    const matcher = createMatcher(context, readMap(map ?? []));
    const format = recogniseExport(rows.flatMap(({ values }) => Object.keys(values)));
    return format === undefined ? ownRows(context, rows, matcher, choices) : exportRows(context, rows, format, matcher, choices);
  },
};

/** Reads `Website=12`: the name of a project in the file, and its id. @throws UsageError for any other text. */
function readMap(texts: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    texts.map((text) => {
      const cut = text.lastIndexOf('=');
      if (cut < 1) throw new UsageError(`--map: "${text}" has no name and id.`, { hint: 'Write --map "Website=12".' });
      return [text.slice(0, cut).trim(), parseId(text.slice(cut + 1))];
    }),
  );
}

/**
 * Returns the existing hours from the first to the last day of the rows. The fields have the same names as in a write.
 *
 * @param own Your user id. Your own hours get no `user_id`.
 */
async function existingHours(
  context: Needs<'account' | 'client' | 'noticeToday'>,
  own: number,
  rows: readonly JsonObject[],
): Promise<readonly ExistingRecord[]> {
  const days = rows.map(({ date }) => scalarText(date)).filter((day) => /^\d{4}-\d\d-\d\d$/.test(day));
  if (days.length === 0) return [];
  const people = new Set(rows.map(({ user_id: user }) => (typeof user === 'number' ? user : own)));
  const [user] = people.size === 1 ? people : [];
  const records: ExistingRecord[] = [];
  const fresh = { ...context, client: async () => uncached(await context.client()) };
  for await (const entry of readEntries(fresh, { ...rangeOf(days), user, view: 'detail', include: [] })) {
    if (entry.id === undefined) continue;
    const shown: Record<string, JsonValue | undefined> = {
      date: entry.date,
      minutes: entry.minutes,
      description: entry.description,
      project_id: entry.projectId,
      work_item_id: entry.workItemId,
      user_id: entry.userId === own ? undefined : entry.userId,
      is_not_billable: entry.billable === undefined ? undefined : !entry.billable,
      is_overtime: entry.overtime,
    };
    const known = Object.entries(shown).filter((field): field is [string, JsonValue] => field[1] !== undefined);
    records.push({ id: String(entry.id), fields: Object.fromEntries(known) });
  }
  return records;
}
