import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/globals.ts';
import { parseInput } from '../../src/cli/parse.ts';
import { resolveCommand, walkTree } from '../../src/cli/resolve.ts';
import { EXIT_CODES } from '../../src/commands/help-topics.ts';
import { rootOf } from '../../src/commands/root.ts';
import { splitWords } from '../../src/values/command-line.ts';
import { svcBinary } from '../support/binary.ts';
import { partOf } from '../support/parts.ts';
import { type Block, blocksOf } from './blocks.ts';
import { createExampleShell, type ExampleShell } from './example-shell.ts';
import { checkShown } from './shown.ts';

const ROOT = rootOf(builtInCatalog());

// Whatever the documents tell a person to type works: it is run in a home of its own for each document, and what needs a
// shell by a real one, with the real binary. acme.example.com and beta.example.com are sandboxes, of each document its own.

const root = fileURLToPath(new URL('../..', import.meta.url));

const FOLDERS = ['docs', 'docs/guides', 'docs/explanation', 'docs/contributing'];
/** The README, and another half of the other pages each day. */
const DOCUMENTS = ['README.md', ...partOf(['CONTRIBUTING.md', ...(await Promise.all(FOLDERS.map(markdownIn))).flat()], 3)];
const EXIT_CODE_GUIDE = 'docs/guides/scripts-and-ci.md';

async function markdownIn(directory: string): Promise<string[]> {
  const names = await readdir(join(root, directory));
  return names.filter((name) => name.endsWith('.md')).map((name) => `${directory}/${name}`);
}

/** What cannot be run here is only read: svc must understand it. */
const ONLY_READ: readonly (readonly [RegExp, reason: string])[] = [
  [/ --(paste|no-browser)\b/, 'a person goes to the browser'],
  [/^svc sandbox\b(?!.*&)/, 'it runs until Ctrl-C'],
  [/^svc changes\b.* --follow\b/, 'it runs until Ctrl-C'],
  [/^svc (\S+ )?(edit|open|suggest)\b/, 'it asks a person, or opens a window'],
  [/^svc worklogs add(?: {2,}|$)/, 'it asks a person'],
  [/^svc check\b.* --fix\b/, 'it asks a person'],
  [/\| source$/, 'that is fish'],
  [/^svc close\b|\bsvc-close\b/, 'the month of the sandbox has findings, and there is no key'],
  [/^svc history\b.* --for\b|\bmonth\.plan\b/, 'one sandbox cannot stand for both hosts'],
  [/ --(to|database) '?postgres:/, 'there is no database server'],
  [/^svc config set database /, 'there is no database server for the commands that follow'],
];

/** What fails for a reason that its page tells. */
const FAILS: readonly (readonly [RegExp, code: number, reason: string])[] = [
  [/^svc check\b/, 1, 'it found something'],
  [/ --comments$/, 2, 'it is for a person at a terminal'],
];

/** Letters that nobody types: such a line shows a form, or an answer. */
const NOT_TYPED = /[…⇥]/;

let bin: Promise<string> | undefined;
afterAll(async () => {
  if (bin !== undefined) await rm(await bin, { recursive: true, force: true });
});

/** A directory with svc as people install it, for what needs a shell. */
async function makeBin(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-documents-'));
  const script = `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${svcBinary().path}' "$@"\n`;
  await writeFile(join(directory, 'svc'), script);
  await chmod(join(directory, 'svc'), 0o755);
  return directory;
}

function openBin(): Promise<string> {
  bin ??= makeBin();
  return bin;
}

describe.concurrent.each(DOCUMENTS)('%s', (document) => {
  it('shows commands that exit with the expected code and print the shown output', async () => {
    const blocks = blocksOf(await readFile(join(root, document), 'utf8')).filter(
      ({ script }) => script.includes('svc ') && !NOT_TYPED.test(script),
    );
    if (blocks.length === 0) return;
    const exampleShell = await createExampleShell(openBin);
    try {
      const signIn = { line: 0, script: await exampleShell.addressed('svc login acme.example.com\nsvc token set') };
      await typed(exampleShell, signIn, document);
      for (const block of blocks) {
        // The hours of project 12 are there to be shown, or deleted.
        const script = (await exampleShell.addressed(block.script)).replaceAll('--project 12', '--project 2');
        const run: string[] = [];
        for (const line of script.split('\n')) {
          if (ONLY_READ.some(([pattern]) => pattern.test(line))) await understood(line, `${document}:${block.line}`);
          else run.push(await asAtATerminal(exampleShell, line));
        }
        await typed(exampleShell, { line: block.line, script: run.join('\n') }, document);
        // Whoever reads on is signed in.
        if (run.some((line) => line.startsWith('svc logout'))) await typed(exampleShell, signIn, document);
      }
    } finally {
      await exampleShell.remove();
    }
  });
});

/** A person at a terminal says yes to a delete; an id that stands for one's own worklog becomes one. */
async function asAtATerminal(exampleShell: ExampleShell, line: string): Promise<string> {
  const answered = /^svc \S+ delete\b(?!.*--yes)/.test(line) ? `${line} --yes` : line;
  if (!answered.includes('5902')) return answered;
  const { stdout } = await exampleShell.type('svc worklogs add --minutes 5 --quiet --jq .id');
  return answered.replaceAll('5902', stdout.trim());
}

/** Types a block. Lines that are each a command of svc are typed one by one, for what each prints. */
async function typed(exampleShell: ExampleShell, { line, script }: Block, document: string): Promise<void> {
  const lines = script.split('\n').filter((each) => each.trim() !== '');
  const scripts = lines.every((each) => each.startsWith('svc ')) ? lines : [script];
  for (const each of scripts) {
    const result = await exampleShell.type(each);
    const [, expected = 0] = FAILS.find(([pattern]) => pattern.test(each)) ?? [];
    const where = `${document}:${line}\n${each}\n${result.stdout}${result.stderr}`;
    expect(result.code, where).toBe(expected);
    checkShown(scripts.length === 1 ? (lines.at(-1) ?? '') : each, result, where);
  }
}

/** Whether svc understands a line, without running it. */
async function understood(line: string, where: string): Promise<void> {
  const [, ...argv] = splitWords(line.replace(/ [|#].*$/, ''));
  try {
    const { path, spec, args } = await resolveCommand(ROOT, argv, GLOBAL_OPTIONS);
    parseInput(spec, path, GLOBAL_OPTIONS, args);
  } catch (error) {
    throw new Error(`${where}: ${line}: ${error instanceof Error ? error.message : error}`);
  }
}

describe('the examples in help and in the reference', () => {
  it('are understood by svc', async () => {
    for await (const { path, spec } of walkTree(ROOT)) {
      for (const { args } of spec.examples ?? []) await understood(`svc ${args.replace(/ [<>|] .*$/, '')}`, path.join(' '));
    }
  });
});

describe('the guide of scripts and CI', () => {
  it('gives each exit code the same meaning as svc commands', async () => {
    const rows = [...(await readFile(join(root, EXIT_CODE_GUIDE), 'utf8')).matchAll(/^\| (\d+) \| (.*?) \| .*\|$/gm)];
    expect(Object.fromEntries(rows.map(([, code, meaning]) => [code, meaning?.replaceAll('`', '')]))).toEqual(EXIT_CODES);
  });
});
