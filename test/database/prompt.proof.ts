import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { type Account, createAccount, SVC } from '../e2e/support/account.ts';
import { hasProgram, openTerminal, quoted, type Terminal } from '../support/terminal.ts';

const noTerminal = hasProgram('tmux') ? undefined : 'tmux is not installed';

describe.skipIf(noTerminal !== undefined)(
  `the prompt of svc sql in a terminal${noTerminal === undefined ? '' : ` (skipped: ${noTerminal})`}`,
  () => {
    let sandbox: Sandbox;
    let account: Account;
    let terminal: Terminal;
    beforeAll(async () => {
      sandbox = await startSandbox({ limits: 'off' });
      account = await createAccount();
      expect((await account.svc(['login', new URL(sandbox.origin).host])).code).toBe(0);
      expect((await account.svc(['token', 'set'], sandbox.tokens[0]?.value)).code).toBe(0);
      expect((await account.svc(['sync', 'projects', 'users'])).code).toBe(0);
      const words = [process.execPath, SVC, 'sql', '-o', 'ndjson'].map(quoted);
      terminal = openTerminal(words.join(' '), { home: account.home, env: { ...account.env, NO_COLOR: '1' } });
      await terminal.shows('svc>');
    });
    afterAll(async () => {
      terminal.close();
      await sandbox.close();
      await account.remove();
    });

    it('completes names with Tab, and recalls earlier lines', async () => {
      await terminal.type('SELECT name FROM proj');
      await terminal.press('Tab');
      await terminal.shows('FROM projects');
      await terminal.type(' WHERE id = 1;');
      await terminal.press('Enter');
      await terminal.shows(/"name":"Aurora/);
      await terminal.wipe();
      await terminal.press('Up');
      await terminal.shows('SELECT name FROM projects WHERE id = 1;');
      await terminal.press('C-c');
      await terminal.wipe();
      await terminal.press('Enter');
      await terminal.shows(/svc>\s*$/);
    });

    it('runs pasted lines one by one', async () => {
      await terminal.wipe();
      await terminal.type('SELECT 11 * 11 AS first;\nSELECT 12 * 12\n AS second;\nSELECT 13');
      await terminal.shows(/121}[\s\S]*144}[\s\S]*SELECT 13$/);
      await terminal.type(' * 13 AS third;');
      await terminal.press('Enter');
      await terminal.shows('169');
    });

    it('stops a slow query at Ctrl-C, and exits at Ctrl-D', async () => {
      await terminal.wipe();
      // The first rows are there; the next are looked for until the end of time.
      await terminal.type('WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c WHERE x <= 200;');
      await terminal.press('Enter');
      await terminal.shows('{"x":200}');
      await terminal.press('C-c');
      await terminal.shows(/svc>\s*$/);
      await terminal.type("SELECT 'still ' || 'here' AS it;");
      await terminal.press('Enter');
      await terminal.shows(/still here"\}\s+svc>\s*$/);
      await terminal.press('C-d');
      expect(await terminal.ended()).toBe(0);
    });
  },
);
