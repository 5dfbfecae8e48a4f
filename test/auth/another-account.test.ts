// A sign-in that returns as another person than before. Somebody who read its address elsewhere can have approved it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sent } from '../support/sent.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeEach(async () => {
  here = await signedIn();
  here.sandbox.setPerson(2);
});
afterEach(() => here.remove());

const me = async () => (await here.svc(['me', '--jq', '.id'])).stdout;
const revoked = () => sent(here.sandbox).filter((line) => line.includes('/oauth/revoke'));

describe('svc login as another person', () => {
  it('names both people in a question, and keeps the new sign-in after a yes', async () => {
    const login = await here.svc(['login', here.host], { answers: [true] });
    expect(login.code).toBe(0);
    expect(login.stderr).toMatch(/The browser signed in to \S+ as Olumide Adeyemi, and svc is signed in as Sanne de Vries\. Is that you\?/);
    expect(login.stderr).toContain(`Olumide Adeyemi, you are signed in to ${here.host}.`);
    expect(await me()).toBe('2\n');
    expect(revoked()).toEqual([]);
  });

  it('keeps the old sign-in and revokes the new sign-in after a no', async () => {
    const login = await here.svc(['login', here.host], { answers: [false] });
    expect(login).toMatchObject({ code: 1, stderr: expect.stringContaining('still uses the sign-in of Sanne de Vries') });
    expect(revoked()).toHaveLength(1);
    expect(await me()).toBe('1\n');
    expect(await here.svc(['auth', 'refresh'])).toMatchObject({ code: 0 });
    expect(await me()).toBe('1\n');
  });

  it('exits 4 and keeps the old sign-in outside a terminal', async () => {
    const login = await here.svc(['login', here.host]);
    expect(login).toMatchObject({ code: 4, stderr: expect.stringContaining('svc still uses the sign-in of Sanne de Vries.') });
    expect(login.stderr).toContain(`svc logout ${here.host}`);
    expect(revoked()).toHaveLength(1);
    expect(await me()).toBe('1\n');
  });

  it('asks no question after a logout', async () => {
    here.sandbox.setPerson(1);
    expect(await here.svc(['login', here.host])).toMatchObject({ code: 0 });
    await here.svc(['logout']);
    here.sandbox.setPerson(2);
    expect(await here.svc(['login', here.host])).toMatchObject({ code: 0 });
    expect(await me()).toBe('2\n');
  });
});

it.each(['before', 'after'])(
  'svc login exits 4 and keeps no sign-in when another svc signs out %s svc login reads your name',
  async (when) => {
    await here.svc(['logout']);
    let signsOut = true;
    const signOut = async () => {
      if (!signsOut) return;
      signsOut = false;
      expect(await here.svc(['logout', here.host])).toMatchObject({ code: 0 });
    };
    const login = await here.svc(['login', here.host], {
      around: (deps) => ({
        ...deps,
        network: {
          ...deps.network,
          async request(request) {
            const isMe = request.url.endsWith('/me');
            // The tokens are stored. Another svc signs out now.
            if (isMe && when === 'before') await signOut();
            const response = await deps.network.request(request);
            if (isMe && when === 'after') await signOut();
            return response;
          },
        },
      }),
    });
    expect(login.code).toBe(4);
    expect(await here.svc(['auth', 'status'])).toMatchObject({ code: 4 });
    expect(here.sandbox.apps).toEqual([]);
  },
);
