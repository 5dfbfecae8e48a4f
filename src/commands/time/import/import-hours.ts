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
  map: repeated('--map <name=id>', 'A project of the file is this one: --map "Website=12"; may be repeated', { group: GROUP }),
  user: text(`${spelled('user')} <id|me|name>`, 'Whose hours all of them are, whatever the file says', {
    type: 'user',
    group: GROUP,
  }),
  dateOrder: text('--date-order <order>', 'How dates are written, where the file leaves it open', {
    choices: ['ymd', 'dmy', 'mdy'],
    group: GROUP,
  }),
  invoiced: text('--invoiced <what>', 'Hours that were billed there already: keep them, or skip them', {
    choices: ['keep', 'skip'],
    group: GROUP,
  }),
} as const satisfies Options;

/** How `worklogs import` understands the exports of other programs, and names instead of ids in its own files. */
export const hoursTranslation: Translation = {
  description:
    'The exports of Toggl Track, Clockify, Harvest, Tempo, Kimai, Timewarrior, Watson and klog are recognised by their columns. Projects are found by id, key or exact name, work items by a key in the task, the tags or the description, or by the task’s exact name, people by e-mail address or name. Whatever is unclear is listed before anything is sent; what is left out is said.',
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
