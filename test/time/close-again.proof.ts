// A closed month, compared again: incomplete readings, the local database, the page, and signatures that ssh-keygen itself verifies.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { answering, type ClosedMonth, closedMonth } from './closed-month.ts';

const open: ClosedMonth[] = [];
afterEach(async () => {
  for (const here of open.splice(0)) await here.remove();
});
async function month(): Promise<ClosedMonth> {
  const here = await closedMonth();
  open.push(here);
  return here;
}

it('svc close needs a reason for a check that svc could not make', async () => {
  const here = await month();
  await here.svc(['api', '-X', 'PATCH', '/users/1', '--input', '-'], { stdin: '{"working_hours":null}' });
  const { code, rows, stderr } = await here.close([]);
  expect([code, rows.map(({ accept, kind }) => [accept, kind])], stderr).toEqual([1, [['unknown:missing-hours:1', 'unknown']]]);
  expect((await here.close(['--accept', 'unknown:missing-hours:1=Works by the hour'])).code).toBe(0);
});

describe('a closed month', () => {
  it('is not reported as changed after an incomplete reading', async () => {
    const here = await month();
    await here.close([]);
    await here.close(['--team']);
    await here.deleteEntry(6);
    await here.deleteEntry(2);
    for (const path of ['/api/v2/worklogs', '/api/v2/worklogs/*']) {
      here.sandbox.setFaults([{ method: 'GET', path, status: 500, times: Number.POSITIVE_INFINITY }]);
      const { code, stdout, stderr } = await here.close(['--verify'], { now: Date.parse('2026-11-02T09:00:00Z'), hurried: true });
      expect([code, stdout, stderr.includes('deleted')]).toEqual([8, '', false]);
    }
    here.sandbox.setFaults([]);
    // Somebody who cannot see a person cannot know whether the entries of this person were deleted.
    const hidden = answering((text, url) => (url.includes('/users') ? text.replace(/"id":2\b/g, '"id":22') : text));
    const { code, stdout, stderr } = await here.close(['--team', '--verify'], { around: hidden });
    expect([code, stdout, stderr]).toEqual([
      5,
      '',
      expect.stringContaining('You cannot see user 2, so svc does not know whether entry 6 was deleted.'),
    ]);
    expect((await here.close(['--verify', here.home])).stderr).toContain('There is no readable seal');
    here.sandbox.setRole(1, 'employee');
    expect((await here.close(['--verify'])).code).toBe(5);
  });

  it('can be verified from the local database, unless that database is older than the seal', async () => {
    const here = await month();
    await here.svc(['sync', 'worklogs', 'users', 'projects', 'absences', 'holidays', 'free-days', 'timers']);
    const checkedAt = async (time: string) => {
      const folder = join(here.home, '.local/state/svc/mirror');
      const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.sqlite'));
      const database = new DatabaseSync(join(folder, file));
      database.prepare('UPDATE svc_tables SET whole_at = ?').run(time);
      database.close();
    };
    await checkedAt('2026-10-31T12:00:00Z');
    const early = await here.close(['--offline']);
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('2026-10 is not over for Person 1 at 2026-10-31T12:00:00Z')]);
    await checkedAt('2026-11-01T12:00:00Z');
    const closed = await here.close(['--offline']);
    expect([closed.code, closed.stderr]).toEqual([0, expect.stringContaining('From the local database, complete at 2026-11-01 13:00')]);
    expect(await here.seal()).toMatchObject({ source: 'database', read_at: '2026-11-01T12:00:00Z' });
    expect((await here.close(['--verify'])).code).toBe(0);
    expect((await here.close(['--verify', '--offline'])).code).toBe(0);
    expect((await here.close(['--replace'])).code).toBe(0);
    const old = await here.close(['--verify', '--offline']);
    expect([old.code, old.stdout, old.stderr]).toEqual([
      1,
      '',
      expect.stringContaining(
        'The worklogs in the database were complete at 2026-11-01T12:00:00Z, before the seal of 2026-11-02T09:00:00Z.',
      ),
    ]);
  });

  it('has a page with its digests, its hours and escaped texts', async () => {
    const here = await month();
    await here.close([]);
    await here.change(1, { description: '<script>alert(1)</script>' });
    const { code, stdout } = await here.close(['--verify', '--html', 'october.html']);
    const page = await readFile(join(here.home, 'october.html'), 'utf8');
    const seal = await here.seal();
    expect([code, stdout]).toEqual([1, '']);
    for (const text of [
      String(seal['sha256']),
      String((seal['entries'] as JsonObject[])[3]?.['sha256']),
      '&lt;script&gt;',
      'Hours: 4h sealed, 4h now (+0m).',
    ])
      expect(page).toContain(text);
    expect(page).not.toContain('<script>alert');
  });
});

