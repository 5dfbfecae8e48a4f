import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/globals.ts';
import { parseInput } from '../../src/cli/parse.ts';
import { resolveCommand } from '../../src/cli/resolve.ts';
import { walkTree } from '../../src/cli/tree.ts';
import { ROOT } from '../../src/commands/root.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { splitWords } from '../../src/system/split-words.ts';
import { svcBinary } from '../support/binary.ts';
import { type Block, blocksOf } from './blocks.ts';

// Whatever the documents tell a person to type works: it is run, by a real shell, with the real binary, in a home of its own
// for each document. acme.example.com and beta.example.com are two sandboxes.

const root = fileURLToPath(new URL('../..', import.meta.url));

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', ...(await markdownIn('docs')), ...(await markdownIn('docs/guides'))];

async function markdownIn(directory: string): Promise<string[]> {
  const names = await readdir(join(root, directory));
  return names.filter((name) => name.endsWith('.md')).map((name) => `${directory}/${name}`);
}

/** What cannot be run here is only read: svc must understand it. */
const ONLY_READ: readonly (readonly [RegExp, reason: string])[] = [
  [/ --(paste|no-browser)\b/, 'a person goes to the browser'],
  [/^svc sandbox\b(?!.*&)/, 'it runs until Ctrl-C'],
  [/^svc (\S+ )?(edit|open|suggest)\b/, 'it asks a person, or opens a window'],
  [/\| source$/, 'that is fish'],
];

/** What fails for a reason that its page tells. */
const FAILS: readonly (readonly [RegExp, code: number, reason: string])[] = [
  [/^svc timers stop$/, 1, 'the service shows no operation that stops a timer'],
];

/** Letters that nobody types: such a line shows a form, or an answer. */
const NOT_TYPED = /[…⇥]/;

const binary = svcBinary();
let acme: Sandbox;
let beta: Sandbox;
let bin: string;
beforeAll(async () => {
  [acme, beta] = await Promise.all([startSandbox({ approve: true, limits: 'off' }), startSandbox({ approve: true })]);
  bin = await mkdtemp(join(tmpdir(), 'svc-documents-'));
  await writeFile(join(bin, 'svc'), `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${binary.path}' "$@"\n`);
  await chmod(join(bin, 'svc'), 0o755);
});
afterAll(async () => {
  await Promise.all([acme.close(), beta.close(), rm(bin, { recursive: true, force: true })]);
});

/** A person's machine, on which the commands of one document are typed one after another. */
interface Desk {
  type(script: string): Promise<{ readonly code: number; readonly output: string }>;
  remove(): Promise<void>;
}

async function createDesk(): Promise<Desk> {
  const home = await mkdtemp(join(tmpdir(), 'svc-document-'));
  const cwd = join(home, 'work');
  await mkdir(cwd);
  const token = acme.tokens[0]?.value ?? '';
  await writeFile(join(cwd, 'token.txt'), token);
  for (const name of ['hours.csv', 'toggl.csv']) await writeFile(join(cwd, name), HOURS);
  await writeFile(join(cwd, 'worklogs.csv'), 'date,minutes,description\n2026-03-02,30,Imported\n');
  const env = {
    HOME: home,
    PATH: `${bin}:${process.env['PATH']}`,
    SVC_TOKEN_STORE: 'file',
    SVC_BROWSER: `"${process.execPath}" --no-warnings "${join(root, 'scripts/approve.ts')}"`,
    TZ: 'Europe/Amsterdam',
  };
  return {
    // What is asked for on stdin is the personal token.
    type: (script) =>
      new Promise((resolve) => {
        const child = execFile('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd, env }, (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` });
        });
        child.stdin?.on('error', () => undefined).end(token);
      }),
    remove: () => rm(home, { recursive: true, force: true }),
  };
}

const HOURS = `User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags
Sanne de Vries,sanne@example.com,,Web shop,,Toggl entry,Yes,2026-03-02,09:00:00,2026-03-02,10:30:00,01:30:00,
`;

describe.concurrent.each(DOCUMENTS)('%s', (document) => {
  it('shows commands that work', async () => {
    const blocks = blocksOf(await readFile(join(root, document), 'utf8')).filter(
      ({ script }) => script.includes('svc ') && !NOT_TYPED.test(script),
    );
    if (blocks.length === 0) return;
    const desk = await createDesk();
    try {
      const host = (sandbox: Sandbox) => new URL(sandbox.origin).host;
      const signIn = { line: 0, script: `svc login ${host(acme)} && svc token set < token.txt` };
      await typed(desk, signIn, document);
      for (const block of blocks) {
        const script = block.script
          .replaceAll('acme.example.com', host(acme))
          .replaceAll('beta.example.com', host(beta))
          .replaceAll('127.0.0.1:4010', host(acme))
          // Its hours are there to be shown, or deleted.
          .replaceAll('--project 12', '--project 2');
        const lines = script.split('\n');
        const run: string[] = [];
        for (const line of lines) {
          if (ONLY_READ.some(([pattern]) => pattern.test(line))) await understood(line, `${document}:${block.line}`);
          else run.push(await asAtATerminal(desk, line));
        }
        await typed(desk, { line: block.line, script: run.join('\n') }, document);
        // Whoever reads on is signed in.
        if (run.some((line) => line.startsWith('svc logout'))) await typed(desk, signIn, document);
      }
    } finally {
      await desk.remove();
    }
  });
});

/** A person at a terminal says yes to a delete; an id that stands for one's own worklog becomes one. */
async function asAtATerminal(desk: Desk, line: string): Promise<string> {
  const answered = /^svc \S+ delete\b(?!.*--yes)/.test(line) ? `${line} --yes` : line;
  if (!answered.includes('5902')) return answered;
  const { output } = await desk.type('svc worklogs add --minutes 5 --quiet --jq .id');
  return answered.replaceAll('5902', output.trim());
}

async function typed(desk: Desk, { line, script }: Block, document: string): Promise<void> {
  const { code, output } = await desk.type(script);
  const [, expected = 0] = FAILS.find(([pattern]) => pattern.test(script)) ?? [];
  expect(code, `${document}:${line}\n${script}\n${output}`).toBe(expected);
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
  it('are understood', async () => {
    for await (const { path, spec } of walkTree(ROOT)) {
      for (const { args } of spec.examples ?? []) await understood(`svc ${args.replace(/ [<>|] .*$/, '')}`, path.join(' '));
    }
  });
});

describe('the README', () => {
  it('says what each exit code means, as svc commands does', async () => {
    const rows = [...(await readFile(join(root, 'README.md'), 'utf8')).matchAll(/^\| (\d+) \| (.*) \|$/gm)];
    expect(Object.fromEntries(rows.map(([, code, meaning]) => [code, meaning?.replaceAll('`', '')]))).toEqual(EXIT_CODES);
  });
});
