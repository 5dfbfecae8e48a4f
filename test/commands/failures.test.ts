import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import type { Fault } from '../../src/sandbox/start.ts';
import { masked, sent } from '../support/sent.ts';
import { createMachine, forgetLimits, type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';
import { LOCALHOST_CERTIFICATE, LOCALHOST_KEY } from '../system/fixtures/localhost-certificate.ts';

/** Every way a command fails: exit code, cause, hint, and the details of the service. */
let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ personalToken: true, limits: 'off' });
});
afterAll(() => here.remove());
beforeEach(async () => {
  // A rate limit in an earlier answer applies to every svc of this home.
  await forgetLimits(here.home);
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

async function failed(argv: readonly string[], options: RunOptions = {}): Promise<{ code: number; stderr: string }> {
  const result = await here.svc(argv, { hurried: true, ...options });
  expect(result.stdout).toBe('');
  return { code: result.code, stderr: masked(result.stderr, here.home) };
}

const lasting = (fault: Fault): Fault[] => [{ ...fault, times: Number.POSITIVE_INFINITY }];

describe('svc', () => {
  it('exits 3 for a missing record', async () => {
    expect(await failed(['worklogs', 'get', '99999999'])).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stderr": "svc: There is no worklog 99999999.
        Check the id, and your permission to see the record.
        GET http://<host>/api/v2/worklogs/99999999
        resource-not-found (404), request <request>
      ",
      }
    `);
  });

  it('exits 3 for a feature that is not enabled (rule 14.20)', async () => {
    expect(await failed(['api', 'GET', '/furlough-balance-mutations', '--silent'])).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stderr": "svc: <host> has no /api/v2/furlough-balance-mutations. The record does not exist, the feature is not enabled, or the REST API is switched off.
        To see the resources of this organisation: svc resources
        GET http://<host>/api/v2/furlough-balance-mutations
        endpoint-not-found (404), request <request>
      ",
      }
    `);
  });

  it('exits 3 when the API is switched off (rule 14.20)', async () => {
    here.sandbox.switchApi(false);
    expect((await failed(['me'])).code).toBe(3);
    here.sandbox.switchApi(true);
  });

  it('exits 5 when the token lacks a scope (rules 11.10, 14.18)', async () => {
    const env = { SVC_TOKEN: here.sandbox.tokens[1]?.value ?? '' };
    expect(await failed(['worklogs', 'add', '--minutes', '5'], { env })).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "svc: The token lacks the ability api:write:times.
        Create a token with api:write:times: you choose abilities when you create a token.
        POST http://<host>/api/v2/worklogs
        insufficient-token-scope (403), request <request>
      ",
      }
    `);
  });

  it('exits 5 when the user lacks a permission (rules 11.11, 11.12, 14.19)', async () => {
    const env = { SVC_TOKEN: here.sandbox.tokens[4]?.value ?? '' };
    expect(await failed(['absences', 'list', '--filter', 'user_id=1'], { env })).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "svc: The user lacks the permission absences::manage.
        Ask an administrator of <host> for the permission absences::manage.
        GET http://<host>/api/v2/absences
        insufficient-permission (403), request <request>
      ",
      }
    `);
  });

  it('exits 6 for a transition that the workflow does not allow (rules 14.9, 14.23)', async () => {
    const { workflow_status_id: status } = JSON.parse((await here.svc(['work-items', 'get', 'ABC-12'])).stdout) as Record<string, number>;
    const all = JSON.parse((await here.svc(['api', '/workflow-statuses?per_page=100', '--jq', '[.data[].id]'])).stdout) as number[];
    const moves = (await here.svc(['api', `/workflow-transitions?filter[from_status_id]=${status}`, '--jq', '[.data[].to_status_id]']))
      .stdout;
    const legal = new Set([status, ...(JSON.parse(moves) as number[])]);
    const target = all.find((id) => !legal.has(id));
    const result = await failed(['api', 'POST', '/work-items/ABC-12/actions/transition', '-F', `workflow_status_id=${target}`, '--silent']);
    expect(result.code).toBe(6);
    expect(result.stderr).toContain('reason illegal_transition');
    expect(result.stderr).toContain('List the transitions: svc workflow-transitions list\n');
  });

  it('exits 6 for a transition of a work item without a status, and names the missing status', async () => {
    await here.svc(['work-items', 'create', '--project', 'Web shop', '--title', 'Without a status']);
    const [made] = here.sandbox.rows('work-items').slice(-1);
    Object.assign(made ?? {}, { workflow_status_id: null });
    const result = await failed(['work-items', 'transition', 'last', '--to', 'Done']);
    expect(result.code).toBe(6);
    expect(result.stderr).toContain('The work item has no status yet, and every transition starts from a status.\n');
    expect(result.stderr).not.toMatch(/status 0/);
  });

  it('exits 6 when --if-match has an old ETag (rule 14.24)', async () => {
    expect(await failed(['worklogs', 'update', '2', '--minutes', '5', '--if-match', '"old"'])).toMatchInlineSnapshot(`
      {
        "code": 6,
        "stderr": "svc: The record has changed since it was read. Read it again, then decide.
        Read the record again, and repeat the command. Without --if-match or --if-unchanged, svc overwrites the change.
        PATCH http://<host>/api/v2/worklogs/2
        precondition-failed (412), request <request>
      ",
      }
    `);
  });

  it('exits 9 for an unknown field, and names the field (rules 14.7, 14.8, 14.26)', async () => {
    expect(await failed(['worklogs', 'add', '--minutes', '5', '-F', 'nosuch=1'])).toMatchInlineSnapshot(`
      {
        "code": 9,
        "stderr": "svc: The key nosuch is not accepted here.
        Correct the named fields, and run the command again; --dry-run shows the request.
        - nosuch: The key nosuch is not accepted here. (unknown_key)
        POST http://<host>/api/v2/worklogs
        validation-failed (422), code unknown_key, parameter nosuch, request <request>
      ",
      }
    `);
  });

  it('exits 9 for an invalid value of a parameter, and names the parameter (rules 14.7, 14.8, 14.12)', async () => {
    expect(await failed(['worklogs', 'list', '--sort', 'nosuch'])).toMatchInlineSnapshot(`
      {
        "code": 9,
        "stderr": "svc: sort takes id, date, minutes, user_id, project_id, work_item_id, budget_id, task_id, created_at, updated_at, not nosuch.
        Check the value of the filter or flag.
        GET http://<host>/api/v2/worklogs
        invalid-query-parameter (400), code in, parameter sort, request <request>
      ",
      }
    `);
  });

  it('exits 4 when the sign-in has ended (rules 13.79, 14.34)', async () => {
    const elsewhere = await createMachine();
    await elsewhere.svc(['login', here.host]);
    for (const { clientId, userId } of here.sandbox.apps.slice(1)) here.sandbox.disconnect(clientId, userId);
    const result = await elsewhere.svc(['me']);
    expect(result).toMatchObject({ code: 4, stdout: '' });
    expect(masked(result.stderr)).toMatchInlineSnapshot(`
      "svc: Your sign-in to <host> has ended: somebody revoked the sign-in, or you did not use the sign-in for 30 days.
        Sign in again: svc login <host>
        GET http://<host>/api/v2/me
        unauthenticated (401), code invalid_grant, request <request>
      "
    `);
    await elsewhere.remove();
  });

  it('exits 7 when a 429 asks for a longer wait than --max-wait (rules 14.10, 14.27)', async () => {
    here.sandbox.setFaults(lasting({ path: '/me', status: 429, retryAfter: 90 }));
    expect(await failed(['me', '--max-wait', '30s'])).toMatchInlineSnapshot(`
      {
        "code": 7,
        "stderr": "svc: The rate limit is used up (429). The service did not run the request.
        Try again in 90 s, or allow a longer wait with --max-wait.
        GET http://<host>/api/v2/me
        rate-limit-exceeded (429), retry after 90s, request <request>
      ",
      }
    `);
    expect(here.sandbox.requests).toHaveLength(1);
  });

  it.each(['0', '0s'])('exits 7 at a 429 with --max-wait %s', async (wait) => {
    here.sandbox.setFaults([{ path: '/me', status: 429, retryAfter: 20 }]);
    expect((await here.svc(['me', '--max-wait', wait], { hurried: true })).code).toBe(7);
  });

  it('waits when a 429 asks for a shorter wait than --max-wait (rules 14.28, 14.29)', async () => {
    here.sandbox.setFaults([{ path: '/me', status: 429, retryAfter: 20 }]);
    const result = await here.svc(['me', '--max-wait', '30s', '--jq', '.id'], { hurried: true });
    expect(result).toEqual({ code: 0, stdout: '1\n', stderr: '' });
  });

  it('exits 8 after four retries of a 500 (rule 14.30)', async () => {
    here.sandbox.setFaults(lasting({ path: '/me', status: 500 }));
    expect(await failed(['me'])).toMatchInlineSnapshot(`
      {
        "code": 8,
        "stderr": "svc: This error comes from a fault of the sandbox.
        Try again later. If the error remains, report the request id to the operator of the service.
        GET http://<host>/api/v2/me
        server-error (500), request <request>
      ",
      }
    `);
    expect(here.sandbox.requests).toHaveLength(5);
  });

  it('exits 8 when the answer is not JSON', async () => {
    here.sandbox.setFaults(lasting({ path: '/me', garbage: true }));
    expect(await failed(['me'])).toMatchInlineSnapshot(`
      {
        "code": 8,
        "stderr": "svc: The answer of the service is not JSON.
        A proxy or a sign-in page may have answered instead of the service. To see the answer: --debug
        GET http://<host>/api/v2/me
        status 200, request <request>
      ",
      }
    `);
  });

  it('exits 8 after one PATCH that fails with a 500', async () => {
    here.sandbox.setFaults(lasting({ method: 'PATCH', status: 500 }));
    expect((await failed(['worklogs', 'update', '3', '--minutes', '5'])).code).toBe(8);
    expect(sent(here.sandbox)).toEqual(['PATCH /api/v2/worklogs/3 {"minutes":5}']);
  });

  it('repeats a DELETE after a lost answer, and counts a missing record as deleted', async () => {
    const added = await here.svc(['worklogs', 'add', '--minutes', '5', '--output', 'ids']);
    here.sandbox.requests.length = 0;
    here.sandbox.setFaults([{ method: 'DELETE', drop: 'after' }]);
    const id = added.stdout.trim();
    expect(await here.svc(['worklogs', 'delete', id, '--yes', '--output', 'json'], { hurried: true })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('true'),
    });
    expect(sent(here.sandbox)).toEqual([`DELETE /api/v2/worklogs/${id}`, `DELETE /api/v2/worklogs/${id}`]);
  });

  it('exits 4 for a DELETE without a personal access token, and sends nothing (rules 12.4, 13.53)', async () => {
    const elsewhere = await createMachine();
    await elsewhere.svc(['login', here.host]);
    here.sandbox.requests.length = 0;
    const result = await elsewhere.svc(['worklogs', 'delete', '3', '--yes']);
    expect(result).toMatchObject({ code: 4, stdout: '' });
    expect(masked(result.stderr)).toMatchInlineSnapshot(`
      "svc: Deleting needs a personal access token. A browser sign-in is not enough.
        Make a token with the Delete scope in the web app, under API tokens, then run: svc token set --host <host>
      "
    `);
    expect(sent(here.sandbox)).toEqual([]);
    await elsewhere.remove();
  });
});

