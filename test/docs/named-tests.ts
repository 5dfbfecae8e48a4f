import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/bundle.ts';

/** What is wrong with a test that a page names: its file or its title does not exist. Undefined if nothing is. @param path below `test/`. */
export function faultOfNamed(path: string, title: string): string | undefined {
  const file = join(ROOT, 'test', path);
  if (!existsSync(file)) return `There is no ${path}.`;
  return titlesOf(readFileSync(file, 'utf8')).includes(title) ? undefined : `${path} has no “${title}”.`;
}

/** The titles in a file of tests: first arguments before a function or options. Of one that begins with a calculated number, the rest. */
function titlesOf(source: string): string[] {
  return [...source.matchAll(/\(\s*(['"`])((?:(?!\1).)+)\1,\s*(?:async )?[({]/g)].map(([, , title = '']) =>
    title.replace(/^\$\{\w+\} /, ''),
  );
}
