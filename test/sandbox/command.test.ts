import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, type Result } from '../support/svc.ts';

/** Runs `svc sandbox …`, does something with what it printed, then presses Ctrl-C. */
async function running(argv: readonly string[], use: (printed: string) => Promise<void>, cwd?: string): Promise<Result> {
  const machine = await createMachine();
  const interrupt = new AbortController();
  let used: Promise<void> | undefined;
  const result = await machine.svc(['sandbox', '--port', '0', ...argv], {
    signal: interrupt.signal,
    ...(cwd !== undefined && { cwd }),
    onStdout: (text) => {
      used = use(text).finally(() => interrupt.abort());
    },
  });
  await machine.remove();
  await used;
  return result;
}

test('svc sandbox prints its address, the sign-in command, and a token with its owner and expiry', async () => {
  const { stdout, stderr } = await running(['--approve'], async (printed) => {
    const origin = /runs at (\S+)/.exec(printed)?.[1] ?? '';
    expect(printed).toContain(`svc login ${new URL(origin).host}\n`);
    expect(printed).toMatch(
      /^ {2}contractor: أحمد المنصوري \(contractor\), until \d{4}-\d{2}-\d{2}, api:read, api:write\n {4}pat_\S{40}$/m,
    );
    expect((await fetch(origin)).headers.get('content-type')).toContain('text/html');
    expect((await fetch(/control address:\s+(\S+)/.exec(printed)?.[1] ?? '')).status).toBe(200);
  });
  expect(stderr).toBe('');
  expect(stdout).toContain('Stop the sandbox with Ctrl-C.');
});

test('--output json prints data for programs, and the sandbox applies the typed faults, switches and interpretations', async () => {
  const argv = ['--output', 'json', '--window', '5', '--fault', 'GET /me 503', '--switch', 'furlough=on', '--switch', 'mcp=off'];
  await running([...argv, '--interpretation', 'wrapSingleRecords=false'], async (printed) => {
    const { base_url, control_url, host, start_url, tokens } = JSON.parse(printed);
    const headers = { authorization: `Bearer ${tokens[0].value}` };
    expect(base_url).toBe(`http://${host}/api/v2`);
    expect(tokens[0]).toMatchObject({ name: 'full', user: 'Sanne de Vries', role: 'admin', expires: expect.any(String) });
    expect((await fetch(`${base_url}/me`, { headers })).status).toBe(503);
    const user = await fetch(`${base_url}/users/1`, { headers });
    expect([user.headers.get('ratelimit-policy'), await user.json()]).toEqual(['600;w=5', expect.objectContaining({ id: 1 })]);
    const start = await fetch(start_url, { redirect: 'manual' });
    expect([start.status, start.headers.get('location')]).toEqual([303, '/']);
    expect(await (await fetch(control_url)).json()).toMatchObject({ faults: [], switches: { furlough: true, mcp: false } });
  });
});

test('--data stores changes in a file, relative to the directory where the sandbox started', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'svc-sandbox-'));
  const label = async (printed: string, more: RequestInit = {}): Promise<unknown> => {
    const { base_url, tokens } = JSON.parse(printed);
    const headers = { authorization: `Bearer ${tokens[0].value}`, 'content-type': 'application/json' };
    return (await fetch(`${base_url}/labels/1`, { ...more, headers })).json();
  };
  const argv = ['--output', 'json', '--data', 'kept.json'];
  await running(argv, async (printed) => void (await label(printed, { method: 'PATCH', body: '{"name":"kept"}' })), cwd);
  await running(argv, async (printed) => expect(await label(printed)).toMatchObject({ data: { name: 'kept' } }), cwd);
  await rm(cwd, { recursive: true });
});

describe('a wrong flag value', () => {
  test.each([
    [['--fault', 'GET /me'], '--fault: The fault "GET /me" has no effect'],
    [['--interpretation', 'nosuch=1'], '--interpretation: The sandbox has no option nosuch'],
    [['--interpretation', 'issuer'], '--interpretation: "issuer" is not name=value.'],
    [['--switch', 'api=maybe'], '--switch: api is on or off, not "maybe".'],
    [['--switch', 'nosuch=on'], '--switch: The sandbox has no switch nosuch'],
    [['--data', '/'], '--data: / cannot be used: it contains no manifest.json.'],
    [['--data', '/dev/null/sandbox.json'], '--data: svc cannot read and write /dev/null/sandbox.json: ENOTDIR.'],
    [['--window', '0'], '--window'],
  ])('makes svc exit 2: %j', async (argv, message) => {
    const result = await running(argv, async () => {});
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(message);
  });

  test('such as a port in use makes svc exit 2', async () => {
    await running(['--output', 'json'], async (printed) => {
      const { port } = new URL(JSON.parse(printed).origin);
      const machine = await createMachine();
      const second = await machine.svc(['sandbox', '--port', port]);
      expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining(`svc cannot use port ${port}: EADDRINUSE.`) });
      await machine.remove();
    });
  });
});
