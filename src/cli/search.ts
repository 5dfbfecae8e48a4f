import type { PlacedCommand } from './resolve.ts';
import type { CommandSpec } from './spec.ts';

/**
 * The weight of each part of a command. `typed`: the names in its path. `above`: the summaries of its groups. `prose`: its description, and
 * the summaries of its flags and arguments.
 */
const WEIGHTS = { typed: 6, summary: 4, above: 2, examples: 2, flags: 1.5, prose: 1 } as const;

type Part = keyof typeof WEIGHTS;

/** The factor for the weight of a partial match: one of the two words begins with the other word. */
const BEGINNING = 0.6;
const SYNONYM = 0.7;

/** The factor for the weight of the same word in further parts of a command. */
const AGAIN = 0.3;

const FILLING = new Set(
  [
    'a an and all am any are at be by can do does for from has have',
    'how i in into is it me my of on or that the this to was what which with you',
  ].flatMap((words) => words.split(' ')),
);

/** Words in names of commands, each with the words that people use instead. */
const SYNONYMS = synonymsByStem({
  absences: 'away day holiday leave off pto sick vacation',
  add: 'book log make new',
  burn: 'spent',
  check: 'mistake',
  complete: 'finish',
  copy: 'repeat',
  create: 'add make new',
  customers: 'client company',
  delete: 'remove',
  'drive-items': 'file',
  export: 'file',
  get: 'show',
  holidays: 'holiday',
  import: 'file',
  list: 'show',
  report: 'hour overview spent sum time total',
  status: 'overview',
  stop: 'finish',
  timers: 'clock time track',
  transition: 'close column done finish state status',
  undo: 'mistake revert',
  update: 'modify rename set',
  users: 'colleague employee people person team',
  week: 'overview team',
  'work-items': 'bug issue story ticket',
  worklogs: 'book day hour log spent time track',
});

/**
 * Returns the matching commands, best match first. A rare word counts more than a frequent word. A word in a name counts more than a word
 * in prose.
 */
export function searchCommands(places: readonly PlacedCommand[], words: string): PlacedCommand[] {
  const searched = [...new Set(wordsOf(words).filter((word) => !FILLING.has(word)))];
  const commands = indexed(places);
  const scored = commands.map((command) => ({ command, score: 0, met: 0 }));
  for (const word of searched) {
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

function synonymsByStem(synonyms: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [word, others] of Object.entries(synonyms))
    for (const other of others.split(' ').map(stemmed)) found.set(other, [...(found.get(other) ?? []), word]);
  return found;
}

interface Indexed {
  readonly place: PlacedCommand;
  readonly words: Readonly<Record<Part, ReadonlySet<string>>>;
}

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

function setOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => (word.includes('-') ? [word, ...word.split('-').map(stemmed)] : [word])));
}

function strengthOf({ words }: Indexed, searched: string): number {
  const strengths = (Object.keys(WEIGHTS) as Part[]).map((part) => WEIGHTS[part] * nearness(words[part], searched));
  if (SYNONYMS.get(searched)?.some((other) => words.typed.has(other))) strengths.push(WEIGHTS.typed * SYNONYM);
  const best = Math.max(...strengths);
  return best + AGAIN * (strengths.reduce((sum, strength) => sum + strength, 0) - best);
}

function nearness(words: ReadonlySet<string>, searched: string): number {
  if (words.has(searched)) return 1;
  if (searched.length < 4) return 0;
  for (const word of words) if (word.length >= 4 && (word.startsWith(searched) || searched.startsWith(word))) return BEGINNING;
  return 0;
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stemmed);
}

/** Reduces a word to its stem: hours, logging, created → hour, log, creat. svc compares stems, not words. */
function stemmed(word: string): string {
  if (word.includes('-')) return word;
  const ended = word
    .replace(/ies$/, 'y')
    .replace(/(?<=[^su])s$/, '')
    .replace(/(?<=\p{L}{3})(?:ing|ed)$/u, '');
  const single = ended === word ? ended : ended.replace(/([bdgmnprt])\1$/, '$1');
  return single.length > 4 ? single.replace(/e$/, '') : single;
}
