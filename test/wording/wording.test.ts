import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandsIn, misunderstood } from '../support/printed-commands.ts';
import { isProse, literalsOf } from './texts.ts';

// Whatever svc can say to a person stands in messages.txt, so that a changed word is seen by whoever reads the change. After a
// change that is meant: npx vitest run test/wording -u

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** The sandbox speaks as the service, the scripts of completion to shells; the catalog's texts are listed in docs/reference. */
const OTHERS = ['sandbox/', 'cli/complete/scripts/', 'catalog/'];

const texts = new Map<string, readonly string[]>();
/** Every literal with `svc` in it, also one that ends with a value. */
const withCommands = new Map<string, readonly string[]>();
for (const name of (await readdir(src, { recursive: true })).sort()) {
  const file = name.replaceAll('\\', '/');
  if (!file.endsWith('.ts') || OTHERS.some((other) => file.startsWith(other))) continue;
  const literals = literalsOf(await readFile(join(src, file), 'utf8'));
  const found = literals.filter(isProse);
  withCommands.set(
    file,
    literals.filter((text) => text.includes('svc ')),
  );
  if (found.length > 0) texts.set(file, found);
}

describe('the texts of svc', () => {
  it('are listed in messages.txt', async () => {
    const listed = [...texts].map(([file, found]) => `${file}\n${found.map((text) => `  ${text.replaceAll('\n', '\\n')}\n`).join('')}`);
    await expect(listed.join('\n')).toMatchFileSnapshot('messages.txt');
  });

  /** One voice: plain words, no excuses, no cheering; what somebody means to say can be said otherwise. */
  it.each([
    [/\b(please|sorry|oops|unfortunately|successfully)\b/i, 'a word of politeness'],
    [/\b(invalid|illegal|unable to|abort(ed)?|fatal|unexpected error)\b/i, 'technical jargon'],
    [/\b(e\.g\.|i\.e\.|etc\.|via)(?=\W|$)/i, 'an abbreviation'],
    [/!(?=\s|$)/, 'an exclamation mark'],
    [/\b(can't|don't|won't|isn't|doesn't|couldn't)\b/i, 'a short form'],
  ])('contain no text that matches %s (%s)', (pattern) => {
    const used = [...texts].flatMap(([file, found]) => found.filter((text) => pattern.test(text)).map((text) => `${file}: ${text}`));
    expect(used).toEqual([]);
  });
});

/** A text as svc could print it: with a host and a number where values come, and without what is added only at times. */
function printed(text: string): string {
  return text
    .replace(/(?<=[ "])\$\{[^}]*\bhost\b[^}]*\}/g, 'acme.example.com')
    .replace(/(?<=[ ="])\$\{[^}]*\}/g, '1')
    .replace(/\$\{.*?(?:\}|$)/g, '');
}

it('the texts of svc name only commands that svc understands', async () => {
  const wrong: string[] = [];
  let count = 0;
  for (const [file, found] of withCommands) {
    for (const text of found.filter((each) => !NO_COMMAND.test(each))) {
      for (const command of commandsIn(printed(text))) {
        count += 1;
        const isSentence = / (?:again|first|instead|then)$/.test(command);
        const why = isSentence ? 'It ends with a word of the sentence.' : await misunderstood(command);
        if (why !== undefined) wrong.push(`${file}: ${text}\n  ${command}: ${why}`);
      }
    }
  }
  expect(count).toBeGreaterThan(150);
  expect(wrong).toEqual([]);
});

/** A command that lacks something is what these texts are about. */
const NO_COMMAND = /^"svc [a-z -]+" needs |^svc [a-z-]+ (?:asks|shows|prints|sends) /;

/** What is wrong with one row of many: a line below an error that says what to do. */
const ROWS = [
  'bulk/import/check-rows.ts',
  'commands/sql/planned-rows.ts',
  'commands/time/import/match-names.ts',
  'commands/time/import/own-rows.ts',
  'time/day-text.ts',
  'time/exports/dates.ts',
  'time/exports/duration.ts',
  'time/exports/klog.ts',
  'time/exports/timewarrior.ts',
  'time/exports/watson.ts',
];

describe('an error', () => {
  it('names the next step wherever src creates an error, except for rows of a file', async () => {
    const silent: string[] = [];
    for (const file of [...texts.keys()].filter((name) => !ROWS.includes(name))) {
      const source = await readFile(join(src, file), 'utf8');
      for (const made of source.matchAll(
        /new (?:Usage|NotFound|SignIn|Forbidden|Conflict|RateLimit|Unavailable|Refused|Partial|Declined|Svc|Network)Error\(/g,
      )) {
        const args = argumentsAt(source, made.index + made[0].length);
        if (!/\b(hint|options|\.\.\.)/.test(args)) silent.push(`${file}: ${made[0]}${args})`);
      }
    }
    expect(silent).toEqual([]);
  });
});

/** The text up to the bracket that closes the one before it. Brackets within texts of this project come in pairs. */
function argumentsAt(source: string, start: number): string {
  let depth = 1;
  let at = start;
  for (; depth > 0; at += 1) depth += source[at] === '(' ? 1 : source[at] === ')' ? -1 : 0;
  return source.slice(start, at - 1);
}

describe('the reader of literals', () => {
  it('finds literals in code, but not in comments', () => {
    const source = `import { a } from './a.ts'; // don't
const b = /["'\`]/.test(x) ? \`One \${y ? \`two \${z}\` : 'three'} four\` : "it's";
const c = 4 / 2; /* "no" */ const d = { e: 'say "hi"' };`;
    expect(literalsOf(source)).toEqual(['./a.ts', `One \${y ? \`two \${z}\` : 'three'} four`, `two \${z}`, 'three', "it's", 'say "hi"']);
  });
});
