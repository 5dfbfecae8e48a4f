import { expect, it } from 'vitest';
import { pathIn } from '../../src/values/paths.ts';

it.each([
  ['/home/zoe/.config/svc', '/home/zoe/.config/svc/journal/a.sqlite'],
  ['/', '/journal/a.sqlite'],
  ['C:\\Users\\zoe\\AppData\\Roaming\\svc', 'C:\\Users\\zoe\\AppData\\Roaming\\svc\\journal\\a.sqlite'],
  ['C:\\', 'C:\\journal\\a.sqlite'],
  ['\\\\server\\share', '\\\\server\\share\\journal\\a.sqlite'],
  // As somebody wrote it in SVC_CONFIG_DIR.
  ['C:/svc', 'C:/svc/journal/a.sqlite'],
  ['backup', 'backup/journal/a.sqlite'],
  // A name on Linux, where a backslash is a letter like any other.
  ['/srv/a\\b', '/srv/a\\b/journal/a.sqlite'],
  ['a\\b', 'a\\b/journal/a.sqlite'],
])('a file in %s has a path with the separator of the directory', (directory, path) => {
  expect(pathIn(directory, 'journal', 'a.sqlite')).toBe(path);
});
