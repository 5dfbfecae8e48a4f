import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { hasProgram, openTerminal, quoted, type Terminal } from '../support/terminal.ts';
import { type Account, createAccount, SVC } from './support/account.ts';

const noTerminal = hasProgram('tmux') ? undefined : 'tmux is not installed';

/** The built binary as a person uses it: in a terminal, with questions, colours, a pager and an editor. */
describe.skipIf(noTerminal !== undefined)(`in a terminal${noTerminal === undefined ? '' : ` (skipped: ${noTerminal})`}`, () => {
  let sandbox: Sandbox;
  let host: string;
  let account: Account;
  const opened: Terminal[] = [];
  beforeEach(async () => {
    sandbox = await startSandbox({ limits: 'off' });
    host = new URL(sandbox.origin).host;
    account = await createAccount();
  });
  afterEach(async () => {
    for (const terminal of opened.splice(0)) terminal.close();
    await sandbox.close();
    await account.remove();
  });

  async function open(argv: readonly string[], env?: Readonly<Record<string, string>>, before = '', after = ''): Promise<Terminal> {
    const words = [process.execPath, SVC, ...argv].map(quoted);
    const terminal = openTerminal(`${before}${words.join(' ')}${after}`, { home: account.home, env: { ...account.env, ...env } });
    opened.push(terminal);
    return terminal;
  }

  async function signIn(): Promise<void> {
    expect((await account.svc(['login', host])).code).toBe(0);
    expect((await account.svc(['token', 'set'], sandbox.tokens[0]?.value)).code).toBe(0);
  }

  it('svc login asks for the host, and prints your name at the end', async () => {
    const terminal = await open(['login']);
    await terminal.shows('The address you sign in on');
    await terminal.type(host);
    await terminal.press('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(await terminal.screen()).toContain(`Sanne de Vries, you are signed in to ${host}.`);
  });

  it.each([
    ['Ctrl-C', 'C-c'],
    ['Ctrl-D', 'C-d'],
  ])('%s at a question makes svc exit 130', async (_, key) => {
    const terminal = await open(['login']);
    await terminal.shows('The address you sign in on');
    await terminal.press(key);
    expect(await terminal.ended()).toBe(130);
  });

  it('Esc at a question makes svc exit 130 and write nothing', async () => {
    await signIn();
    sandbox.requests.length = 0;
    const terminal = await open(['labels', 'create']);
    await terminal.shows('Name');
    await terminal.press('Escape');
    expect(await terminal.ended()).toBe(130);
    expect(sandbox.requests).toEqual([]);
  });

  it('svc worklogs add asks for missing values, and finds even unassigned work items by typed letters', async () => {
    await signIn();
    const terminal = await open(['worklogs', 'add'], { NO_COLOR: '1' });
    expect(await terminal.shows('Which work item?')).not.toContain('ABC-12 ');
    await terminal.type('accountant');
    await terminal.shows(/OFF-3 · Export for the accountant/);
    await terminal.press('Enter');
    await terminal.shows('How long');
    await terminal.type('90');
    await terminal.press('Enter');
    await terminal.shows('Text of the entry');
    await terminal.press('Enter');
    expect(await terminal.ended(), await terminal.screen()).toBe(0);
    expect(await terminal.screen()).toMatch(/svc worklogs add --work-item OFF-3 --minutes 90\nLogged 1h30 on OFF-3/);
  });

  it('a missing comment text opens the editor', async () => {
    await signIn();
    sandbox.requests.length = 0;
    const terminal = await open(['work-items', 'comments', 'create', 'ABC-12'], { EDITOR: `sh -c 'echo "**Done**" > "$0"'` });
    expect(await terminal.ended(), await terminal.screen()).toBe(0);
    expect(sandbox.requests.map(({ method, body }) => [method, body])).toEqual([['POST', '{"body":"<p><strong>Done</strong></p>"}']]);
  });

  it.each([
    ['without ACCESSIBLE', {}, 'Personal access token for'],
    ['with ACCESSIBLE=1', { ACCESSIBLE: '1' }, 'The terminal does not show your text:'],
  ] as const)('svc token set %s hides the typed text', async (_, env, question) => {
    expect((await account.svc(['login', host])).code).toBe(0);
    const terminal = await open(['token', 'set'], env);
    await terminal.shows(question);
    const secret = sandbox.tokens[0]?.value ?? '';
    await terminal.type(secret);
    await terminal.press('Enter');
    expect(await terminal.ended()).toBe(0);
    const screen = await terminal.screen();
    expect(screen).not.toContain(secret.slice(0, 8));
    expect(screen).toContain('is kept in:');
  });

  it('a list is a coloured table, or a table without colours with NO_COLOR', async () => {
    await signIn();
    const terminal = await open(['users', 'list', '-L', '2', '--fields', 'id,name']);
    expect(await terminal.ended()).toBe(0);
    expect(await terminal.screen()).toMatch(/^ID {2}NAME\n 1 {2}Sanne de Vries\n 2 {2}Olumide Adeyemi\n2 of 12\. More: -L 20/);
    expect(await terminal.colored()).toContain('\u001b[');
    const plain = await open(['users', 'list', '-L', '2', '--quiet'], { NO_COLOR: '1' });
    expect(await plain.ended()).toBe(0);
    expect(await plain.colored()).not.toContain('\u001b[');
  });

  it('a delete names the record and asks; Enter keeps the record, and y deletes the record', async () => {
    await signIn();
    const kept = await open(['worklogs', 'delete', '3']);
    await kept.shows(/worklog 3: \d{4}-.*\nsvc cannot undo a delete\.\n.*Delete this record\?/);
    await kept.press('Enter');
    expect(await kept.ended()).toBe(1);
    expect(await kept.screen()).toContain('svc deleted nothing.');
    const deleted = await open(['worklogs', 'delete', '3']);
    await deleted.shows('Delete this record?');
    await deleted.type('y');
    await deleted.press('Enter');
    expect(await deleted.ended()).toBe(0);
    expect((await account.svc(['worklogs', 'get', '3'])).code).toBe(3);
  });

  it('a question with ACCESSIBLE is one plain line, and the typed answer is on that line', async () => {
    await signIn();
    const terminal = await open(['worklogs', 'delete', '3'], { ACCESSIBLE: '1' });
    await terminal.shows('Delete this record? Type yes or no (Enter: no):');
    await terminal.type('maybe');
    await terminal.press('Enter');
    await terminal.shows(/^Type yes or no:/m);
    await terminal.type('yes');
    await terminal.press('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(await terminal.screen()).toMatch(/\(Enter: no\): maybe\nType yes or no: yes\nDeleted worklog 3\./);
    const interrupted = await open(['worklogs', 'delete', '4'], { ACCESSIBLE: '1' });
    await interrupted.shows('Delete this record?');
    await interrupted.press('C-c');
    expect(await interrupted.ended()).toBe(130);
  });

  it('svc worklogs edit opens EDITOR with the fields, and sends the changes', async () => {
    await signIn();
    sandbox.requests.length = 0;
    const terminal = await open(['worklogs', 'edit', '4'], { EDITOR: `sed -i -e 's/^minutes: .*/minutes: 17/'` });
    expect(await terminal.ended(), await terminal.screen()).toBe(0);
    expect(sandbox.requests.map(({ method, body }) => [method, body])).toEqual([
      ['GET', ''],
      ['GET', ''],
      ['PATCH', '{"minutes":17}'],
    ]);
    expect(sandbox.requests[2]?.headers['if-match']).toMatch(/^"/);
  });

  it('a table that is taller than the screen opens in the pager', async () => {
    await signIn();
    const terminal = await open(['absences', 'list', '--fields', 'id', '-L', '60'], { SVC_PAGER: `sed -e '1,50d' -e 's/^/paged: /'` });
    expect(await terminal.ended()).toBe(0);
    expect(await terminal.screen()).toMatch(/^paged: +\d+\n/);
    const short = await open(['absences', 'list', '--fields', 'id', '-L', '10', '-q'], { SVC_PAGER: 'false' });
    expect(await short.ended()).toBe(0);
    expect(await short.screen()).toMatch(/^ *ID\n/);
  });

  describe.skipIf(!hasProgram('less'))('the pager less', () => {
    const rows = () => sandbox.requests.filter(({ path }) => path.startsWith('/api/v2/worklogs')).length;

    it('needs one request for the first screen, and restores the terminal afterwards', async () => {
      await signIn();
      sandbox.requests.length = 0;
      const terminal = await open(
        ['worklogs', 'list', '--columns', 'id,date,minutes'],
        {},
        'stty -a > before; ',
        ' && stty -a > after && cmp before after',
      );
      await terminal.shows(/DURATION[\s\S]*\n:/);
      await terminal.press('C-c');
      await terminal.press('j');
      await terminal.press('q');
      expect(await terminal.ended()).toBe(0);
      expect(rows()).toBe(1);
      expect(await terminal.screen()).not.toMatch(/EPIPE|svc:|There are more/);
    });

    it('shows the total at the end, after all rows', async () => {
      await signIn();
      sandbox.requests.length = 0;
      const terminal = await open(['worklogs', 'list', '--columns', 'id,date,minutes', '--from', '2026-01-01'], {});
      await terminal.shows(/DURATION[\s\S]*\n:/);
      await terminal.press('G');
      await terminal.shows(/1–(\d+) of \1 +\d+h[\s\S]*\(END\)/);
      await terminal.press('q');
      expect(await terminal.ended()).toBe(0);
      expect(rows()).toBeGreaterThan(1);
    });
  });

  it('svc work-items get prints a heading and the fields of the work item', async () => {
    await signIn();
    const terminal = await open(['work-items', 'get', 'ABC-12', '--comments'], { NO_COLOR: '1' });
    expect(await terminal.ended()).toBe(0);
    expect(await terminal.screen()).toMatch(/^ABC-12 .* · #12\n\nStatus +\S/);
  });

  it('svc me signs in again when the registration is deleted, and then prints your name', async () => {
    await signIn();
    sandbox.deleteRegistrations();
    sandbox.expireAccessTokens();
    const terminal = await open(['me', '--fields', 'name']);
    expect(await terminal.ended(), await terminal.screen()).toBe(0);
    expect(await terminal.screen()).toMatch(/deleted its client registration[\s\S]*\nname +Sanne de Vries$/);
    expect(sandbox.events).toMatchObject({ registrations: 2, signIns: 2 });
  });

  it('svc login --paste accepts the last address of the browser', async () => {
    const terminal = await open(['login', host, '--paste']);
    await terminal.shows('Paste the last address that your browser shows');
    const address = /http:\/\/\S+\/oauth\/authorize\S+/.exec(await terminal.screen())?.[0] ?? '';
    const consent = /name="consent" value="([^"]+)"/.exec(await (await fetch(address)).text())?.[1] ?? '';
    const approved = await fetch(`${sandbox.origin}/oauth/authorize`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: sandbox.origin },
      body: new URLSearchParams({ consent, user: '1', decision: 'approve' }),
    });
    await terminal.type(approved.headers.get('location') ?? '');
    await terminal.press('Enter');
    expect(await terminal.ended(), await terminal.screen()).toBe(0);
    expect((await account.svc(['me'])).code).toBe(0);
  });
});
