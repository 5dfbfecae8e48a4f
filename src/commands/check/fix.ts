import { DeclinedError, InterruptedError, SvcError, UsageError } from '../../errors.ts';
import { askLine } from '../../records/ask-field.ts';
import { inZone } from '../../records/in-zone.ts';
import type { Understanding } from '../../records/kinds.ts';
import { pickRecord } from '../../records/pick-record.ts';
import { sendWrite } from '../../records/send-write.ts';
import type { Asking, Needs } from '../../session/context.ts';
import type { CheckedEntry } from '../../time/checks/checked-entry.ts';
import type { Finding } from '../../time/checks/finding.ts';
import type { DayChanges, KnownEntry, Shown, TextLine } from '../../time/day-text.ts';
import { shownEntry } from '../../time/day-text.ts';
import { parseCalendarDate } from '../../values/dates.ts';
import { parseDuration } from '../../values/duration.ts';
import { type AskingHours, askHours } from '../time/ask-hours.ts';
import { planChanges } from '../time/day-changes.ts';
import type { Checked } from './judge-all.ts';

/** What mending needs of a context. */
export type Mending = Understanding | Asking | AskingHours | 'credentials' | 'plan';

/** Changes that mend a finding; undefined where the person has none after all. */
type Mend = (
  context: Needs<Mending>,
  finding: Finding,
  entries: readonly KnownEntry[],
  checked: Checked,
) => Promise<DayChanges | undefined>;

/**
 * Goes through findings one by one: shows each, asks what to do, and mends it with the requests of `svc worklogs edit`, which a person says
 * yes to. What takes more than an answer is shown with its command.
 *
 * @returns how many were mended.
 */
export async function fixEach(
  context: Needs<Mending>,
  checked: Checked,
  toMend: (finding: Finding) => string,
  say: (finding: Finding) => string,
): Promise<number> {
  const { findings } = checked;
  let mended = 0;
  for (const [index, finding] of findings.entries()) {
    const line = `${index + 1} of ${findings.length}: ${say(finding)}`;
    const known = checked.entries.filter(
      (entry): entry is CheckedEntry & KnownEntry => entry.id !== undefined && finding.ids.includes(entry.id),
    );
    const way = wayFor(finding, checked);
    if (way === undefined) {
      await context.notice(line);
      await context.notice(`To see to it: ${toMend(finding)}`);
      continue;
    }
    const choice = await context.prompts.pick(`${line}. What now?`, [{ name: way.name, value: 'mend' }, SKIP, STOP], context.signal);
    if (choice === STOP.value) break;
    if (choice === 'mend' && (await isMended(context, () => way.mend(context, finding, known, checked), checked))) mended += 1;
  }
  return mended;
}

const SKIP = { name: 'Skip it', value: 'skip' };
const STOP = { name: 'Stop here', value: 'stop' };

/** A failure of one is told, and the others go on. */
async function isMended(context: Needs<Mending>, decide: () => Promise<DayChanges | undefined>, { people }: Checked): Promise<boolean> {
  try {
    const changes = await decide();
    const temporal = [...people.values()][0]?.dates.temporal;
    if (changes === undefined || temporal === undefined) return false;
    const steps = await planChanges(context, changes, temporal);
    for (const { words } of steps) await context.notice(words);
    if (!context.globals.yes && !(await context.prompts.confirm('Do this?', context.signal))) return false;
    for (const { write } of steps) await sendWrite(context, write);
    if (context.plan === undefined) await context.notice('Done.');
    return true;
  } catch (error) {
    if (error instanceof DeclinedError) return false;
    if (!(error instanceof SvcError) || error instanceof InterruptedError) throw error;
    await context.notice([error.message, error.hint].filter((part) => part !== undefined).join(' '));
    return false;
  }
}

/** How a finding can be mended with an answer or two; undefined where it cannot. */
function wayFor({ kind, userId, ids, spare = [] }: Finding, { own }: Checked): { readonly name: string; readonly mend: Mend } | undefined {
  switch (kind) {
    case 'missing-hours':
      return userId === own ? { name: 'Log hours on that day', mend: logHours } : undefined;
    case 'duplicate': {
      if (spare.length === 0) return undefined;
      const kept = ids.filter((id) => !spare.includes(id)).join(' and ');
      return { name: ids.length === 2 ? `Delete ${spare[0]}, keep ${kept}` : `Keep ${kept}, delete the others`, mend: deleteSpare };
    }
    case 'no-project':
      return { name: 'Choose its project', mend: chooseProject };
    case 'future-date':
      return { name: 'Give it another day', mend: chooseDay };
    case 'impossible-day':
      return ids.length === 1 ? { name: 'Say how long it was', mend: sayLength } : undefined;
    default:
      return undefined;
  }
}

const logHours: Mend = async (context, { date }) => {
  const argv = ['worklogs', 'add', '--date', date ?? ''];
  const given = await askHours({ ...context, argv }, { words: [], given: {}, directory: undefined });
  const [item, minutes, description] = ['work_item_id', 'minutes', 'description'].map((name) => given[name]);
  const target =
    typeof item !== 'string'
      ? ({ kind: 'none' } as const)
      : /^\d+$/.test(item)
        ? ({ kind: 'item', id: Number(item) } as const)
        : ({ kind: 'key', key: item } as const);
  const line: TextLine = {
    line: 1,
    id: undefined,
    date: date ?? '',
    minutes: parseDuration(String(minutes)),
    target,
    description: typeof description === 'string' ? description : '',
  };
  return { created: [line], updated: [], deleted: [] };
};

const deleteSpare: Mend = async (_, { spare = [] }, entries) => ({
  created: [],
  updated: [],
  deleted: entries.filter(({ id }) => spare.includes(id)),
});

const chooseProject: Mend = async (context, _, entries) => {
  const picked = await pickRecord(context, await context.catalog.of('projects'), { question: 'Which project?' });
  return picked === undefined || picked === 'none' ? undefined : updating(entries, 'target', { kind: 'project', id: picked.id });
};

const chooseDay: Mend = async (context, { userId }, entries, { people }) => {
  const last = people.get(userId ?? 0)?.today;
  const answer = await askLine(context, 'Which day (such as 2026-03-31, today, monday):', false, async (text) => {
    const day = await inZone(context, (dates) => parseCalendarDate(text, dates));
    if (last === undefined || day <= last) return day;
    throw new UsageError(`${day} lies ahead too.`, { hint: 'A day up to today is meant.' });
  });
  return answer === undefined ? undefined : updating(entries, 'date', String(answer.value));
};

const sayLength: Mend = async (context, _, entries) => {
  const answer = await askLine(context, 'How long (such as 1h30, 90 or 1:30):', false, async (text) => parseDuration(text));
  return answer === undefined ? undefined : updating(entries, 'minutes', Number(answer.value));
};

function updating<Name extends keyof Shown>(entries: readonly KnownEntry[], name: Name, value: Shown[Name]): DayChanges {
  const updated = entries.map((before) => ({
    line: { line: 1, id: before.id, ...shownEntry(before), [name]: value },
    before,
    changed: [name],
  }));
  return { created: [], updated, deleted: [] };
}
