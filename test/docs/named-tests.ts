import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/bundle.ts';

/**
 * Returns the error if a page names a test whose file or title does not exist. Undefined if the test exists. @param path path relative to
 * `test/`.
 */
export function faultOfNamed(path: string, title: string): string | undefined {
  const file = join(ROOT, 'test', path);
  if (!existsSync(file)) return `There is no ${path}.`;
  return titlesOf(readFileSync(file, 'utf8')).includes(title) ? undefined : `${path} has no “${title}”.`;
}

/**
 * Returns the titles in a test file: first arguments before a function or options. For a title that starts with a calculated number,
 * returns the rest.
 */
function titlesOf(source: string): string[] {
  return [...source.matchAll(/\(\s*(['"`])((?:(?!\1).)+)\1,\s*(?:async )?[({]/g)].map(([, , title = '']) =>
    title.replace(/^\$\{\w+\} /, ''),
  );
}
