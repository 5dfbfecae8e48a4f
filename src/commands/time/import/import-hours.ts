import type { Translation } from '../../../bulk/import/translation.ts';
import { spelled } from '../../../cli/habits.ts';
import { naming } from '../../../cli/naming.ts';
import { type Options, repeated, text } from '../../../cli/spec.ts';
import { UsageError } from '../../../errors.ts';
import { readUser } from '../../../records/kinds.ts';
import { klogRows } from '../../../time/exports/klog.ts';
import { recogniseExport } from '../../../time/exports/recognise.ts';
import { parseId } from '../../../values/integer.ts';
import { existingHours } from './existing-hours.ts';
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
  invoiced: text('--invoiced <what>', 'Keep or skip hours that the other tool has already billed', {
    choices: ['keep', 'skip'],
    group: GROUP,
  }),
} as const satisfies Options;

/** How `worklogs import` understands the exports of other programs, and names instead of ids in its own files. */
export const hoursTranslation: Translation = {
  description:
    'svc recognises the exports of Toggl Track, Clockify, Harvest, Tempo, Kimai, Timewarrior, Watson and klog by their columns. It finds projects by id, key or exact name, and people by e-mail address or name. It finds work items by a key in the task, tags or description, or by exact name. svc lists every unclear row before it sends anything, and every row that it leaves out.',
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

/** `Website=12`. */
function readMap(texts: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    texts.map((text) => {
      const cut = text.lastIndexOf('=');
      if (cut < 1) throw new UsageError(`--map: "${text}" has no name and id.`, { hint: 'Write --map "Website=12".' });
      return [text.slice(0, cut).trim(), parseId(text.slice(cut + 1))];
    }),
  );
}
