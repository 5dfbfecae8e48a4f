import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

// For whoever does not see colours, or hears the screen instead of seeing it.

let machine: SignedIn;
beforeAll(async () => {
  machine = await signedIn({ limits: 'off' });
});
afterAll(() => machine.remove());

const COMMANDS = [
  ['worklogs', 'list', '--limit', '20'],
  ['worklogs', 'get', '1'],
  ['projects', 'list'],
  ['week'],
  ['report', '--from', '2026-01-01', '--to', '2026-06-30', '--by', 'project,user'],
  ['auth', 'status'],
  ['doctor'],
  ['resources'],
  ['worklogs', 'get', '999999999'],
];

const SEEN: RunOptions = { terminal: 100, answers: [] };

describe.each(COMMANDS.map((argv) => [argv.join(' '), argv] as const))('svc %s', (_, argv) => {
  it('says the same without colours', async () => {
    const colored = await machine.svc(argv, { ...SEEN, env: { FORCE_COLOR: '1' } });
    const plain = await machine.svc(argv, { ...SEEN, env: { NO_COLOR: '1' } });
    const uncolored = (text: string) => text.replace(/\u001b\[[\d;]*m/g, '');
    expect(masked(uncolored(colored.stdout))).toBe(masked(plain.stdout));
    expect(masked(uncolored(colored.stderr))).toBe(masked(plain.stderr));
  });

  it.each<[string, readonly string[], RunOptions]>([
    ['in a pipe', ['--output', 'table'], {}],
    ['with --no-color', ['--no-color'], SEEN],
    ['with NO_COLOR', [], { ...SEEN, env: { NO_COLOR: '1' } }],
    ['on a dumb terminal', [], { ...SEEN, env: { TERM: 'dumb' } }],
  ])('draws nothing %s', async (_, more, options) => {
    const { stdout, stderr } = await machine.svc([...argv, ...more], options);
    // A line that is drawn over and over is noise in a log, and to a screen reader.
    expect(stdout).not.toMatch(/[\u001b\r\u0007]/);
    expect(stderr).not.toMatch(/[\u001b\u0007]/);
  });
});

/** Without what differs between two runs of one command. */
function masked(text: string): string {
  return text
    .replace(/ +$/gm, '')
    .replace(/01[0-9A-HJKMNP-TV-Z]{24}/g, '<request>')
    .replace(/\d+(\.\d+)? (ms|s|seconds?)\b/g, '<span>');
}
