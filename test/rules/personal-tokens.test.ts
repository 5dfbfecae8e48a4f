import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMachine, type SignedIn, signedIn } from '../support/svc.ts';

// Personal access tokens as svc meets them: chapters 11, 12 and 14 of docs/service-rules.md.

const DAY = 24 * 60 * 60 * 1000;

let here: SignedIn;
beforeEach(async () => {
  here = await signedIn();
});
afterEach(() => here.remove());

const named = (name: string) => here.sandbox.tokens.find((token) => token.name === name);
const keep = (value: string | undefined, ...more: string[]) => here.svc(['token', 'set', ...more], { stdin: value ?? '' });
const remove = (id: number) => here.svc(['worklogs', 'delete', String(id), '--yes']);
const asked = () => here.sandbox.requests.map(({ method, path, status }) => `${method} ${path} ${status}`);

describe('a personal access token', () => {
  test('is sent as a bearer token, like the access token of a sign-in (rule 11.1)', async () => {
    await keep(named('full')?.value);
    here.sandbox.requests.length = 0;
    for (const argv of [['me'], ['worklogs', 'delete', '1', '--yes']]) expect(await here.svc(argv)).toMatchObject({ code: 0 });
    expect(here.sandbox.requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer', 'Bearer']);
  });

  test('deletes a record, and svc sends no delete without a token (rules 12.4, 13.53, 17.9)', async () => {
    const refused = await remove(1);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('with the Delete scope') });
    expect(asked()).toEqual([]);
    await keep(named('full')?.value);
    expect(await remove(1)).toMatchObject({ code: 0 });
    expect(asked().at(-1)).toBe('DELETE /api/v2/worklogs/1 204');
  });

  test('can also read and write with only the Delete scope (rules 11.6, 11.7)', async () => {
    const alone = here.sandbox.createToken({ name: 'alone', userId: 1, scopes: ['destroy'], resources: ['times', 'hours'] });
    expect(alone.abilities).toEqual(['api:destroy:times', 'api:destroy:hours']);
    const machine = await createMachine();
    expect(await machine.svc(['login', here.host, '--with-token'], { stdin: alone.value })).toMatchObject({ code: 0 });
    for (const argv of ['list -L 1', 'add --minutes 5', 'delete 1 --yes']) {
      expect([argv, await machine.svc(['worklogs', ...argv.split(' ')])]).toMatchObject([argv, { code: 0 }]);
    }
    expect((await machine.svc(['users', 'list'])).code).toBe(5);
    await machine.remove();
  });

  test('causes exit 4 with the next step after its expiry, and the rolled token deletes again (rules 12.10, 12.20, 14.17)', async () => {
    const token = named('short-lived');
    await keep(token?.value);
    here.sandbox.advance(2 * DAY);
    const over = await remove(1);
    expect(over).toMatchObject({ code: 4, stderr: expect.stringContaining('Roll the token in the web app') });
    expect(asked().at(-1)).toBe('DELETE /api/v2/worklogs/1 401');
    await keep(here.sandbox.rollToken(token?.id ?? 0).value);
    expect(await remove(1)).toMatchObject({ code: 0 });
  });

  test('needs its new secret after a roll, and svc deletes the old expiry (rules 12.16, 12.17, 12.19)', async () => {
    await keep(named('full')?.value, '--expires', '+30d');
    const rolled = here.sandbox.rollToken(named('full')?.id ?? 0);
    expect(await remove(1)).toMatchObject({ code: 4, stderr: expect.stringContaining('svc token set') });
    await keep(rolled.value);
    expect(await remove(1)).toMatchObject({ code: 0 });
    expect(JSON.parse((await here.svc(['token', 'status'])).stdout)).toMatchObject({ expires: null });
  });

  test('causes exit 4 when revoked, and svc keeps the browser sign-in (rules 12.11, 12.22, 14.17)', async () => {
    await keep(named('full')?.value);
    here.sandbox.revokeToken(named('full')?.id ?? 0);
    expect(await remove(1)).toMatchObject({ code: 4, stderr: expect.stringContaining('revoked') });
    expect(await here.svc(['me', '--jq', '.id'])).toMatchObject({ code: 0, stdout: '1\n' });
  });

  test('is necessary for an upload that is not JSON, so svc sends nothing without this token (rules 13.75, 14.17)', async () => {
    const ticket = await here.svc(['api', '/work-items/ABC-12/uploads', '-f', 'file_name=a.txt', '--jq', '.data.upload_url']);
    const upload = ['api', 'POST', ticket.stdout.trim(), '--input', '-', '-H', 'Content-Type: text/plain'];
    here.sandbox.requests.length = 0;
    const refused = await here.svc(upload, { stdin: 'contents' });
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('Uploading a file needs a personal access token') });
    expect(asked()).toEqual([]);
    await keep(named('full')?.value);
    expect(await here.svc([...upload, '--silent'], { stdin: 'contents' })).toMatchObject({ code: 0 });
  });
});

