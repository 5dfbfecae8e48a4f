import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtInCatalog } from '../../src/catalog/index.ts';
import type { CommandSpec } from '../../src/cli/spec.ts';
import { rootOf } from '../../src/commands/root.ts';
import type { Deps, Prompts } from '../../src/deps.ts';
import { InterruptedError } from '../../src/errors.ts';
import { type Row, type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { splitWords } from '../../src/values/command-line.ts';
import { HOSTILE, type ServerBehaviour, startHostileService } from '../support/hostile-service.ts';
import { partOf } from '../support/parts.ts';
import { createMachine, type RunOptions } from '../support/svc.ts';

/** A command of the tree, including hidden commands. */
interface Leaf {
  readonly path: readonly string[];
  readonly group: string;
  readonly examples: readonly string[];
  /** The flags whose values are names of records. */
  readonly completing: readonly string[];
}

/** The surroundings of a command: the reader, and the flags for that reader. */
export interface Way {
  readonly name: string;
  readonly flags: readonly string[];
  readonly options: RunOptions;
  /** Returns true if stdout is for people, and not data. */
  readonly isRead: (argv: readonly string[]) => boolean;
}

const AT_TERMINAL: RunOptions = { terminal: 100, answers: [], env: { EDITOR: 'ed' } };

/** Matches commands whose output in a pipe is always data, and flags that name a format. */
const DATA = /^(?:api|completion|config (?:get|path)|auth print-token|.* download)\b| (?:--jq|-o|--output|--json|--raw|--fields)\b/;

export const WAYS: readonly Way[] = [
  { name: 'at a terminal, with --debug', flags: ['--debug'], options: AT_TERMINAL, isRead: () => true },
  {
    name: 'in a pipe, as a table, with --error-format json',
    flags: ['-o', 'table', '--error-format', 'json'],
    options: {},
    isRead: (argv) => !DATA.test(argv.slice(0, -4).join(' ')),
  },
  {
    name: 'at a terminal, heard, with --error-format json',
    flags: ['--error-format', 'json'],
    options: { ...AT_TERMINAL, env: { EDITOR: 'ed', ACCESSIBLE: '1' } },
    isRead: () => true,
  },
];

/** The findings of a sweep, and the number of examined outputs. */
export interface Sweep {
  readonly commands: number;
  readonly runs: number;
  readonly fields: number;
  readonly prompts: number;
  readonly candidates: number;
  /** The dangerous characters that reached a terminal: the command, and the first of them. */
  readonly leaks: readonly string[];
  /** The number of runs by exit code. */
  readonly codes: Readonly<Record<string, number>>;
}

/**
 * Runs every command of svc with its own examples on a service whose texts are all hostile. Checks every byte that a terminal or a person
 * receives.
 * @param most highest number of examples per command of a resource, which are very similar. All examples of other commands run.
 * @param parts the number of parts of the commands, of which one runs. Default 1: all commands.
 */
export async function sweep(behaviour: ServerBehaviour, ways: readonly Way[], most: number, parts = 1): Promise<Sweep> {
  const sandbox = await startSandbox({ approve: true, limits: 'off' });
  const service = await startHostileService(sandbox.origin);
  const machine = await createMachine();
  const host = new URL(service.origin).host;
  const leaks = new Set<string>();
  const codes: Record<string, number> = {};
  const count = { runs: 0, prompts: 0, candidates: 0 };
  const background: (readonly string[])[] = [];

  async function signIn(): Promise<void> {
    const { behaviour } = service;
    service.behaviour = 'plain';
    const login = await machine.svc(['login', host]);
    const set = await machine.svc(['token', 'set'], { stdin: sandbox.tokens[0]?.value ?? '' });
    if (login.code + set.code !== 0) throw new Error(login.stderr + set.stderr);
    service.behaviour = behaviour;
  }

  /** Runs a line, and checks its output. */
  async function look(argv: readonly string[], way: Pick<Way, 'name' | 'options' | 'isRead'>): Promise<string> {
    count.runs += 1;
    const shown: string[] = [];
    const stop = new AbortController();
    const around = (deps: Deps): Deps => {
      const prompts = obliging(shown, () => (count.prompts += 1));
      return { ...deps, prompts, plainPrompts: prompts };
    };
    const { code, stdout, stderr } = await machine.svc(argv, {
      ...way.options,
      around,
      signal: stop.signal,
      now: NOW,
      hurried: true,
      // The test stops a command that runs until Ctrl-C after its first output.
      onStdout: (text) => void (argv[0] === 'sandbox' && text !== '' && stop.abort()),
      onStartSelf: (line) => void background.push(line),
      program: async (_, __, input) => {
        for await (const _piece of input ?? []);
        return 0;
      },
      pager: async (_, input) => {
        let length = 0;
        for await (const text of input) {
          shown.push(text);
          length += text.length;
          // A person closes the pager of a long list.
          if (length > 100_000) break;
        }
        return 'shown';
      },
    });
    codes[code] = (codes[code] ?? 0) + 1;
    const seen = [...shown, stderr, ...(way.isRead(argv) ? [stdout] : [])];
    for (const leak of seen.flatMap(leaksIn)) leaks.add(`svc ${argv.join(' ')} (${service.behaviour}, ${way.name}): ${leak}`);
    return stdout;
  }

  const before = process.cwd();
  try {
    // The examples read and create their files here.
    process.chdir(machine.home);
    await Promise.all(Object.entries(FILES).map(([name, text]) => writeFile(join(machine.home, name), text)));
    const catalog = builtInCatalog();
    const nouns = catalog.nouns.map(({ noun }) => noun);
    const leaves = partOf(await leavesOf(rootOf(catalog)), parts).toSorted((one, other) => Number(isDelete(one)) - Number(isDelete(other)));
    const names = namesIn(sandbox, nouns);
    await signIn();
    service.behaviour = behaviour;
    const known = new Set<string>();
    const isNew = (flag: string) => !known.has(flag) && known.add(flag).size > 0;
    for (const { path, group, examples, completing } of leaves) {
      if (examples.length === 0) throw new Error(`svc ${path.join(' ')} has no example, so nobody sees what it prints.`);
      for (const example of examples.slice(0, group === 'Resources' ? most : undefined)) {
        for (const way of ways) {
          if (group === 'Signing in') await signIn();
          const words = wordsOf(example, names, sandbox);
          await look([...words, ...way.flags], way);
          // Without its flags, the command asks for missing values if a person is there.
          const bare = words.slice(
            0,
            words.findIndex((word) => word.startsWith('-')),
          );
          if (way.options.terminal !== undefined && bare.length >= path.length && bare.length < words.length - 1)
            await look([...bare, ...(path.at(-1) === 'list' ? FIRST_ROWS : []), ...way.flags], way);
        }
      }
      if (group === 'Signing in') await signIn();
      // This tests completion before and after the background process has fetched the names.
      for (const typed of [path, ...completing.filter(isNew).map((flag) => [...path, flag])]) {
        const line = ['__complete', '--', ...typed, ''];
        const completed = { name: 'completed', options: {}, isRead: () => true };
        let stdout = await look(line, completed);
        if (background.length > 0) {
          for (const fetching of background.splice(0)) await machine.svc(fetching, { now: NOW, hurried: true });
          stdout = await look(line, completed);
        }
        count.candidates += stdout.split('\n').length - 2;
      }
    }
    return { commands: leaves.length, fields: service.fields.size, ...count, leaks: [...leaks], codes };
  } finally {
    process.chdir(before);
    await service.close();
    await sandbox.close();
    await machine.remove();
  }
}

/** A Monday within the sandbox’s data. */
const NOW = Date.UTC(2026, 5, 15, 10);

/** The flags of a list without its own flags. The rows after the first hundred are very similar. */
const FIRST_ROWS = ['--limit', '100'];

/** The files that the examples name. */
const FILES: Readonly<Record<string, string>> = {
  'given.csv': `date,minutes,description,name,${HOSTILE}\n2026-06-15,30,${HOSTILE},${HOSTILE},1\n`,
  'given.md': HOSTILE,
  'given.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: HOSTILE, version: HOSTILE },
    paths: { [`/${HOSTILE}`]: {} },
    name: HOSTILE,
  }),
  'given.ics': `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260615T080000Z\r\nDTEND:20260615T090000Z\r\nSUMMARY:${HOSTILE.replaceAll(/[\r\n]/g, '')}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
};

async function leavesOf(spec: CommandSpec, path: readonly string[] = [], group = ''): Promise<Leaf[]> {
  const below = await Promise.all(
    (spec.commands ?? []).map(async (entry) => leavesOf(await entry.load(), [...path, entry.name], group || entry.group)),
  );
  if (spec.run === undefined) return below.flat();
  const flags = Object.values(spec.options ?? {}).filter(({ completes }) => typeof completes === 'object' && 'records' in completes);
  const completing = flags.flatMap(({ flags: spelling }) => /--[\w-]+/.exec(spelling) ?? []);
  return [{ path, group, examples: (spec.examples ?? []).map(({ args }) => args), completing }, ...below.flat()];
}

/** Returns true for a command that deletes. Such commands come last, so that the others have records. */
function isDelete({ path }: Leaf): boolean {
  return path.at(-1) === 'delete';
}

/** Returns the names of the sandbox’s records. */
function namesIn(sandbox: Sandbox, nouns: readonly string[]): ReadonlySet<unknown> {
  return new Set(nouns.flatMap((noun) => rowsOf(sandbox, noun).flatMap(({ name, title, email }) => [name, title, email])));
}

function rowsOf(sandbox: Sandbox, noun: string): readonly Row[] {
  try {
    return sandbox.rows(noun);
  } catch {
    return [];
  }
}

/** Returns the words of an example, for an existing record by its hostile name. Leaves out pipes and endless following. */
function wordsOf(example: string, names: ReadonlySet<unknown>, sandbox: Sandbox): string[] {
  const words = splitWords(example.split(/ [<>|] /)[0] ?? '').filter((word) => word !== '--follow');
  return words.map((word, index) => {
    if (names.has(word)) return HOSTILE + word;
    if (word === '4010') return '0';
    if (/^\d+$/.test(word) && index === 2) return String(rowsOf(sandbox, words[0] ?? '')[0]?.['id'] ?? word);
    return /^@?[a-z][\w-]*\.[a-z]+$/.test(word) ? word.replace(/[\w-]+(?=\.)/, 'given') : word;
  });
}

/**
 * Returns prompts of a person who agrees to everything. The person takes the first choice, searches, presses Tab, and stops after a few
 * lines.
 */
function obliging(shown: string[], onPrompt: () => void): Prompts {
  let typed = 0;
  let asked = 0;
  const see = (...texts: readonly string[]) => {
    onPrompt();
    shown.push(...texts);
  };
  return {
    async confirm(question) {
      see(question);
      return true;
    },
    async secret(question) {
      see(question);
      return 'pat_something';
    },
    async line(question) {
      see(question);
      asked += 1;
      const next = ['30', '2026-06-15', 'Text', '08:00'][asked - 1];
      if (next === undefined) throw new InterruptedError('Interrupted.');
      return next;
    },
    async typed(prompt, _, { history, complete }) {
      see(prompt, ...history, ...['', 'SELECT ', 'SELECT * FROM '].flatMap((text) => [...complete(text).choices]));
      typed += 1;
      return ['SELECT * FROM worklogs LIMIT 3;', '\\d'][typed - 1];
    },
    async pick(question, choices, _, more) {
      const found = (await more?.('qx').catch((error: unknown) => [{ name: String(error), value: '' }])) ?? [];
      see(question, ...[...choices, ...found].map(({ name }) => name));
      return choices[0]?.value ?? '';
    },
  };
}

/** Matches the colours of svc, and the status line. */
const OWN = /\u001b\[(?:0|1|2|22|3[1-6]|39|90)m|\r\u001b\[K/g;

/**
 * Matches characters that a terminal acts on, that reorder text or that are invisible. The expression does not depend on the tested code.
 */
const DANGEROUS =
  /\u001b\[31mQX|[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\u{e0000}-\u{e007f}]|(?<!\p{Extended_Pictographic})\ufe0f/u;

function leaksIn(text: string): string[] {
  const at = /\u001b\[31mQX/.test(text) ? text : text.replace(OWN, '');
  const found = DANGEROUS.exec(at);
  return found === null ? [] : [JSON.stringify(at.slice(Math.max(0, found.index - 40), found.index + 20))];
}
