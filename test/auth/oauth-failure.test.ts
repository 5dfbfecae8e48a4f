import { expect, it } from 'vitest';
import { failure, type OAuthAnswer } from '../../src/auth/oauth-exchange.ts';
import { parseHost } from '../../src/values/addresses.ts';

const host = parseHost('acme.example.com');

function answer(status: number, more: Partial<OAuthAnswer> = {}): OAuthAnswer {
  return { status, json: undefined, isPage: false, location: undefined, error: '', description: '', retryAfter: undefined, ...more };
}

it.each([
  [299, {}, 'UnavailableError', 'acme.example.com answered with something svc cannot read when svc asked the host to issue tokens.'],
  [200, { isPage: true }, 'UnavailableError', 'acme.example.com answered with a web page when svc asked the host to issue tokens.'],
  [
    300,
    {},
    'SignInError',
    'acme.example.com redirected svc when svc asked the host to issue tokens. svc never follows a redirect during a sign-in.',
  ],
  [
    399,
    { location: 'https://other.example.com/x' },
    'SignInError',
    'acme.example.com redirected svc to other.example.com when svc asked the host to issue tokens. svc never follows a redirect during a sign-in.',
  ],
  [
    302,
    { location: '/x' },
    'SignInError',
    'acme.example.com redirected svc when svc asked the host to issue tokens. svc never follows a redirect during a sign-in.',
  ],
  [400, {}, 'SignInError', 'acme.example.com refused to issue tokens (400).'],
  [
    499,
    { error: 'odd', description: 'It is so.' },
    'SignInError',
    'acme.example.com refused to issue tokens (odd). It reported: It is so.',
  ],
  [401, {}, 'ForbiddenError', 'acme.example.com refused to issue tokens (401).'],
  [403, { description: 'No.' }, 'ForbiddenError', 'acme.example.com refused to issue tokens (403). It reported: No.'],
  [404, {}, 'NotFoundError', 'acme.example.com offers no sign-in: its REST API is switched off, or the host belongs to no organisation.'],
  [429, {}, 'RateLimitError', 'acme.example.com received too many requests to issue tokens.'],
  [500, {}, 'UnavailableError', 'acme.example.com failed to issue tokens (500).'],
])('svc reports an OAuth answer with status %d and %j as a %s', (status, more, name, message) => {
  expect(failure(answer(status, more), host, 'issue tokens')).toMatchObject({ name, message, details: { status } });
});

it('the hint of an OAuth failure is a time to repeat the command, or a command that finds the cause', () => {
  expect(failure(answer(429), host, 'x').hint).toBe('Run the same command again in a few minutes.');
  expect(failure(answer(429, { retryAfter: 7 }), host, 'x').hint).toBe('Run the same command again in 7 s.');
  expect(failure(answer(403), host, 'x').hint).toBe('A proxy or a firewall may stand in between. Try: svc doctor --host acme.example.com');
  expect(failure(answer(403), host, 'x', { forbidden: 'Ask.' }).hint).toBe('Ask.');
});

it('the details of an OAuth failure contain the error code of the service and the seconds to wait', () => {
  expect(failure(answer(400, { error: 'odd', retryAfter: 3 }), host, 'x').details).toEqual({ status: 400, code: 'odd', retry_after: 3 });
  expect(failure(answer(400), host, 'x').details).toEqual({ status: 400, retry_after: undefined });
});
