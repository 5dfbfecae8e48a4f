import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { play } from '../stories/play-stories.ts';
import { ORGANISATIONS, type Step, YES } from '../stories/stories.ts';
import { ROOT } from '../support/bundle.ts';
import { hasProgram } from '../support/terminal.ts';

/** A tutorial. `signedOut`: signing in is a part of it. `asks`: its commands that ask, with the end of the question. */
const TUTORIALS: readonly { readonly page: string; readonly signedOut?: true; readonly asks: readonly string[] }[] = [
  { page: 'README.md', signedOut: true, asks: ['svc undo'] },
  { page: 'fix-a-month.md', asks: ['svc apply fix.plan', 'svc undo'] },
];

/** A fenced block of the page: the command that is typed, and below it what svc prints. */
const SESSION = /^```\n\$ (.+)\n[\s\S]*?```$/gm;

/** What the page calls the sandbox, which has another port in each run. */
const HOST = '127.0.0.1:4010';

describe.skipIf(!hasProgram('tmux'))('the tutorial', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  // After a change that is meant: the same command with -u writes the page, and what changed is read before it is kept.
  it.each(TUTORIALS)('shows the exact output of each svc command: $page', async ({ page: name, signedOut, asks }) => {
    const path = join(ROOT, 'docs/tutorial', name);
    const page = await readFile(path, 'utf8');
    const [organisation = ''] = ORGANISATIONS;
    const commands = [...page.matchAll(SESSION)].map(([, command = '']) => command.replace(HOST, organisation));
    const steps = commands.map((command): Step => (asks.includes(command) ? { type: command, replies: [YES] } : command));
    expect(steps.length).toBeGreaterThan(signedOut ? 8 : 6);
    const { screens, hosts } = await play(
      { name: 'tutorial', title: 'The tutorial', steps, ...(signedOut && { signedOut }) },
      { columns: 80, rows: 60 },
      ends,
    );
    // The screen after the answer shows the question too.
    const sessions = screens
      .map(({ lines }) => shown(lines, hosts[0] ?? ''))
      .filter((text) => !text.endsWith('(y/N)'))
      .values();
    await expect(page.replace(SESSION, () => `\`\`\`\n${sessions.next().value}\n\`\`\``)).toMatchFileSnapshot(path);
  });
});

/** The lines of a screen without the prompt at its end, and with a sign-in address that is cut where it names what is drawn by lot. */
function shown(lines: readonly string[], host: string): string {
  return lines
    .join('\n')
    .replace(/\n\$\s*$/, '')
    .trimEnd()
    .replaceAll(host, HOST)
    .replace(/\b[0-9a-f]{64}\b/g, '…')
    .replace(/(\/oauth\/authorize\?response_type=code&client_id=)\S*/, '$1…');
}
