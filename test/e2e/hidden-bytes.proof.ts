import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { HOSTILE, type HostileService, startHostileService } from '../support/hostile-service.ts';
import { hasProgram, openTerminal, quoted } from '../support/terminal.ts';
import { type Account, createAccount, SVC } from './support/account.ts';

const missing = ['tmux', 'script'].find((name) => !hasProgram(name));

/** The built binary at a real terminal: every byte that it writes there is kept by script(1). */
describe.skipIf(missing !== undefined)(`at a real terminal${missing === undefined ? '' : ` (skipped: no ${missing})`}`, () => {
  let sandbox: Sandbox;
  let service: HostileService;
  let account: Account;
  beforeAll(async () => {
    sandbox = await startSandbox({ limits: 'off' });
    service = await startHostileService(sandbox.origin);
    account = await createAccount();
    expect((await account.svc(['login', new URL(service.origin).host])).code).toBe(0);
    service.behaviour = 'titles';
  });
  afterAll(async () => {
    await service.close();
    await sandbox.close();
    await account.remove();
  });

  function open(argv: readonly string[], env: Readonly<Record<string, string>>) {
    const bytes = join(account.home, 'bytes');
    const line = [process.execPath, SVC, ...argv].map(quoted).join(' ');
    const terminal = openTerminal(`script -qfec ${quoted(line)} ${bytes}`, { home: account.home, env: { ...account.env, ...env } });
    return { terminal, bytes: () => readFile(bytes, 'utf8').then((text) => text.replace(/^Script (?:started|done).*/gm, '')) };
  }

  it.each([
    ['without ACCESSIBLE', {}],
    ['with ACCESSIBLE=1', { ACCESSIBLE: '1' }],
  ])('a question %s shows no hidden character of a title', async (_, env) => {
    const { terminal, bytes } = open(['work-items', 'transition', 'ABC-12'], env);
    await terminal.shows(/Which\s*sta\s*tus\s*do\s*you\s*want\?/);
    await terminal.press('C-c');
    await terminal.ended();
    terminal.close();
    expect(hiddenIn(await bytes())).toEqual([]);
    expect(await bytes()).toContain('␛[31mQX');
  });

  it('Tab and \\d in svc sql show no hidden characters of a name in a database', async () => {
    const path = join(account.home, 'hostile.db');
    const database = new DatabaseSync(path);
    // SQLite ends a name at its first NUL.
    const name = HOSTILE.replaceAll('\0', '');
    database.exec(
      `CREATE TABLE safe ("in${name}" TEXT, "include" TEXT); CREATE TABLE "t${name}" (x); INSERT INTO safe VALUES ('${name}', 'y')`,
    );
    database.close();
    const { terminal, bytes } = open(['sql', '--db', path], {});
    await terminal.shows('svc>');
    // Keys that arrive together count as pasted text, in which a Tab completes nothing: then the line is typed again.
    for (let tries = 0; tries < 20 && !(await terminal.screen()).includes('include'); tries += 1) {
      await terminal.press('C-u');
      await terminal.type('SELECT in');
      await terminal.shows(/svc> SELECT in$/);
      await terminal.press('Tab');
      await terminal.screen();
      await terminal.press('Tab');
      await terminal.screen();
    }
    await terminal.shows('include');
    await terminal.press('C-c');
    await terminal.type('\\d');
    await terminal.press('Enter');
    await terminal.shows('QX');
    await terminal.type('SELECT * FROM safe;');
    await terminal.press('Enter');
    await terminal.shows('INCLUDE');
    await terminal.type('\\q');
    await terminal.press('Enter');
    await terminal.ended();
    terminal.close();
    expect(hiddenIn(await bytes())).toEqual([]);
  });
});

/** What of the hostile text is in the bytes: sequences of CSI that move, erase and colour are the questions' own. */
function hiddenIn(bytes: string): string[] {
  const drawn = bytes.includes('\u001b[31mQX') ? bytes : bytes.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '');
  const found = drawn.match(
    /[^\n]{0,20}[\0-\x06\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b\u202e\u2028\u2066\u3164\ufeff\u{e0000}-\u{e007f}]/gu,
  );
  return (found ?? []).map((text) => JSON.stringify(text));
}
