// What stands in for Node's own modules does what the libraries use of them, and nothing else: an upgrade that uses more fails here,
// and not at somebody's terminal.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from '../../scripts/bundle.ts';
import { BUILT_INS } from '../../scripts/lean-libraries.ts';

/** What each library uses of each module that is replaced for it; `()`: calls the module itself. */
const USED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  undici: {
    'node:assert': ['()'],
    'node:http': ['IncomingMessage', 'maxHeaderSize'],
  },
  '@hono': {
    'node:http2': ['Http2ServerRequest', 'constants'],
  },
  'cli-table3': {
    'string-width': ['()'],
  },
  commander: {
    'node:child_process': ['spawn'],
    'node:fs': ['existsSync', 'realpathSync'],
    'node:path': ['basename', 'dirname', 'extname', 'resolve'],
  },
};

/** All but `process`, which is handed on whole. */
const REPLACED = Object.entries(BUILT_INS).flatMap(([library, modules]) =>
  Object.keys(modules)
    .filter((module) => module !== 'node:process')
    .map((module) => [library, module] as const),
);

let directory: string;
/** The files of libraries that are in the bundle: by path below node_modules, their text. */
const files = new Map<string, string>();
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-lean-'));
  const ids = (await bundle(directory)).flatMap(({ moduleIds }) => moduleIds);
  for (const id of ids) {
    const path = id.split('/node_modules/').at(-1) ?? '';
    if (id.includes('/node_modules/') && !id.startsWith('\0')) files.set(path, await readFile(id, 'utf8'));
  }
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Every word of a module that a library uses, over all its files in the bundle. */
function wordsOf(library: string, module: string): string[] {
  const words = new Set<string>();
  for (const [path, text] of files) {
    if (!path.startsWith(`${library}/`)) continue;
    for (const name of boundNames(text, module)) {
      if (name.startsWith('{')) for (const word of name.slice(1, -1).split(',')) words.add(word.split(/[:\s]/).find(Boolean) ?? '');
      else
        for (const [, member, call] of text.matchAll(new RegExp(`(?<![.\\w$])${name}(?:\\?{0,1}\\.(\\w+)|(\\())`, 'g')))
          words.add(member ?? `${call})`);
    }
  }
  return [...words].sort();
}

/** What a file calls the module, or `{ the, parts }` that it takes of it. */
function boundNames(text: string, module: string): string[] {
  const quoted = `['"]${module}['"]`;
  const found = text.matchAll(
    new RegExp(`(?:(\\w+|\\{[^}]*\\})\\s*=\\s*require\\(${quoted}\\)|import\\s+(\\w+|\\{[^}]*\\})\\s+from\\s+${quoted})`, 'g'),
  );
  const names = [...found].map(([, required, imported]) => (required ?? imported ?? '').replace(/^\{\s*|\s*\}$/g, (brace) => brace.trim()));
  // A way of loading it that is not one of the two would go unseen.
  expect(text.match(new RegExp(quoted, 'g'))?.length ?? 0).toBe(names.length);
  return names;
}

it.each(REPLACED)('the bundled %s uses only the listed members of %s', (library, module) => {
  expect(wordsOf(library, module)).toEqual(USED[library]?.[module]);
});

it.each(REPLACED.filter(([library]) => library === 'undici'))(
  'the replaced module has the members that %s uses of %s',
  (library, module) => {
    const made: { exports: unknown } = { exports: {} };
    new Function('module', BUILT_INS[library]?.[module] ?? '')(made);
    for (const word of USED[library]?.[module] ?? [])
      expect(word === '()' ? made.exports : Reflect.get(made.exports as object, word), word).toBeDefined();
  },
);

it.each(REPLACED.filter(([library]) => library === 'commander'))(
  'the bundled %s uses only functions of %s that the replaced module passes on',
  (library, module) => {
    for (const word of USED[library]?.[module] ?? [])
      expect(typeof Reflect.get(process.getBuiltinModule(module) ?? {}, word), word).toBe('function');
  },
);
