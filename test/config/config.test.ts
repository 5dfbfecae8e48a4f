import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolvePaths } from '../../src/config/paths.ts';
import { createMachine, type Machine } from '../support/svc.ts';

let machine: Machine;
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => machine.remove());

const file = () => `${machine.home}/.config/svc/config.json`;

describe('svc config', () => {
  it('sets, prints, lists and unsets a setting', async () => {
    expect(await machine.svc(['config', 'set', 'timezone', 'Africa/Lagos'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'timezone is now Africa/Lagos.\n',
    });
    expect(await machine.svc(['config', 'get', 'timezone'])).toEqual({ code: 0, stdout: 'Africa/Lagos\n', stderr: '' });
    const list = await machine.svc(['config', 'list', '--jq', 'map({(.name): .value}) | add']);
    expect(JSON.parse(list.stdout)).toEqual({
      host: null,
      accounts: null,
      output: null,
      parallel: null,
      timezone: 'Africa/Lagos',
      pager: null,
      'read-only': null,
      offline: null,
      database: null,
      outbox: null,
      accessible: null,
      'report-letterhead': null,
      'sync-exclude': null,
      browser: null,
      editor: null,
      'max-wait': null,
      timeout: null,
      'keychain-wait': null,
    });
    expect((await machine.svc(['config', 'unset', 'timezone'])).stderr).toBe('timezone is no longer set.\n');
    expect((await machine.svc(['config', 'unset', 'timezone'])).stderr).toBe('timezone was not set.\n');
    expect(await machine.svc(['config', 'get', 'timezone'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'svc: timezone is not set.\n  To set timezone: svc config set timezone <value>\n',
    });
  });

  it('path prints the path of the file in SVC_CONFIG_DIR', async () => {
    expect((await machine.svc(['config', 'path'])).stdout).toBe(`${file()}\n`);
    const env = { SVC_CONFIG_DIR: `${machine.home}/elsewhere` };
    expect((await machine.svc(['config', 'path'], { env })).stdout).toBe(`${machine.home}/elsewhere/config.json\n`);
    await machine.svc(['config', 'set', 'output', 'yaml'], { env });
    expect(JSON.parse(await readFile(`${machine.home}/elsewhere/config.json`, 'utf8'))).toEqual({ output: 'yaml' });
  });

  it('uses the setting output unless a flag overrides the setting', async () => {
    await machine.svc(['config', 'set', 'output', 'ndjson']);
    expect((await machine.svc(['config', 'list'])).stdout.split('\n')[0]).toMatch(/^\{"name":"host".*\}$/);
    expect((await machine.svc(['config', 'list', '-o', 'tsv'])).stdout).toMatch(/^name\tvalue\tsummary\n/);
  });

  it.each([
    [['set', 'outptu', 'json'], 'svc has no setting "outptu".\n  Did you mean output? Settings: host, accounts, output'],
    [['get', 'nosuch'], 'svc has no setting "nosuch".'],
    [['set', 'output', 'jsn'], 'output: "jsn" is not an allowed value.\n  Allowed: table, md, json'],
    [['set', 'host', 'two words'], 'host: "two words" is not a host name.'],
    [['set', 'timezone', 'Mars/Olympus'], 'timezone: "Mars/Olympus" is not a time zone.'],
    [['set', 'max-wait', 'ages'], 'max-wait: "ages" is not a time'],
    [['set', 'pager', ' '], 'pager: The value is empty.\n  To remove a setting: svc config unset <name>'],
    [['set', 'pager'], '"svc config set" needs <value>.'],
  ])('refuses %j, and changes nothing', async (args, message) => {
    const result = await machine.svc(['config', ...args]);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(message);
    await expect(readFile(file(), 'utf8')).rejects.toThrow('ENOENT');
  });

  it('keeps unknown settings in the file', async () => {
    await machine.svc(['config', 'set', 'output', 'csv']);
    await writeFile(file(), '{"output":"csv","later":"x"}');
    await machine.svc(['config', 'set', 'output', 'tsv']);
    expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({ output: 'tsv', later: 'x' });
  });

  it.each(['{', '[]', '{"output":1}', ''])(
    'exits 1, names the file with the content %j, and does not overwrite the file',
    async (content) => {
      await machine.svc(['config', 'set', 'output', 'csv']);
      await writeFile(file(), content);
      for (const args of [['config', 'list'], ['config', 'set', 'pager', 'less'], ['me']]) {
        const result = await machine.svc(args);
        expect(result.code).toBe(1);
        expect(result.stderr).toContain(`${file()} is not a JSON object of strings.`);
      }
      expect(await readFile(file(), 'utf8')).toBe(content);
    },
  );

  it('names an invalid value in the file, and prints the command to unset the value', async () => {
    await machine.svc(['config', 'set', 'output', 'csv']);
    await writeFile(file(), '{"output":"xml"}');
    const result = await machine.svc(['config', 'list']);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(`The setting "output" in ${file()} is not valid`);
    expect(result.stderr).toContain('svc config unset output');
    expect((await machine.svc(['config', 'unset', 'output'])).code).toBe(0);
  });
});

describe('svc', () => {
  const unix = { platform: 'linux', home: '/home/ada', accountHome: '/home/ada' } as const;
  const windows = { platform: 'win32', home: 'C:\\Users\\ada', accountHome: 'C:\\Users\\ada' } as const;

  it('follows the XDG variables on Unix', () => {
    expect(resolvePaths({}, unix)).toEqual({
      config: '/home/ada/.config/svc',
      cache: '/home/ada/.cache/svc',
      state: '/home/ada/.local/state/svc',
      tokens: '/home/ada/.config/svc/tokens',
      keychain: '/home/ada/.local/state/svc/keychain',
    });
    expect(resolvePaths({ XDG_CONFIG_HOME: '/c', XDG_CACHE_HOME: '/k', XDG_STATE_HOME: '/s' }, unix)).toMatchObject({
      config: '/c/svc',
      cache: '/k/svc',
      state: '/s/svc',
    });
    expect(resolvePaths({ XDG_STATE_HOME: 'relative' }, unix).state).toBe('/home/ada/.local/state/svc');
    expect(resolvePaths({ XDG_CONFIG_HOME: 'relative' }, unix).config).toBe('/home/ada/.config/svc');
  });

  it('follows APPDATA and LOCALAPPDATA on Windows', () => {
    expect(resolvePaths({ APPDATA: 'D:\\Roaming', LOCALAPPDATA: 'D:\\Local' }, windows)).toMatchObject({
      config: 'D:\\Roaming\\svc',
      cache: 'D:\\Local\\svc\\cache',
      state: 'D:\\Local\\svc\\state',
      tokens: 'D:\\Roaming\\svc\\tokens',
    });
    expect(resolvePaths({}, windows).config).toBe('C:\\Users\\ada\\AppData\\Roaming\\svc');
  });

  it('keeps the locks of the keychain in the home directory of the OS user, despite HOME and SVC_CONFIG_DIR', () => {
    const elsewhere = resolvePaths({ SVC_CONFIG_DIR: '/tmp/x' }, { ...unix, home: '/tmp/home' });
    expect(elsewhere).toMatchObject({
      config: '/tmp/x',
      cache: '/tmp/x/cache',
      state: '/tmp/x/state',
      keychain: '/home/ada/.local/state/svc/keychain',
    });
  });
});

describe('svc config edit', () => {
  /** An editor that writes this text, and records what it was given. */
  const editing = (after: string | ((before: string) => string), seen: string[] = []) => ({
    answers: [],
    env: { EDITOR: 'ed' },
    program: async (command: string, [path = '']: readonly string[]) => {
      const before = await readFile(path, 'utf8');
      seen.push(command, path, before);
      await writeFile(path, typeof after === 'string' ? after : after(before));
      return 0;
    },
  });

  it('saves the edited settings when the settings are valid', async () => {
    await machine.svc(['config', 'set', 'output', 'csv']);
    const seen: string[] = [];
    const result = await machine.svc(
      ['config', 'edit'],
      editing((before) => before.replace('csv', 'yaml').replace('}', ',"later":"x"}'), seen),
    );
    expect(result).toEqual({ code: 0, stdout: '', stderr: `Saved ${file()}\n` });
    expect(seen[0]).toBe('ed');
    expect(seen[2]).toBe('{\n  "output": "csv"\n}\n');
    expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({ output: 'yaml', later: 'x' });
    await expect(readFile(seen[1] ?? '', 'utf8')).rejects.toThrow('ENOENT');
  });

  it.each([
    ['{"output":"xml"}', 2, 'The setting "output" in'],
    ['{"output":1}', 2, 'This text is not a JSON object of strings.'],
    ['{', 2, 'This text is not a JSON object of strings.'],
  ])('refuses %j, and keeps the typed text in a file', async (typed, code, message) => {
    await machine.svc(['config', 'set', 'output', 'csv']);
    const seen: string[] = [];
    const result = await machine.svc(['config', 'edit'], editing(typed, seen));
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(message);
    expect(result.stderr).toContain(`Your text is in ${seen[1]}`);
    expect(await readFile(seen[1] ?? '', 'utf8')).toBe(typed);
    expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({ output: 'csv' });
  });

  it('repairs a file that svc cannot read', async () => {
    await machine.svc(['config', 'set', 'output', 'csv']);
    await writeFile(file(), '{');
    expect((await machine.svc(['config', 'edit'], editing('{"output": "tsv"}'))).code).toBe(0);
    expect((await machine.svc(['config', 'get', 'output'])).stdout).toBe('tsv\n');
  });

  it('changes nothing without an edit, a working editor or a terminal', async () => {
    expect(
      (
        await machine.svc(
          ['config', 'edit'],
          editing((before) => before),
        )
      ).stderr,
    ).toBe('svc changed nothing.\n');
    expect((await machine.svc(['config', 'edit'], { ...editing('{}'), program: async () => 1 })).stderr).toContain(
      'so svc changed nothing',
    );
    expect(await machine.svc(['config', 'edit'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Editing needs a terminal.') });
    await expect(readFile(file(), 'utf8')).rejects.toThrow('ENOENT');
  });
});
