import type { Resource } from '../../catalog/define.ts';
import { ForbiddenError, NotFoundError, UsageError, undefinedFor } from '../../errors.ts';
import { ownOpenItems } from '../../records/day-summary.ts';
import { type Named, named, readingOf, withPart } from '../../records/find-by-name.ts';
import type { Needs } from '../../session/context.ts';
import { flagWords, type PrintingCommand, printMeaning } from '../../session/printed-command.ts';
import { scalarText } from '../../values/json.ts';
import { nearest } from '../../values/suggest.ts';
import { quote } from '../../values/text.ts';
import { together } from '../../values/together.ts';
import { tryQuickly } from './day-so-far.ts';
import { type FindingTargets, findTarget, type Target } from './target.ts';

export interface NamedInText {
  readonly target: Target;
  readonly rest: readonly string[];
}

type Nameable = Awaited<ReturnType<typeof readNameable>>;

type FindingPlaces = FindingTargets | PrintingCommand | 'account' | 'clock' | 'renewal';

/**
 * Reads the records that a text can name, without records that svc has no permission to read. After two seconds svc prints a notice and
 * continues.
 */
export async function readNameable(context: Needs<FindingPlaces>, text: readonly string[]) {
  const [projects, workItems] = await Promise.all([context.catalog.of('projects'), context.catalog.of('work-items')]);
  const advice = await tryQuickly(context, 'whether the text names a project or a work item', async (client) => {
    const reading = (resource: Resource) => readingOf({ client }, resource);
    const [first, searched, own] = await together(
      orNone(
        reading(projects)
          .first()
          .then(({ records }) => records),
      ),
      orNone(reading(workItems).searched(text[0] ?? '', MOST_ITEMS)),
      // Titles rarely have one word, so svc reads your open work items only for a text of several words.
      text.join(' ').includes(' ') ? orNone(ownOpenItems({ account: context.account, client }).then((rows) => rows.flatMap(named))) : [],
    );
    return { projects: first, items: [...new Map([...own, ...searched].map((item) => [item.id, item])).values()] };
  });
  if ('found' in advice) return advice.found;
  await context.notice(advice.missing);
  return { projects: [], items: [] };
}

function orNone(reading: Promise<readonly Named[]>): Promise<readonly Named[]> {
  return reading.catch((error: unknown) => undefinedFor(ForbiddenError, NotFoundError)(error) ?? []);
}

const MOST_ITEMS = 25;

interface Match {
  /** The record’s name, as in a question to the user: `project Web shop (#2)`. */
  readonly label: string;
  find(): Promise<Target>;
  /** The words of the text that name the record. */
  readonly words: readonly string[];
  readonly rest: readonly string[];
}

/**
 * Finds the record whose key or full name starts the text: `Web shop Design`. Undefined without such a record. Returns `text` if the user
 * answers that the text names no record.
 *
 * @throws UsageError without a terminal, if svc must ask.
 */
export async function placeInText(
  context: Needs<FindingPlaces>,
  nameable: Nameable,
  text: readonly string[],
): Promise<NamedInText | 'text' | undefined> {
  const key = [2, 1].flatMap((count) => keyIn(nameable, text.slice(0, count)) ?? [])[0];
  if (key !== undefined) return choose(context, text, [keyMatch(context, key.key, split(text, key.words))]);
  const found = longest(nameable, text, ({ names, name }, phrase) => {
    return names.includes(phrase) || name?.toLowerCase() === phrase.toLowerCase();
  });
  const [only, ...others] = found;
  if (only === undefined) return undefined;
  if (others.length > 0) return choose(context, text, [only, ...others]);
  await context.notice(`svc uses ${only.label}, from the text.`);
  return { target: await only.find(), rest: only.rest };
}

/**
 * Asks the user about a record that the text almost names. The text has a mistyped name, a part of a project’s name, or a key.
 *
 * @throws UsageError without a terminal.
 */
