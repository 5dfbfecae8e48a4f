import { readFile, writeFile } from 'node:fs/promises';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { splitWords } from '../../src/values/command-line.ts';
import { createMachine, type RunOptions, type SignedIn } from '../support/svc.ts';
import { WEEK, WEEK_SERVICES, WEEK_WIDTHS, type WeekService, type WeekStep, weekFile } from './week.ts';

/** A Wednesday, 10:30 in Amsterdam. */
const BEGINNING = Date.parse('2026-03-18T09:30:00Z');
const MINUTE = 60_000;

/** A machine that is signed in to a service. */
type Week = Pick<SignedIn, 'host' | 'sandbox' | 'svc'>;

/** Plays the week, and returns its screens one after the other. */
async function playWeek(
  { interpretations = {}, prepare, status = 'In review', without = [] }: WeekService,
  width: number,
): Promise<readonly string[]> {
  let now = BEGINNING;
  const sandbox = await startSandbox({ approve: true, clock: { now: () => now }, limits: 'off', interpretations });
  // A machine of its own only parses the commands that svc prints: this person can’t run all of them here.
  const here = { ...(await createMachine()), sandbox, host: new URL(sandbox.origin).host };
  try {
    expect((await here.svc(['login', here.host], { now })).code).toBe(0);
    expect((await here.svc(['token', 'set'], { now, stdin: sandbox.tokens[0]?.value ?? '' })).code).toBe(0);
    prepare?.(sandbox.rows);
    const screens: string[] = [];
    for (const step of WEEK.filter(({ type }) => !without.includes(type))) {
      now += (step.after ?? 1) * MINUTE;
      const type = step.type.replace('STATUS', /\s/.test(status) ? `"${status}"` : status);
      screens.push(withoutChance(await showStep(here, { ...step, type }, { terminal: width, now }), here.host));
    }
    return screens;
  } finally {
    await sandbox.close();
    await here.remove();
  }
}

/** The text with nothing in it that two runs do not have in common. */
function withoutChance(text: string, host: string): string {
  return text
    .replaceAll(host, 'acme.example.nl')
    .replace(/\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, 'x'.repeat(26))
    .replace(/\/\S+\/(?=\.cache\/)/, '~/')
    .replace(/(?<=ABC-12-)[0-9a-f]{12}/, 'x'.repeat(12))
    .replace(/(?<=If-Match":"\\")[^\\]+/, 'x');
}

/** Runs one command as a person at a terminal does, and returns the terminal's text in the order in which svc wrote it. */
async function showStep(here: Week, { type, answers = [], edit, elsewhere }: WeekStep, options: RunOptions): Promise<string> {
  if (elsewhere !== undefined) await changeElsewhere(here, elsewhere, options);
  let shown = `$ ${type}\n`;
  const write = (text: string) => {
    shown += text;
  };
  const { code } = await here.svc(splitWords(type).slice(1), {
    ...options,
    answers,
    env: { NO_COLOR: '1', EDITOR: 'ed', SVC_PAGER: 'cat' },
    program: async (_, [file = '']) => {
      await writeFile(file, edit?.(await readFile(file, 'utf8')) ?? '');
      return 0;
    },
    onStdout: write,
    onStderr: write,
    around: (deps: Deps) => ({ ...deps, stdio: { ...deps.stdio, stderr: { ...deps.stdio.stderr, columns: options.terminal } } }),
  });
  return code === 0 ? shown : `${shown}(exit ${code})\n`;
}

async function changeElsewhere({ svc, sandbox, host }: Week, words: string, { now }: RunOptions): Promise<void> {
  const env = { SVC_TOKEN: sandbox.tokens.find(({ name }) => name === 'manager')?.value ?? '', SVC_HOST: host };
  const { code, stderr } = await svc(splitWords(words), { env, ...(now !== undefined && { now }) });
  expect(code, stderr).toBe(0);
}

/** Whether a terminal of this width would break a line that svc printed. A command, an address and a reason stay whole. */
function isTooWide(line: string, width: number): boolean {
  return stringWidth(line) > width && !/^(?:[$?] |.*https?:\/\/| *svc | *- |headers |.*: svc )/.test(line);
}

describe.each(WEEK_SERVICES)('the story of a week at $title', (service) => {
  it.each(WEEK_WIDTHS)('shows the reviewed screens in %i columns', async (width) => {
    const screens = await playWeek(service, width);
    await expect(`${screens.join('\n')}`).toMatchFileSnapshot(`screens/${weekFile(service, width)}`);
    expect(screens.flatMap((screen) => screen.split('\n')).filter((line) => isTooWide(line, width))).toEqual([]);
  });
});
