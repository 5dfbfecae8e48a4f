import { DeclinedError, InterruptedError, SvcError, UsageError } from '../../errors.ts';
import { askLine } from '../../records/ask-field.ts';
import { pickRecord } from '../../records/find-by-name.ts';
import type { ReadingValues } from '../../records/kinds.ts';
import { sendWrite } from '../../records/send-write.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { inZone } from '../../session/time-zone.ts';
import type { CheckedEntry } from '../../time/checks/checked-entry.ts';
import type { Finding } from '../../time/checks/finding.ts';
import { type DayChanges, type KnownEntry, type Shown, shownEntry, type TextLine } from '../../time/day-text.ts';
import { parseCalendarDate } from '../../values/dates.ts';
import { parseDuration } from '../../values/duration.ts';
import { type AskingHours, askHours } from '../time/ask-hours.ts';
import { planChanges } from '../time/edit-days.ts';
import type { Checked } from './judge-all.ts';

export type Fixing = ReadingValues | Asking | AskingHours | 'credentials' | 'plan';

/** Asks the user for the changes that fix a finding. Returns undefined if the user gives no answer. */
type Fix = (context: Needs<Fixing>, finding: Finding, entries: readonly KnownEntry[], checked: Checked) => Promise<DayChanges | undefined>;

/**
 * Asks the user about each finding that svc can fix, and fixes the finding if the user agrees. Prints a command for any other finding.
 * Sends the same requests as `svc worklogs edit`. Returns the number of fixed findings.
 */
export async function fixEach(
  context: Needs<Fixing>,
  checked: Checked,
  commandFor: (finding: Finding) => string,
  describe: (finding: Finding) => string,
): Promise<number> {
  const { findings } = checked;
  let fixed = 0;
  for (const [index, finding] of findings.entries()) {
    const line = `${index + 1} of ${findings.length}: ${describe(finding)}`;
    const known = checked.entries.filter(
      (entry): entry is CheckedEntry & KnownEntry => entry.id !== undefined && finding.ids.includes(entry.id),
    );
    const fix = fixFor(finding, checked);
    if (fix === undefined) {
      await context.notice(line);
      await context.notice(`Fix it yourself: ${commandFor(finding)}`);
      continue;
    }
    const choice = await context.prompts.pick(`${line}. What now?`, [{ name: fix.name, value: 'fix' }, SKIP, STOP], context.signal);
    if (choice === STOP.value) break;
    if (choice === 'fix' && (await applyFix(context, () => fix.ask(context, finding, known, checked), checked))) fixed += 1;
  }
  return fixed;
}

const SKIP = { name: 'Skip this finding', value: 'skip' };
const STOP = { name: 'Stop fixing', value: 'stop' };

/** Returns true if svc sent or planned the changes. svc prints a failure, and continues with the next finding. */
async function applyFix(context: Needs<Fixing>, decide: () => Promise<DayChanges | undefined>, { people }: Checked): Promise<boolean> {
  try {
    const changes = await decide();
    const temporal = [...people.values()][0]?.dates.temporal;
    if (changes === undefined || temporal === undefined) return false;
    const steps = await planChanges(context, changes, temporal);
    for (const { words } of steps) await context.notice(words);
    if (!context.globals.yes && !(await context.prompts.confirm('Apply this fix?', context.signal))) return false;
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

function fixFor({ kind, userId, ids, spare = [] }: Finding, { own }: Checked): { readonly name: string; readonly ask: Fix } | undefined {
  switch (kind) {
    case 'missing-hours':
      return userId === own ? { name: 'Log hours on that day', ask: askHoursOf } : undefined;
    case 'duplicate': {
      if (spare.length === 0) return undefined;
      const rest = ids.filter((id) => !spare.includes(id)).join(' and ');
      return { name: ids.length === 2 ? `Delete ${spare[0]}, keep ${rest}` : `Keep ${rest}, delete the other entries`, ask: deleteSpare };
    }
    case 'no-project':
      return { name: 'Choose a project', ask: askProject };
    case 'future-date':
      return { name: 'Change the day', ask: askDay };
    case 'impossible-day':
      return ids.length === 1 ? { name: 'Change the duration', ask: askLength } : undefined;
    default:
      return undefined;
  }
}

const askHoursOf: Fix = async (context, { date }) => {
  const argv = ['worklogs', 'add', '--date', date ?? ''];
  const { given } = await askHours({ ...context, argv }, { words: [], given: {}, directory: undefined });
  const [item, minutes, description] = ['work_item_id', 'minutes', 'description'].map((name) => given[name]);
  const isId = typeof item === 'string' && /^\d+$/.test(item);
  const target: TextLine['target'] =
    typeof item !== 'string' ? { kind: 'none' } : isId ? { kind: 'item', id: Number(item) } : { kind: 'key', key: item };
  const line: TextLine = {
    line: 1,
    id: undefined,
    date: date ?? '',
    minutes: parseDuration(String(minutes)),
    target,
    description: typeof description === 'string' ? description : '',
  };
  return { ...NO_CHANGES, created: [line] };
};

const NO_CHANGES: DayChanges = { created: [], updated: [], deleted: [] };

const deleteSpare: Fix = async (_, { spare = [] }, entries) => ({ ...NO_CHANGES, deleted: entries.filter(({ id }) => spare.includes(id)) });

const askProject: Fix = async (context, _, entries) => {
  const picked = await pickRecord(context, await context.catalog.of('projects'), { question: 'Which project?' });
  return picked === undefined || picked === 'none' ? undefined : updating(entries, 'target', { kind: 'project', id: picked.id });
};

const askDay: Fix = async (context, { userId }, entries, { people }) => {
  const last = people.get(userId ?? 0)?.today;
  const answer = await askLine(context, 'Which day (such as 2026-03-31, today, monday):', false, async (text) => {
    const day = await inZone(context, (dates) => parseCalendarDate(text, dates));
    if (last === undefined || day <= last) return day;
    throw new UsageError(`${day} is in the future too.`, { hint: 'Use a day up to today.' });
  });
  return answer === undefined ? undefined : updating(entries, 'date', String(answer.value));
};

const askLength: Fix = async (context, _, entries) => {
  const answer = await askLine(context, 'How long (such as 1h30, 90 or 1:30):', false, async (text) => parseDuration(text));
  return answer === undefined ? undefined : updating(entries, 'minutes', Number(answer.value));
};

function updating<Name extends keyof Shown>(entries: readonly KnownEntry[], name: Name, value: Shown[Name]): DayChanges {
  const updated = entries.map((before) => ({
    line: { line: 1, id: before.id, ...shownEntry(before), [name]: value },
    before,
    changed: [name],
  }));
  return { ...NO_CHANGES, updated };
}