export async function nearPlaceInText(
  context: Needs<FindingPlaces>,
  nameable: Nameable,
  text: readonly string[],
): Promise<NamedInText | 'text' | undefined> {
  const mistyped = longest(nameable, text, ({ names }, phrase) => nearest(phrase, names) !== undefined);
  const parts = text.length === 1 ? [] : withPart(nameable.projects, text[0] ?? '').filter(({ part }) => part !== 'within');
  const keys = text
    .filter((word) => KEY.test(word))
    .map((key) => keyMatch(context, key, { words: [key], rest: text.filter((word) => word !== key) }));
  const found = [mistyped, parts.map(({ record }) => projectMatch(record, split(text, 1))), keys].find((matches) => matches.length > 0);
  return found && choose(context, text, found as [Match]);
}

const KEY = /^[A-Z][A-Z0-9]*-\d+$/;

/** Returns the work item key that words mean: `abc12`, `ABC 12`, `ABC-1O`. Accepts letters that look like digits. */
function keyIn({ projects }: Nameable, words: readonly string[]): { readonly key: string; readonly words: number } | undefined {
  const [, prefix = '', digits = ''] = /^(\p{L}[\p{L}\p{N}]*?)[\s\p{P}]*(\d[\dOoIl]*)$/u.exec(words.join(' ')) ?? [];
  const letters = prefix.toUpperCase();
  if (letters === '' || !projects.some(({ names }) => names.includes(letters))) return undefined;
  return { key: `${letters}-${digits.replace(/o/gi, '0').replace(/[il]/gi, '1')}`, words: words.length };
}

function longest({ projects, items }: Nameable, text: readonly string[], test: (record: Named, phrase: string) => boolean) {
  for (let count = text.length; count > 0; count -= 1) {
    const phrase = text.slice(0, count).join(' ').trim();
    const isMeant = (record: Named) => test(record, phrase);
    const parts = split(text, count);
    const found = [
      ...projects.filter(isMeant).map((project) => projectMatch(project, parts)),
      ...items.filter(isMeant).map((item) => itemMatch(item, parts)),
    ];
    if (found.length > 0) return found;
  }
  return [];
}

type Parts = Pick<Match, 'words' | 'rest'>;

function split(text: readonly string[], count: number): Parts {
  return { words: text.slice(0, count), rest: text.slice(count) };
}

function projectMatch({ id, label, name }: Named, parts: Parts): Match {
  return { label: `project ${label}`, find: async () => ({ name: name ?? label, fields: { project_id: id } }), ...parts };
}

function itemMatch({ id, label, names }: Named, parts: Parts): Match {
  return { label: `work item ${label}`, find: async () => ({ name: names.slice(0, 2).join(' '), fields: { work_item_id: id } }), ...parts };
}

function keyMatch(context: Needs<FindingPlaces>, key: string, parts: Parts): Match {
  return { label: `work item ${key}`, find: () => findTarget(context, { workItem: key }), ...parts };
}

async function choose(context: Needs<FindingPlaces>, text: readonly string[], found: readonly [Match, ...Match[]]) {
  const [only, ...others] = found;
  const typed = quote(only.words.join(' '));
  const labels = found.slice(0, MOST_SHOWN).map(({ label }) => label);
  if (!context.interactive)
    throw new UsageError(`${typed} could name ${labels.join(' or ')}, and the entry has no other project or work item.`, {
      hint: 'Give --project or --work-item. For text, use --description.',
    });
  const pick = async () => {
    const choices = found.map(({ label }, index) => ({ name: label, value: String(index) }));
    const chosen = await context.prompts.pick(`What is ${typed}?`, [...choices, { name: 'Only text', value: '' }], context.signal);
    return chosen === '' ? undefined : found[Number(chosen)];
  };
  const isOne = others.length === 0;
  const isMeant = isOne && (await context.prompts.confirm(`${typed}: use ${only.label}?`, context.signal, true));
  const match = isOne ? (isMeant ? only : undefined) : await pick();
  const target = await match?.find();
  await printMeaning(context, text, flagsFor(target, match === undefined ? text : match.rest));
  return match === undefined || target === undefined ? 'text' : { target, rest: match.rest };
}

function flagsFor(target: Target | undefined, text: readonly string[]): readonly string[] {
  const { project_id: project, work_item_id: item } = target?.fields ?? {};
  const description = text.join(' ').trim();
  return [
    ...(project === undefined ? [] : flagWords('project', scalarText(project))),
    ...(item === undefined ? [] : flagWords('work-item', scalarText(item))),
    ...(description === '' ? [] : flagWords('description', description)),
  ];
}

const MOST_SHOWN = 5;