const hasSsh = spawnSync('ssh-keygen', ['-Y', 'sign'], { stdio: 'ignore' }).error === undefined;

describe.skipIf(!hasSsh)('signatures (skipped where there is no ssh-keygen)', () => {
  it('are valid for ssh-keygen, and svc refuses a wrong or missing signature', async () => {
    const here = await month();
    const at = (name: string) => join(here.home, name);
    for (const name of ['ada', 'eve']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', at(name)]);
    const allowed = async (...names: string[]) => {
      const keys = await Promise.all(names.map(async (name) => `${name}@example.com ${await readFile(at(`${name}.pub`), 'utf8')}`));
      await writeFile(at('signers'), keys.join(''));
    };
    const wrong = await here.close(['--sign', at('signers')]);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('ssh-keygen did not sign the seal')]);
    expect((await here.close(['--sign', at('ada'), '--to', 'october.json'])).code).toBe(0);
    const seal = await readFile(at('october.json'));
    await allowed('ada');
    const ssh = (file: string) =>
      spawnSync('ssh-keygen', ['-Y', 'verify', '-f', at('signers'), '-I', 'ada@example.com', '-n', 'svc-close', '-s', file], {
        input: seal,
      });
    for (const file of [at('october.json.sig'), `${here.sealPath()}.sig`])
      expect(String(ssh(file).stdout)).toContain('Good "svc-close" signature for ada@example.com');
    const verify = async (...words: string[]) => {
      const { code, stderr } = await here.close(['--verify', 'october.json', ...words]);
      return [
        code,
        stderr
          .replaceAll(here.home, '~')
          .split('\n')[0]
          ?.replace(/SHA256:[\w+/]{43}/g, 'SHA256:…'),
      ];
    };
    const signers = ['--allowed-signers', 'signers'];
    expect(await verify(...signers)).toEqual([0, 'ssh-keygen verified the signature of ada@example.com, key SHA256:….']);
    expect(await verify()).toEqual([
      0,
      'ssh-keygen verified that the key SHA256:… signed the seal, but not whose key that is. To check the signer: --allowed-signers <file>',
    ]);
    await allowed('eve');
    expect(await verify(...signers)).toEqual([1, 'svc: signers does not allow the key SHA256:… to sign seals.']);
    // A signature of another key, of another text, for another purpose, and none.
    const sign = (key: string, namespace: string, text: string | Buffer) =>
      execFileSync('ssh-keygen', ['-Y', 'sign', '-f', at(key), '-n', namespace], { input: text, stdio: ['pipe', 'pipe', 'ignore'] });
    await allowed('ada');
    await writeFile(at('october.json.sig'), sign('eve', 'svc-close', seal));
    expect(await verify(...signers)).toEqual([1, 'svc: signers does not allow the key SHA256:… to sign seals.']);
    for (const other of [sign('ada', 'svc-close', 'other'), sign('ada', 'file', seal), 'no signature']) {
      await writeFile(at('october.json.sig'), other);
      expect(await verify()).toEqual([1, expect.stringContaining('svc: The signature ~/october.json.sig does not match the seal')]);
    }
    await writeFile(at('copy.json'), seal);
    const unsigned = await here.close(['--verify', 'copy.json']);
    expect([unsigned.code, unsigned.stderr]).toEqual([1, expect.stringContaining('copy.json.sig does not match the seal')]);
  });

  it('are required with --sign: svc stores no seal if ssh-keygen cannot sign or is missing', async () => {
    const here = await month();
    const key = join(here.home, 'ada');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'secret', '-f', key]);
    const locked = await here.close(['--sign', key], { env: { SSH_ASKPASS: '/bin/false', SSH_ASKPASS_REQUIRE: 'force' } });
    expect([locked.code, locked.stderr]).toEqual([1, expect.stringContaining('ssh-keygen did not sign the seal')]);
    const missing = await here.close(['--sign', key], { env: { PATH: here.home } });
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('svc cannot start ssh-keygen')]);
    await expect(stat(here.sealPath())).rejects.toThrow();
  });
});
