import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { afterEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { splitWords } from '../../src/values/command-line.ts';
import { SVC } from '../e2e/support/account.ts';
import { ROOT } from '../support/bundle.ts';
import { createMachine, type Machine, runHints } from '../support/svc.ts';
import { hasProgram, quoted } from '../support/terminal.ts';
import { storyPage } from './page.ts';
import { BETWEEN_COMMANDS, openShell, type Screen, type Size } from './shell.ts';
import { ORGANISATIONS, STORIES, type Story } from './stories.ts';

/** A Wednesday, 10:30 in Amsterdam. */
const BEGINNING = Date.parse('2026-03-18T09:30:00Z');

const noTerminal = hasProgram('tmux') ? undefined : 'tmux is not installed';

/**
 * Plays stories in a terminal of this size, and compares the screens with the reviewed screens. After an intended change, run `npx vitest run
 * test/stories -u`, and review the changes.
 *
 * @param stories the stories to play. Default: all.
 */
export function testStories(size: Size, stories: readonly Story[] = STORIES): void {
  const { columns, rows } = size;
  describe.skipIf(noTerminal !== undefined)(`the story${noTerminal === undefined ? '' : ` (skipped: ${noTerminal})`}`, () => {
    const ends: (() => unknown)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });

    it.each(stories)(`"$title" shows the reviewed screens in ${columns} columns`, async (story) => {
      const { screens, hosts } = await play(story, size, ends);
      await expect(storyPage(story, size, screens, hosts)).toMatchFileSnapshot(screensFile(story, size));
      expect(screens.flatMap(({ lines }) => lines).filter((line) => isTooWide(line, columns))).toEqual([]);
    });
  });

  /** Returns the path of a story’s screens. */
  function screensFile({ name }: Story, { columns: width }: Size): string {
    return `screens/${name}.${width}x${rows}.txt`;
  }
}

/** Returns true if svc printed a line that the terminal had to break. Typed text may be long. Text to copy stays whole. */
function isTooWide(line: string, columns: number): boolean {
  return stringWidth(line) > columns && !/^(?:\$ |svc | +https?:\/\/\S+$| +Resume with: svc |The same with your answers: svc )/.test(line);
}

interface PlayedStory {
  readonly screens: readonly Screen[];
  /** The hosts of the organisations, as typed. */
  readonly hosts: readonly string[];
}

/** Plays a story. @param ends receives the functions that end the story’s resources, the latest last. */
export async function play(story: Story, size: Size, ends: (() => unknown)[]): Promise<PlayedStory> {
  let commands = 0;
  const clock = { now: () => BEGINNING + commands * BETWEEN_COMMANDS };
  const sandboxes: Sandbox[] = [];
  while (sandboxes.length < (story.signedOut ? ORGANISATIONS.length : 1)) {
    const sandbox = await startSandbox({ approve: true, limits: 'off', clock });
    ends.push(() => sandbox.close());
    sandboxes.push(sandbox);
  }
  // The hosts have the order of their names, because svc may order by address.
  const hosts = sandboxes.map(({ origin }) => new URL(origin).host).sort();
  const machine = await createMachine();
  ends.push(() => machine.remove());
  const [sandbox] = sandboxes;
  if (!story.signedOut && sandbox !== undefined) await signIn(machine, sandbox);
  for (const [name, text] of Object.entries(story.files ?? {})) await writeFile(join(machine.home, name), text);
  const env = {
    HOME: machine.home,
    PATH: process.env['PATH'] ?? '',
    TZ: 'Europe/Amsterdam',
    SVC_TOKEN_STORE: 'file',
    // A story about the pager names a pager and presses its keys.
    SVC_PAGER: 'cat',
    SVC_BROWSER: [process.execPath, '--no-warnings', join(ROOT, 'scripts/approve.ts')].map(quoted).join(' '),
    ...story.env,
  };
  const shell = await openShell({ home: machine.home, svc: SVC, env, now: BEGINNING, ...size });
  ends.push(() => shell.close());
  const screens: Screen[] = [];
  for (const step of story.steps) {
    const { type, replies = [] } = typeof step === 'string' ? { type: step } : step;
    commands += 1;
    const sent = sandbox?.requests.length;
    const shown = await shell.command(withHosts(type, hosts), replies);
    screens.push(...shown);
    const [, ...lines] = shown.at(-1)?.lines ?? [];
    const code = Number(/^\(exit (\d+)\)$/m.exec(lines.join('\n'))?.[1] ?? 0);
    const result = { code, stdout: lines.join('\n'), stderr: '', sent: sandbox?.requests.slice(sent) ?? [] };
    const [only, ...others] = sandboxes;
    const options = { terminal: size.columns, now: clock.now() };
    await runHints(machine.home, others.length === 0 ? only : undefined, splitWords(type).slice(1), result, options);
  }
  return { screens, hosts };
}

/** Signs in within this process, which is faster. */
async function signIn(machine: Machine, { origin, tokens }: Sandbox): Promise<void> {
  const now = BEGINNING;
  const login = await machine.svc(['login', new URL(origin).host], { now });
  const token = await machine.svc(['token', 'set'], { now, stdin: tokens[0]?.value ?? '' });
  expect([login.code, token.code], login.stderr + token.stderr).toEqual([0, 0]);
}

function withHosts(line: string, hosts: readonly string[]): string {
  return ORGANISATIONS.reduce((text, name, index) => text.replaceAll(name, hosts[index] ?? name), line);
}