describe('svc with a request that gets no answer', () => {
  /** Runs `argv` against a port that is not the service. */
  async function against(listen: () => Promise<{ port: number; close: () => void }>, argv: readonly string[], scheme = '') {
    const { port, close } = await listen();
    const host = `${scheme}127.0.0.1:${port}`;
    const result = await here.svc([...argv, '--host', host], { env: { SVC_TOKEN: 'x' }, hurried: true });
    close();
    expect(result.stdout).toBe('');
    return { code: result.code, stderr: masked(result.stderr) };
  }

  const silent = async () => listening(createServer());
  const gone = async () => {
    const { port, close } = await listening(createServer());
    close();
    return { port, close: () => {} };
  };
  const untrusted = async () => listening(createTlsServer({ cert: LOCALHOST_CERTIFICATE, key: LOCALHOST_KEY }));

  it('exits 8 when the host refuses the connection', async () => {
    expect(await against(gone, ['me'])).toMatchInlineSnapshot(`
      {
        "code": 8,
        "stderr": "svc: <host> refused the connection.
        Check the host and the port.
        GET http://<host>/api/v2/me
      ",
      }
    `);
  });

  it('exits 8 when the certificate is not trusted', async () => {
    expect(await against(untrusted, ['me'], 'https://')).toMatchInlineSnapshot(`
      {
        "code": 8,
        "stderr": "svc: This machine does not trust the certificate of <host> (self-signed certificate).
        Set NODE_EXTRA_CA_CERTS to a file with the certificate of the issuing authority.
        GET https://<host>/api/v2/me
      ",
      }
    `);
  });

  it('exits 8 when no answer arrives within --timeout', async () => {
    expect(await against(silent, ['worklogs', 'update', '2', '--minutes', '5', '--timeout', '50ms'])).toMatchInlineSnapshot(`
      {
        "code": 8,
        "stderr": "svc: <host> did not answer within 0.05 s.
        The service may have run the write. Run the same command again to resolve the write. Or: svc outbox send --host <host> 1
        Resume with: svc worklogs update 2 --minutes 5 --timeout 50ms --host <host>
        PATCH http://<host>/api/v2/worklogs/2
      ",
      }
    `);
  });
});

