import { askLine } from '../../records/ask-field.ts';
import type { Understanding } from '../../records/kinds.ts';
import { ownOpenItems } from '../../records/open-items.ts';
import { pickRecord } from '../../records/pick-record.ts';
import type { Needs } from '../../session/context.ts';
import { flagWords, type TellingCommand, tellCommand } from '../../session/tell-command.ts';
import { understandWords } from '../../time/words.ts';
import { parseDuration } from '../../values/duration.ts';
import type { Said } from './talk.ts';

/** What asking for hours needs of a context. */
export type AskingHours = Understanding | TellingCommand | 'clock' | 'env' | 'files' | 'host' | 'paths';

/**
 * Asks for what an entry lacks that has no duration: on which of one's own open work items, how long, and what was done. What is typed
 * already, and what the directory says, is not asked for.
 *
 * @returns the flags with what was answered.
 */
export async function askHours(
  context: Needs<AskingHours>,
  { words, given, directory }: Pick<Said, 'words' | 'given' | 'directory'>,
): Promise<Said['given']> {
  const understood = understandWords(words);
  if (understood.minutes !== undefined) return given;
  const answers: Record<string, string> = {};
  const isPlaced = PLACES.some((name) => given[name] !== undefined) || words.length > 0 || directory !== undefined;
  const item = isPlaced ? undefined : await askItem(context);
  if (item !== undefined) answers['work_item_id'] = item;
  const length = await askLine(context, 'How long (such as 1h30, 90 or 1:30):', false, async (text) => parseDuration(text));
  if (length !== undefined) answers['minutes'] = length.word;
  if (given['description'] === undefined && understood.description === undefined) {
    const text = await askLine(context, 'What was done (Enter leaves it out):', true, async (line) => line);
    if (text !== undefined) answers['description'] = text.word;
  }
  await tellCommand(
    context,
    Object.entries(answers).flatMap(([name, word]) => flagWords(FLAGS[name] ?? name, word)),
  );
  return { ...given, ...answers };
}

/** Fields that say what an entry belongs to. */
const PLACES = ['work_item_id', 'project_id', 'budget_id', 'task_id'];

const FLAGS: Readonly<Record<string, string>> = { work_item_id: 'work-item' };

/** One of the open work items that are one's own, or any other that is searched for; undefined for none. */
async function askItem(context: Needs<AskingHours>): Promise<string | undefined> {
  const [records, workItems] = await Promise.all([ownOpenItems(context), context.catalog.of('work-items')]);
  const picked = await pickRecord(context, workItems, {
    question: records.length > 0 ? 'Which work item? Yours are listed, type for others:' : 'Which work item? Type for it:',
    records,
    none: 'No work item',
  });
  return picked === 'none' ? undefined : picked?.word;
}