describe('an upload', () => {
  const TICKETS = [
    ['/work-items/ABC-12/uploads', 'work-item', []],
    ['/upload-tickets', 'tickets', ['-F', 'work_item_id=12']],
  ] as const;
  const FIELDS = ['-f', 'file_name=a.json', '-f', 'mime_type=application/json', '--jq', '.data.upload_url'];
  const contents = (url: string) => ['api', 'POST', url.trim(), '--input', '-', '-H', 'Content-Type: application/json', '--silent'];
  const kinds = () => here.sandbox.requests.map(({ path, status }) => `${path.replace(/^\/api\/v2/, '')} ${status}`);

  describe.each(TICKETS)('with a ticket from %s', (path, uploads, fields) => {
    test.each(['contents', 'every-step'] as const)(
      'uses the personal access token when uploadsRefuseApps is %s (rules 13.75, 18.21)',
      async (uploadsRefuseApps) => {
        Object.assign(here.sandbox.interpretations, { uploads, uploadsRefuseApps });
        await keep(named('full')?.value);
        here.sandbox.requests.length = 0;
        const ticket = await here.svc(['api', path, ...fields, ...FIELDS]);
        expect(ticket).toMatchObject({ code: 0 });
        expect(await here.svc(contents(ticket.stdout), { stdin: '{}' })).toMatchObject({ code: 0, stderr: '' });
        expect(kinds()).toEqual([`${path} 201`, expect.stringMatching(/ 201$/)]);
      },
    );

    test('fails without a personal access token, and svc names the required token (rules 13.75, 14.17)', async () => {
      Object.assign(here.sandbox.interpretations, { uploads, uploadsRefuseApps: 'contents' });
      const ticket = await here.svc(['api', path, ...fields, ...FIELDS]);
      expect(ticket).toMatchObject({ code: 0 });
      here.sandbox.requests.length = 0;
      const refused = await here.svc([...contents(ticket.stdout), '--error-format', 'json'], { stdin: '{}' });
      expect(refused.code).toBe(4);
      expect(JSON.parse(refused.stderr)).toMatchObject({
        message: expect.stringContaining('uploads need a personal access token with Write'),
        hint: expect.stringMatching(new RegExp(`with the Write scope in the web app, .*svc token set --host ${here.host}$`)),
        status: 401,
        type: 'unauthenticated',
        request_id: here.sandbox.requests.at(-1)?.requestId,
      });
      // No refresh is spent on what another token of its kind would not help.
      expect(kinds()).toEqual([expect.stringMatching(/ 401$/)]);
    });

    test('renews an expired sign-in before the request for a ticket (rules 13.68, 13.75)', async () => {
      Object.assign(here.sandbox.interpretations, { uploads, uploadsRefuseApps: 'contents' });
      here.sandbox.advance(DAY);
      const ticket = await here.svc(['api', path, ...fields, ...FIELDS], { now: Date.now() + DAY });
      expect(ticket).toMatchObject({ code: 0 });
      expect(kinds()).toEqual(['/oauth/token 200', `${path} 201`]);
    });
  });

  test('uses the browser sign-in, not the personal access token, for a GET of its path', async () => {
    await keep(named('full')?.value);
    here.sandbox.revokeToken(named('full')?.id ?? 0);
    here.sandbox.requests.length = 0;
    expect((await here.svc(['api', '/work-items/ABC-12/uploads'])).code).not.toBe(4);
  });
});
