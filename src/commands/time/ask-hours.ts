import { askLine } from '../../records/ask-field.ts';
import { ownOpenItems } from '../../records/day-summary.ts';
import { pickRecord } from '../../records/find-by-name.ts';
import type { ReadingValues } from '../../records/kinds.ts';
import type { Needs } from '../../session/context.ts';
import { flagWords, type PrintingCommand, printChoice, printCommandLine } from '../../session/printed-command.ts';
import { findMistypedDuration, readEntryWords } from '../../time/entry-words.ts';
import { parseDuration } from '../../values/duration.ts';
import { quote } from '../../values/text.ts';
import { PLACE_FIELDS, type TypedEntry } from './add-options.ts';

export type AskingHours = ReadingValues | PrintingCommand | 'clock' | 'env' | 'files' | 'host' | 'paths';

/** Asks the user for the missing facts of an entry without a duration. svc skips values that the user typed, or that `.svc.json` has. */
export async function askHours(
  context: Needs<AskingHours>,
  { words, given, directory }: Pick<TypedEntry, 'words' | 'given' | 'directory'>,
): Promise<Pick<TypedEntry, 'words' | 'given'>> {
  const understood = readEntryWords(words);
  if (understood.minutes !== undefined) return { words, given };
  const mistyped = findMistypedDuration(words);
  if (mistyped !== undefined) return { words: await correctDuration(context, words, mistyped), given };
  const answers: Record<string, string> = {};
  const isPlaced = PLACE_FIELDS.some((name) => given[name] !== undefined) || words.length > 0 || directory !== undefined;
  const item = isPlaced ? undefined : await askItem(context);
  if (item !== undefined) answers['work_item_id'] = item;
  const length = await askLine(context, 'How long (such as 1h30, 90 or 1:30):', false, async (text) => parseDuration(text));
  if (length !== undefined) answers['minutes'] = length.word;
  if (given['description'] === undefined && understood.description === undefined) {
    const text = await askLine(context, 'Text of the entry (Enter leaves it out):', true, async (line) => line);
    if (text !== undefined) answers['description'] = text.word;
  }
  await printCommandLine(
    context,
    Object.entries(answers).flatMap(([name, word]) => flagWords(name === 'work_item_id' ? 'work-item' : name, word)),
  );
  return { words, given: { ...given, ...answers } };
}

async function correctDuration(context: Needs<AskingHours>, words: readonly string[], at: number): Promise<readonly string[]> {
  const word = words[at] ?? '';
  const question = `${quote(word)} is not a duration. How long (such as 1h30, 90 or 1:30):`;
  const answer = await askLine(context, question, false, async (text) => parseDuration(text));
  if (answer === undefined) return words;
  await printChoice(context, word, answer.word);
  return words.with(at, answer.word);
}

async function askItem(context: Needs<AskingHours>): Promise<string | undefined> {
  const [records, workItems] = await Promise.all([ownOpenItems(context), context.catalog.of('work-items')]);
  const picked = await pickRecord(context, workItems, {
    question: records.length > 0 ? 'Which work item? Type to search for others:' : 'Which work item? Type to search:',
    records,
    none: 'No work item',
  });
  return picked === 'none' ? undefined : picked?.word;
}
