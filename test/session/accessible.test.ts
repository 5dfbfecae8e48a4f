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

describe.each(COMMANDS.map((argv) => [argv.join(' '), argv] as const))('the output of svc %s', (_, argv) => {
  it('contains the same text without colours', async () => {
    // Some notices come once a day.
    await machine.svc(argv, SEEN);
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
  ])('contains no escape codes %s', async (_, more, options) => {
    const { stdout, stderr } = await machine.svc([...argv, ...more], options);
    // A line that is drawn over and over is noise in a log, and to a screen reader.
    expect(stdout).not.toMatch(/[\u001b\r\u0007]/);
    expect(stderr).not.toMatch(/[\u001b\u0007]/);
  });
});

describe('svc for a screen reader', () => {
  const HEARD = { ACCESSIBLE: '1' };

  it.each([...COMMANDS, ['status'], ['help', 'formats']].map((argv) => [argv.join(' '), argv] as const))(
    'draws no boxes, bars or redrawn lines: %s',
    async (_, argv) => {
      const { stdout, stderr } = await machine.svc(argv, { ...SEEN, env: { ...HEARD, NO_COLOR: '1' } });
      expect(stdout + stderr).not.toMatch(/[\u2500-\u259f\u2800-\u28ff\u001b\r]/);
    },
  );

  it('prints the project of each record on a labelled line, without columns or rules', async () => {
    const argv = ['worklogs', 'get', '1', '2', '--no-color', '--quiet'];
    const { stdout } = await machine.svc(argv, { terminal: 40, answers: [], env: HEARD });
    expect(stdout).toMatch(/\nProject: \S.*\n/);
    expect(stdout).not.toMatch(/ {2}|─/);
    expect(stdout.match(/^Project: /gm)).toHaveLength(2);
    expect(stdout).not.toMatch(/\n\n\n/);
  });

  it('prints a list as one block of uncut, labelled lines for each record', async () => {
    const argv = ['worklogs', 'list', '--limit', '2', '--no-color', '--quiet'];
    const { stdout } = await machine.svc(argv, { terminal: 40, answers: [], env: HEARD });
    const blocks = stdout.trimEnd().split('\n\n');
    expect(blocks).toHaveLength(2);
    for (const block of blocks) {
      const labels = block.split('\n').map((line) => line.slice(0, line.indexOf(':')));
      expect(labels).toEqual(['ID', 'Date', 'Duration', 'Project', 'Work item', 'User', 'Description']);
      expect(block).not.toContain('…');
    }
  });

  it('prints each field of a record on a line, with escape codes made visible', async () => {
    const made = await machine.svc(['projects', 'create', '--data', '{"name":"\\u001b[2J Zap"}', '-o', 'ids']);
    const { stdout } = await machine.svc(['projects', 'get', made.stdout.trim(), '--fields', 'id,name,created_at', '--no-color'], {
      ...SEEN,
      env: HEARD,
    });
    expect(stdout).toMatch(/^ID: \d+\nName: ␛\[2J Zap\nCreated at: \d{4}-\d\d-\d\d \d\d:\d\d\n$/);
  });

  it('names the days of a week, and the groups of each row of a report', async () => {
    const week = await machine.svc(['week', '2026-06-17', '--no-color', '--target', '8h'], { ...SEEN, env: HEARD });
    expect(week.stdout).toMatch(/\n\nLogged\n(\w{3} \d+: \d\w+\n)*Total: \w+\n\nTarget\nMon 15: 8h\n/);
    const report = ['report', '--from', '2026-01-01', '--to', '2026-06-30', '--by', 'project,user', '--no-color'];
    const { stdout } = await machine.svc(report, { ...SEEN, env: HEARD });
    const [, ...blocks] = stdout.trimEnd().split('\n\n');
    const inner = blocks.filter((block) => /^User: /m.test(block));
    expect(inner.length).toBeGreaterThan(3);
    for (const block of inner) expect(block).toMatch(/^Project: .+\nUser: .+\nTime: \w+\nShare: [\d.]+%\n/);
    expect(blocks.at(-1)).toMatch(/^Total\nTime: \w+\nShare: 100\.0%\n/);
  });

  it('opens no pager, unless SVC_PAGER names a pager', async () => {
    const paged: string[] = [];
    const pager: RunOptions['pager'] = async (command, input) => {
      paged.push(command);
      for await (const _ of input);
      return 'shown';
    };
    const list = ['users', 'list', '--limit', '2'];
    await machine.svc(list, { ...SEEN, rows: 3, pager, env: { ...HEARD, PAGER: 'less' } });
    await machine.svc(list, { ...SEEN, rows: 3, pager, env: HEARD });
    expect(paged).toEqual([]);
    await machine.svc(list, { ...SEEN, rows: 3, pager, env: { ...HEARD, PAGER: 'less', SVC_PAGER: 'more' } });
    await machine.svc(list, { ...SEEN, rows: 3, pager, env: { PAGER: 'less' } });
    expect(paged).toEqual(['more', 'less']);
  });

  it('follows the setting accessible, and ACCESSIBLE takes precedence', async () => {
    const list = async (env: Readonly<Record<string, string>> = {}) =>
      (await machine.svc(['users', 'list', '--limit', '1', '--fields', 'id', '--no-color'], { ...SEEN, env })).stdout;
    expect(await list()).toBe('ID\n 1\n');
    expect(await machine.svc(['config', 'set', 'accessible', 'on'])).toMatchObject({ code: 0, stderr: 'accessible is now on.\n' });
    expect(await list()).toBe('ID: 1\n');
    expect(await list({ ACCESSIBLE: '' })).toBe('ID: 1\n');
    expect(await list({ ACCESSIBLE: '0' })).toBe('ID\n 1\n');
    expect(await machine.svc(['config', 'set', 'accessible', 'loud'])).toMatchObject({ code: 2 });
    expect(await machine.svc(['config', 'set', 'accessible', 'true'])).toMatchObject({ code: 0, stderr: 'accessible is now on.\n' });
    expect(await machine.svc(['config', 'set', 'accessible', 'false'])).toMatchObject({ code: 0, stderr: 'accessible is now off.\n' });
    await machine.svc(['config', 'unset', 'accessible']);
    expect(await list({ ACCESSIBLE: '1' })).toBe('ID: 1\n');
  });

  it.each(['json', 'csv', 'tsv', 'yaml', 'ids', 'ndjson'])('leaves %s output unchanged', async (format) => {
    const list = ['worklogs', 'list', '--limit', '3', '-o', format];
    expect((await machine.svc(list, { env: HEARD })).stdout).toBe((await machine.svc(list)).stdout);
  });
});

describe('output on a narrow terminal', () => {
  const NARROW: RunOptions = { terminal: 40, answers: [], env: { NO_COLOR: '1' } };
  const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

  it('has a table that fits, and blocks instead of a table that does not fit', async () => {
    const list = await machine.svc(['worklogs', 'list', '--limit', '2', '--quiet'], { ...NARROW, terminal: 24 });
    expect(list.stdout).toMatch(/^ID: \d+\nDate: \d{4}-\d\d-\d\d\nDuration: /);
    const table = await machine.svc(['worklogs', 'list', '--limit', '2', '--fields', 'id,date,description', '--quiet'], NARROW);
    expect(table.stdout).toMatch(/^ *ID {2}DATE/);
    expect(widest(table.stdout)).toBeLessThanOrEqual(40);
  });

  it.each([
    [['--help']],
    [['worklogs', '--help']],
    [['worklogs', 'list', '--help']],
    [['work-items', 'update', '--help']],
    [['help', 'dates']],
  ])('has no line of help wider than the terminal, except commands, for %j', async (argv) => {
    const { stdout } = await machine.svc(argv, NARROW);
    // A command to type, usage among them, stays as it is, and so does a line of names that are one word.
    const broken = stdout.split('\n').filter((line) => line.length > 40 && !/^ {2}(?:svc|#|-|\w+ ?[<[])/.test(line));
    expect(broken).toEqual([]);
  });

  it('has a week as blocks at 40 columns, and as a grid at 80', async () => {
    expect((await machine.svc(['week', '2026-06-17'], NARROW)).stdout).toMatch(/\n\nLogged\n/);
    const wide = (await machine.svc(['week', '2026-06-17'], { ...NARROW, terminal: 80 })).stdout;
    expect(wide).toContain('───');
    expect(widest(wide.slice(0, wide.indexOf('\n\nMissing')))).toBeLessThanOrEqual(80);
  });
});

/** Without what differs between two runs of one command. */
function masked(text: string): string {
  return text
    .replace(/ +$/gm, '')
    .replace(/01[0-9A-HJKMNP-TV-Z]{24}/g, '<request>')
    .replace(/\d+(\.\d+)? (ms|s|seconds?)\b/g, '<span>');
}
