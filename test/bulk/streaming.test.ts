import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { svcBinary } from '../support/binary.ts';
import { forgetLimits, type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

const LIST = ['worklogs', 'list', '--sort', 'id', '--output', 'ids', '--limit', '450'];

/** Returns the words of the command in an error, without `svc`. */
function resumeOf(stderr: string): string[] {
  const words = /svc (worklogs list .*)/.exec(stderr)?.[1]?.split(' ');
  if (words === undefined) throw new Error(`No command in: ${stderr}`);
  return words;
}

describe('a list that is interrupted', () => {
  it('prints the command to resume after Ctrl-C, and that command repeats no row', async () => {
    const whole = (await here.svc(LIST)).stdout;
    here.sandbox.requests.length = 0;
    here.sandbox.setFaults([{ path: '/worklogs', skip: 2, delayMs: 60_000 }]);
    const interrupt = new AbortController();
    const running = here.svc(LIST, { signal: interrupt.signal });
    await vi.waitFor(() => expect(here.sandbox.requests).toHaveLength(3));
    interrupt.abort(new InterruptedError('Interrupted (SIGINT).'));
    const first = await running;
    expect(first.code).toBe(130);
    here.sandbox.setFaults([]);
    // The rate limit of earlier answers is over.
    await forgetLimits(here.home);
    const second = await here.svc(resumeOf(first.stderr));
    expect(second.code, second.stderr).toBe(0);
    expect(first.stdout.split('\n')).toHaveLength(201);
    expect(first.stdout + second.stdout).toBe(whole);
  });

  it('exits 7 when the wait exceeds --max-wait, and prints the command to resume', async () => {
    const whole = (await here.svc(LIST)).stdout;
    here.sandbox.setFaults([{ path: '/worklogs', skip: 3, status: 429, retryAfter: 50 }]);
    const first = await here.svc([...LIST, '--max-wait', '10s']);
    expect(first.code).toBe(7);
    // The rate limit of earlier answers is over.
    await forgetLimits(here.home);
    const second = await here.svc(resumeOf(first.stderr));
    expect(first.stdout + second.stdout).toBe(whole);
  });
});

describe('a reader that closes the pipe', () => {
  it('ends svc with exit 0, and stops the requests', async () => {
    const env = { ...process.env, HOME: here.home, SVC_TOKEN_STORE: 'file', SVC_TOKEN: here.sandbox.tokens[0]?.value, SVC_HOST: here.host };
    const child = spawn(process.execPath, [svcBinary().path, 'worklogs', 'list', '--output', 'ndjson'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (piece) => {
      stderr += String(piece);
    });
    await once(createInterface(child.stdout), 'line');
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // All worklogs are more than fifty pages. The pipe has room for two or three.
    expect(here.sandbox.requests.length).toBeLessThan(15);
  });
});
