import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../support/svc.ts';

let machine: Machine;
beforeAll(async () => {
  machine = await createMachine();
});
afterAll(() => machine.remove());

async function lines(...argv: readonly string[]): Promise<string[]> {
  const { code, stdout } = await machine.svc(['commands', ...argv]);
  expect(code).toBe(0);
  return stdout.trimEnd().split('\n');
}

describe('svc commands --brief', () => {
  it('prints one line per command with its arguments and summary', async () => {
    const all = await lines('--brief');
    const { stdout } = await machine.svc(['commands', '--jq', '.commands[].command']);
    expect(all.map((line) => line.replace(/(?: [<[].*)?(?: {2}.*)$/, ''))).toEqual(stdout.trimEnd().split('\n'));
    expect(all).toContain('svc worklogs get <id>...  Show a worklog');
    expect(all).toContain('svc completion <bash|zsh|fish|powershell>  Complete svc in your shell');
  });

  it('prints less than 40 kB in all, and less than 4 kB for each command group', async () => {
    const all = (await machine.svc(['commands', '--brief'])).stdout;
    expect(all.length).toBeLessThan(40_000);
    const names = new Set([...all.matchAll(/^svc ([\w-]+)/gm)].map(([, name = '']) => name));
    expect(names.size).toBeGreaterThan(50);
    for (const name of names) {
      expect((await machine.svc(['commands', name, '--brief'])).stdout.length, name).toBeLessThan(4_000);
    }
  });

  it('prints records when --output, --fields or --jq is given', async () => {
    const { stdout } = await machine.svc(['commands', 'labels', '--brief', '--output', 'tsv', '--fields', 'summary']);
    expect(stdout.split('\n').slice(0, 2)).toEqual(['summary', 'List labels']);
    expect((await machine.svc(['commands', 'labels', '--brief', '--jq', '.[1]'])).stdout).toBe(
      '{"usage":"svc labels get <id>...","summary":"Show a label"}\n',
    );
  });
});

describe('svc commands --search', () => {
  it.each([
    ['log hours', 'svc worklogs add'],
    ['logging of an hour', 'svc worklogs add'],
    ['who is on vacation', 'svc absences who'],
    ['close a ticket', 'svc work-items transition'],
    ['undo what I did', 'svc undo'],
    ['bill a customer', 'svc billing draft'],
    ['how much of the budget is spent', 'svc budgets burn'],
    ['rate limits', 'svc limits'],
    ['remove labels', 'svc labels delete'],
    ['stop the clock', 'svc timers stop'],
    ['add a comment to an issue', 'svc work-items comments create'],
  ])('"%s" prints the command %s first', async (words, command) => {
    const [first = ''] = await lines('--search', words);
    expect(first.replace(/(?: [<[].*)?(?: {2}.*)$/, '')).toBe(command);
  });

  it.each([
    ['weekend', 'svc week'],
    ['tran', 'svc workflow-transitions list'],
  ])('"%s" finds words with the same first four letters, first %s', async (word, command) => {
    const [first = ''] = await lines('--search', word);
    expect(first.replace(/(?: [<[].*)?(?: {2}.*)$/, '')).toBe(command);
  });

  it.each(['tra', 'logistics', 'ansition'])('"%s" finds no command by other parts of words, or by three letters', async (word) => {
    expect((await machine.svc(['commands', '--search', word])).code).toBe(3);
  });

  it('prints at most ten commands, and the number of further matches', async () => {
    const { stdout, stderr } = await machine.svc(['commands', '--search', 'list']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(10);
    expect(stderr).toMatch(/^\d+ other commands match fewer of the words\./);
  });

  it('searches only the subcommands of the given command', async () => {
    for (const line of await lines('drive-items', '--search', 'comment')) expect(line).toMatch(/^svc drive-items /);
  });

  it('exits 3 when nothing matches, and prints the next step', async () => {
    const { code, stdout, stderr } = await machine.svc(['commands', '--search', 'constructor __proto__ zzz']);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^svc: No command .*\n {2}Search for an action.*svc commands --brief\n$/);
  });
});
