import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/bundle.ts';

/** A text that the linter checks as one: a page, all help, all messages, a folder’s comments, or test titles. */
export interface Scope {
  readonly name: string;
  /** The prose of each file, as Markdown. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The pages in other people’s words, or about words. */
const NOT_OURS = ['docs/service-rules.md', 'docs/contributing/style.md'];

/** Returns all scopes of the project, pages first. */
export function allScopes(): Scope[] {
  const pages = filesOf('README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/**/*.md').filter(
    (path) => !path.startsWith('docs/reference/') && !NOT_OURS.includes(path),
  );
  const sources = filesOf('src/**/*.ts');
  const folders = [...new Set(sources.map((path) => path.split('/').slice(0, -1).slice(0, 2).join('/')))].sort();
  return [
    ...pages.map((path) => ({ name: path, texts: new Map([[path, contentOf(path)]]) })),
    { name: 'help', texts: textsOf(filesOf('docs/reference/*.md'), (text) => text) },
    { name: 'messages', texts: textsOf(['test/wording/messages.txt'], (text) => text.replace(/\\n|\n/g, '\n\n')) },
    ...folders.map((folder) => ({
      name: `comments of ${folder}`,
      texts: textsOf(
        sources.filter((path) => (folder === 'src' ? path.split('/').length === 2 : path.startsWith(`${folder}/`))),
        commentsOf,
      ),
    })),
    { name: 'titles of tests', texts: textsOf(filesOf('test/**/*.{test,proof}.ts'), titlesOf) },
  ];
}

/** Returns the comments of a source file, one paragraph each. */
function commentsOf(source: string): string {
  const blocks = [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, text = '']) => text.replace(/^\s*\* ?/gm, ''));
  const lines = [...source.matchAll(/(?:^\s*\/\/ .*\n)+/gm)].map(([text]) => text.replace(/^\s*\/\/ /gm, ''));
  return [...blocks, ...lines].map((text) => text.replace(/\{@link (\w+)\}/g, '`$1`').replace(/^@(\w+)/gm, '\n`@$1`')).join('\n\n');
}

/** The start of a group or a test with its title. The table of `each` can end on a line of its own. */
const CALL =
  /^([ \t]*)(?:(describe|it|test)\b(?:\.\w+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?)*|\](?: as const| satisfies [^\n]*)?\))(?:\(\s*(['"`])((?:(?!\3)[\s\S])*)\3)?/gm;

/**
 * Returns the test titles of a file, one paragraph each. The titles of the groups precede the title of a test, because a report shows both.
 * Text in brackets is left out. A quoted text counts as one word.
 */
function titlesOf(source: string): string {
  const groups: { readonly indent: number; readonly title: string }[] = [];
  const titles: string[] = [];
  let isGroup = false;
  for (const [, { length: indent } = '', kind, , title] of source.matchAll(CALL)) {
    if (kind !== undefined) isGroup = kind === 'describe';
    if (title === undefined) continue;
    while ((groups.at(-1)?.indent ?? -1) >= indent) groups.pop();
    if (isGroup) groups.push({ indent, title });
    else titles.push([...groups.map((group) => group.title), title].join(' '));
  }
  return titles.map((title) => title.replace(/ ?\([^)]*\)/g, '').replace(/\$\{[^}]*\}|\$[\w.]+|"[^"]*"/g, '`$&`')).join('\n\n');
}

function textsOf(paths: readonly string[], read: (text: string) => string): ReadonlyMap<string, string> {
  return new Map(paths.map((path) => [path, read(contentOf(path))]));
}

function filesOf(...patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

function contentOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