describe('a command that you stop', () => {
  it('exits 130 at Ctrl-C', async () => {
    const stop = new AbortController();
    here.sandbox.setFaults([{ path: '/me', delayMs: 60_000 }]);
    const running = here.svc(['me'], { signal: stop.signal });
    await expect.poll(() => here.sandbox.requests.length).toBe(1);
    stop.abort(new InterruptedError('Interrupted (SIGINT).'));
    expect(await running).toEqual({ code: 130, stdout: '', stderr: 'svc: Interrupted (SIGINT).\n' });
  });

  it('exits 1 when you answer no to a delete, and deletes nothing', async () => {
    const result = await here.svc(['worklogs', 'delete', '3', '4'], { answers: [false] });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('? Delete these 2 records?');
    expect(result.stderr).toContain('svc deleted nothing.');
    expect(here.sandbox.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });
});

it('a delete without --yes exits 2 outside a terminal', async () => {
  const result = await failed(['worklogs', 'delete', '3']);
  expect(result).toEqual({ code: 2, stderr: 'svc: svc asks before a delete, and cannot ask here.\n  Add --yes if you are sure.\n' });
  expect(sent(here.sandbox)).toEqual([]);
});

describe('a delete of several records', () => {
  it('exits 10 when some records are missing, and prints the outcome of each record', async () => {
    const result = await here.svc(['worklogs', 'delete', '5', '99999999', '6', '--yes']);
    expect(result.code).toBe(10);
    expect(JSON.parse(result.stdout)).toEqual([
      { id: 5, deleted: true },
      { id: 99999999, deleted: false, error: 'There is no worklog 99999999.' },
      { id: 6, deleted: true },
    ]);
    expect(result.stderr).toContain('svc: 2 of 3 were deleted.\n');
  });

  it('exits 3 when all records are missing', async () => {
    expect((await here.svc(['worklogs', 'delete', '99999998', '99999999', '--yes'])).code).toBe(3);
  });
});

async function listening(server: ReturnType<typeof createServer>): Promise<{ port: number; close: () => void }> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  server.on('tlsClientError', () => {});
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
