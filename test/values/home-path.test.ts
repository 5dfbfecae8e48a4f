import { expect, test } from 'vitest';
import { homePath } from '../../src/values/paths.ts';

test.each([
  ['/home/ada/.config/svc/tokens', '/home/ada', '~/.config/svc/tokens'],
  ['C:\\Users\\ada\\AppData\\svc', 'C:\\Users\\ada', '~\\AppData\\svc'],
  ['/home/adam/tokens', '/home/ada', '/home/adam/tokens'],
  ['/srv/tokens', '/home/ada', '/srv/tokens'],
  ['the macOS Keychain', '/home/ada', 'the macOS Keychain'],
  ['/srv/tokens', '', '/srv/tokens'],
])('svc shows %s, with the home "%s", as %s', (path, home, shown) => {
  expect(homePath(path, home)).toBe(shown);
});
