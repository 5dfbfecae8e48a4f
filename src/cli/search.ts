import type { CommandSpec } from './spec.ts';
import type { PlacedCommand } from './tree.ts';

/** How much a word counts where it stands: in what is typed, in the line that says what it does, in what stands around that. */
const WEIGHTS = { typed: 6, summary: 4, above: 2, examples: 2, flags: 1.5, prose: 1 } as const;

type Part = keyof typeof WEIGHTS;

/** A word that begins like the one looked for counts this much of it. */
const BEGINNING = 0.6;
/** A word that people say for the one that svc has. */
const ANOTHER_WORD = 0.7;

/** What a word counts that stands in another place too. */
const AGAIN = 0.3;

/** Words that say nothing of what is looked for. */
const FILLING = new Set(
  'a an and all am any are at be by can do does for from has have how i in into is it me my of on or that the this to was what which with you'.split(
    ' ',
  ),
);

/** What people say, and the words of commands for it. */
const OTHER_WORDS = byStem({
  add: 'create',
  away: 'absences',
  book: 'worklogs add',
  bug: 'work-items',
  client: 'customers',
  clock: 'timers',
  close: 'transition',
  colleague: 'users',
  column: 'transition',
  company: 'customers',
  day: 'worklogs absences',
  done: 'transition',
  employee: 'users',
  file: 'drive-items import export',
  finish: 'transition stop complete',
  holiday: 'absences holidays',
  hour: 'worklogs report',
  issue: 'work-items',
  leave: 'absences',
  log: 'worklogs add',
  make: 'create add',
  mistake: 'undo check',
  modify: 'update',
  new: 'create add',
  off: 'absences',
  overview: 'status report week',
  people: 'users',
  person: 'users',
  pto: 'absences',
  remove: 'delete',
  rename: 'update',
  repeat: 'copy',
  revert: 'undo',
  set: 'update',
  show: 'get list',
  sick: 'absences',
  spent: 'report burn worklogs',
  state: 'transition',
  status: 'transition',
  story: 'work-items',
  sum: 'report',
  team: 'users week',
  ticket: 'work-items',
  time: 'worklogs timers report',
  total: 'report',
  track: 'worklogs timers',
  vacation: 'absences',
});

/**
 * The commands that words of a person are about, the best first. A rare word counts more than a frequent one, one in the name
 * of a command more than one in its prose, and a command that has all words more than one that has some.
 */
export function searchCommands(places: readonly PlacedCommand[], words: string): PlacedCommand[] {
  const asked = [...new Set(wordsOf(words).filter((word) => !FILLING.has(word)))];
  const commands = indexed(places);
  const scored = commands.map((command) => ({ command, score: 0, met: 0 }));
  for (const word of asked) {
    const found = commands.map((command) => strengthOf(command, word));
    const rarity = Math.log(1 + commands.length / Math.max(1, found.filter((strength) => strength > 0).length));
    for (const [index, strength] of found.entries()) {
      const entry = scored[index];
      if (entry === undefined || strength === 0) continue;
      entry.score += strength * rarity;
      entry.met += 1;
    }
  }
  return scored
    .filter(({ met }) => met > 0)
    .sort((a, b) => b.score * b.met - a.score * a.met || a.command.place.path.length - b.command.place.path.length)
    .map(({ command }) => command.place);
}

function byStem(words: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(words).map(([word, others]) => [stemmed(word), others.split(' ')]));
}

interface Indexed {
  readonly place: PlacedCommand;
  readonly words: Readonly<Record<Part, ReadonlySet<string>>>;
}

/** What can be run, each with the words that stand in and around it. */
function indexed(places: readonly PlacedCommand[]): Indexed[] {
  const above = new Map<string, CommandSpec>(places.map(({ path, spec }) => [path.join(' '), spec]));
  return places.flatMap((place): Indexed[] => {
    const { path, spec } = place;
    if (spec.run === undefined) return [];
    const groups = path.slice(0, -1).map((_, index) => above.get(path.slice(0, index + 1).join(' ')));
    const flags = Object.values(spec.options ?? {}).filter(({ hidden }) => !hidden);
    return [
      {
        place,
        words: {
          typed: setOf([...path, ...path.map(stemmed)]),
          summary: setOf(wordsOf(spec.summary)),
          above: setOf(groups.flatMap((group) => wordsOf(group?.summary ?? ''))),
          examples: setOf((spec.examples ?? []).flatMap(({ does }) => wordsOf(does))),
          flags: setOf(flags.flatMap((flag) => wordsOf(`${flag.flags} ${(flag.choices ?? []).join(' ')}`))),
          prose: setOf(
            wordsOf(
              `${spec.description ?? ''} ${flags.map(({ summary }) => summary).join(' ')} ${(spec.args ?? []).map(({ summary }) => summary).join(' ')}`,
            ),
          ),
        },
      },
    ];
  });
}

/** Of names with a dash their parts too. */
function setOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => (word.includes('-') ? [word, ...word.split('-').map(stemmed)] : [word])));
}

function strengthOf({ words }: Indexed, asked: string): number {
  const strengths = (Object.keys(WEIGHTS) as Part[]).map((part) => WEIGHTS[part] * nearness(words[part], asked));
  if (OTHER_WORDS.get(asked)?.some((other) => words.typed.has(other))) strengths.push(WEIGHTS.typed * ANOTHER_WORD);
  const best = Math.max(...strengths);
  return best + AGAIN * (strengths.reduce((sum, strength) => sum + strength, 0) - best);
}

function nearness(words: ReadonlySet<string>, asked: string): number {
  if (words.has(asked)) return 1;
  if (asked.length < 4) return 0;
  for (const word of words) if (word.length >= 4 && (word.startsWith(asked) || asked.startsWith(word))) return BEGINNING;
  return 0;
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stemmed);
}

/** A word without its ending: hours, logging, created → hour, log, creat. Both sides of a comparison go through it. */
function stemmed(word: string): string {
  if (word.includes('-')) return word;
  const ended = word
    .replace(/ies$/, 'y')
    .replace(/(?<=[^su])s$/, '')
    .replace(/(?<=\p{L}{3})(?:ing|ed)$/u, '');
  const single = ended === word ? ended : ended.replace(/([bdgmnprt])\1$/, '$1');
  return single.length > 4 ? single.replace(/e$/, '') : single;
}
