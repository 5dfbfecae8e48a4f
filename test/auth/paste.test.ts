import { describe, expect, it } from 'vitest';
import { pasteRedirect, readPastedAddress } from '../../src/auth/paste.ts';
import { SignInError } from '../../src/errors.ts';

const GOOD = 'http://127.0.0.1:50000/callback?code=c%2B1&state=s';

describe('a pasted address', () => {
  it.each([
    ['unchanged', GOOD],
    ['with blanks around', `  ${GOOD}\r\n`],
    ['in quotes', `"${GOOD}"`],
    ['in angle brackets', `<${GOOD}>`],
    ['broken by the terminal', `${GOOD.slice(0, 40)}\n${GOOD.slice(40)}`],
    ['without http://', GOOD.slice(7)],
    ['with IPv6', GOOD.replace('127.0.0.1', '[::1]')],
    ['through another port', GOOD.replace('50000', '8080')],
  ])('is accepted %s', (_name, text) => {
    const reading = readPastedAddress(text, ['other', 's']);
    expect(reading.kind === 'answer' && reading.parameters.get('code')).toBe('c+1');
  });

  it.each([
    ['another host', GOOD.replace('127.0.0.1', 'acme.example.com'), 'elsewhere'],
    ['localhost', GOOD.replace('127.0.0.1', 'localhost'), 'elsewhere'],
    ['another path', GOOD.replace('/callback', '/oauth/authorize'), 'elsewhere'],
    ['https', GOOD.replace('http:', 'https:'), 'elsewhere'],
    ['other words', 'what?', 'elsewhere'],
    ['a code alone', 'c+1', 'elsewhere'],
    ['no state', GOOD.replace('&state=s', ''), 'no-state'],
    ['a wrong state', `${GOOD}x`, 'wrong-state'],
    ['a doubled state', `${GOOD}&state=s`, 'doubled'],
    ['a doubled code', `${GOOD}&code=d`, 'doubled'],
    ['no code', GOOD.replace('code=c%2B1&', ''), 'empty'],
  ])('is refused with %s', (_name, text, kind) => {
    expect(readPastedAddress(text, ['s']).kind).toBe(kind);
  });
});

describe('svc with --paste', () => {
  const never = new AbortController().signal;

  it('explains a wrong address and asks for another address', async () => {
    const lines = ['', 'https://acme.example.com/oauth/authorize?state=s', `${GOOD}x`, GOOD];
    const told: string[] = [];
    const source = pasteRedirect({ port: 50000, readLine: async () => lines.shift(), notify: (line) => told.push(line) });
    source.expect('s');
    const answer = await source.answer(never);
    expect(answer.parameters.get('code')).toBe('c+1');
    expect(told).toHaveLength(2);
    expect(told[0]).toContain('begins with http://127.0.0.1');
    expect(told[1]).toContain('another sign-in');
  });

  it('fails when the input ends', async () => {
    const source = pasteRedirect({ port: 50000, readLine: async () => undefined, notify: () => {} });
    await expect(source.answer(never)).rejects.toThrow(SignInError);
  });
});
