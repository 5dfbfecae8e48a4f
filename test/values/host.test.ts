import { expect, test } from 'vitest';
import { isLoopbackName, parseHost } from '../../src/values/addresses.ts';

test.each([
  ['acme.example.com', 'acme.example.com', 'https://acme.example.com'],
  [' Acme.Example.com ', 'acme.example.com', 'https://acme.example.com'],
  ['https://acme.example.com/api/v2?page=1#top', 'acme.example.com', 'https://acme.example.com'],
  ['acme.example.com/projects', 'acme.example.com', 'https://acme.example.com'],
  ['acme.example.com:8443', 'acme.example.com:8443', 'https://acme.example.com:8443'],
  ['acme.example.com:443', 'acme.example.com', 'https://acme.example.com'],
  ['127.0.0.1:4010', '127.0.0.1:4010', 'http://127.0.0.1:4010'],
  ['127.1.2.3', '127.1.2.3', 'http://127.1.2.3'],
  ['LocalHost:4010', 'localhost:4010', 'http://localhost:4010'],
  ['acme.localhost/start', 'acme.localhost', 'http://acme.localhost'],
  ['localhost?page=1', 'localhost', 'http://localhost'],
  ['localhost#top', 'localhost', 'http://localhost'],
  ['[::1]', '[::1]', 'http://[::1]'],
  ['[::1]:4010/x', '[::1]:4010', 'http://[::1]:4010'],
  ['[2001:db8::1]', '[2001:db8::1]', 'https://[2001:db8::1]'],
  // The scheme is part of the name where the bare name would get the other one.
  ['https://localhost:4010', 'https://localhost:4010', 'https://localhost:4010'],
  ['http://localhost:4010', 'localhost:4010', 'http://localhost:4010'],
  // A name that merely looks like this machine is somebody else's.
  ['127.0.0.1.example.com', '127.0.0.1.example.com', 'https://127.0.0.1.example.com'],
  ['notlocalhost', 'notlocalhost', 'https://notlocalhost'],
])('svc reads the host %j as the name %s with the origin %s', (text, name, origin) => {
  expect(parseHost(text)).toEqual({ name, origin });
  expect(parseHost(name)).toEqual({ name, origin });
});

const EXAMPLE = 'Use the address where you sign in, for example acme.example.com.';

test.each([
  ['', '"" is not a host name.', EXAMPLE],
  [' two words ', '"two words" is not a host name.', EXAMPLE],
  ['https://', '"https://" is not a host name.', EXAMPLE],
  ['acme:port', '"acme:port" is not a host name.', EXAMPLE],
  ['ada@acme.example.com', 'Write the host without a user name or password.', EXAMPLE],
  ['https://:secret@acme.example.com', 'Write the host without a user name or password.', EXAMPLE],
  ['ftp://acme.example.com', 'svc cannot use an address that begins with "ftp://".', EXAMPLE],
  ['file:///etc', 'svc cannot use an address that begins with "file://".', EXAMPLE],
  [
    'http://acme.example.com:8080/x',
    'svc does not use http://acme.example.com:8080, because others on the network could read the token.',
    'Use https://acme.example.com:8080; http is for this machine only.',
  ],
])('svc refuses the host %j with the message "%s"', (text, message, hint) => {
  expect(() => parseHost(text)).toThrow(expect.objectContaining({ name: 'UsageError', message, hint }));
});

test.each([
  ['localhost', true],
  ['acme.localhost', true],
  ['[::1]', true],
  ['127.0.0.1', true],
  ['128.0.0.1', false],
  ['localhost.example.com', false],
  ['', false],
])('svc recognises whether the host %j is this machine: %s', (name, stays) => {
  expect(isLoopbackName(name)).toBe(stays);
});
