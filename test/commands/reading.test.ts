import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sent } from '../support/sent.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeEach(async () => {
  here = await signedIn();
});
afterEach(() => here.remove());

describe('svc me', () => {
  it('prints only the record inside the data of the answer (rule 17.10)', async () => {
    const result = await here.svc(['me']);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toMatchObject({ id: 1, name: 'Sanne de Vries', timezone: 'Europe/Amsterdam' });
    expect(sent(here.sandbox)).toEqual(['GET /api/v2/me']);
  });
});

describe('svc limits', () => {
  it('prints the rate limit from the answer to GET /me (rules 15.1, 15.32, 15.35)', async () => {
    const result = await here.svc(['limits', '--jq', '.[0] | [.kind, .limit, .window, .remaining < .limit, .reset <= 60]']);
    expect(result).toEqual({ code: 0, stdout: '["read",600,60,true,true]\n', stderr: '' });
    expect(sent(here.sandbox)).toEqual(['GET /api/v2/me']);
  });

  it('prints the rate limit even when the scope of the token does not cover /me', async () => {
    here.sandbox.interpretations.narrowedMe = 'refused';
    await here.svc(['login', here.host, '--scope', 'api:read:projects']);
    const result = await here.svc(['limits', '--jq', '.[0].kind']);
    expect(result, result.stderr).toMatchObject({ code: 0, stdout: 'read\n' });
  });
});

describe('svc open', () => {
  const opened: string[] = [];
  const browser = async (url: string) => void opened.push(url);
  beforeEach(() => void opened.splice(0));

  it('opens the web_url of the record (rule 17.12)', async () => {
    const result = await here.svc(['open', 'project', '1'], { browser });
    expect(result).toMatchObject({ code: 0, stdout: '' });
    expect(opened).toEqual([expect.stringMatching(`^${here.sandbox.origin}/`)]);
    expect(result.stderr).toBe(`Opening ${opened[0]}\n`);
    expect(sent(here.sandbox)).toEqual(['GET /api/v2/projects/1']);
  });

  it('exits 1 and prints the address when no browser starts', async () => {
    const none = async () => Promise.reject(new Error('no directory of PATH has xdg-open (ENOENT)'));
    const { code, stderr } = await here.svc(['open', 'project', '1'], { browser: none });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Opening (\S+)\nsvc: svc could not open a browser: no directory of PATH has xdg-open \(ENOENT\)\n {2}Open the address yourself: \1\n$/,
      ),
    ]);
  });

  it('--print prints the address and opens nothing', async () => {
    const result = await here.svc(['open', 'work-items', 'ABC-12', '--print'], { browser });
    expect(result.stdout).toMatch(new RegExp(`^${here.sandbox.origin}/\\S+\n$`));
    expect(result.stderr).toBe('');
    expect(opened).toEqual([]);
    expect(sent(here.sandbox)).toEqual(['GET /api/v2/work-items/ABC-12']);
  });

  it('exits 1 for a record without a web address, and names the command that shows the record', async () => {
    const result = await here.svc(['open', 'user', '1'], { browser });
    expect(result.code).toBe(1);
    expect(result.stderr).toBe('svc: The user 1 has no address in the web app.\n  Read it here: svc users get 1\n');
  });

  it('suggests the nearest resource for a typo, and sends nothing', async () => {
    const result = await here.svc(['open', 'projcts', '1'], { browser });
    expect(result.code).toBe(2);
    expect(result.stderr).toBe('svc: svc has no resource "projcts".\n  Did you mean: svc open projects 1\n');
    expect((await here.svc(['open', 'project', '0'])).code).toBe(2);
    expect(sent(here.sandbox)).toEqual([]);
  });

  it('exits 3 for a missing record', async () => {
    expect((await here.svc(['open', 'project', '999999'], { browser })).code).toBe(3);
    expect(opened).toEqual([]);
  });
});
