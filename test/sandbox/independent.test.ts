// The sandbox judges svc, so it shares no code with svc, and it stays on this machine.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/bundle.ts';

const SANDBOX = join(ROOT, 'src', 'sandbox');
const SOURCES = globSync('**/*.ts', { cwd: SANDBOX }).map((path) => join(SANDBOX, path));

/** The code of a file without its comments. */
const codeOf = (path: string): string => readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

const imported = SOURCES.flatMap((path) =>
  [...codeOf(path).matchAll(/(?:from|import\(?)\s*'([^']+)'/g)].map(([, name = '']) => ({
    path: relative(ROOT, path),
    from: dirname(path),
    name,
  })),
);

it('the sandbox imports nothing from the rest of src', () => {
  expect(imported.length).toBeGreaterThan(200);
  const outside = imported.filter(({ from, name }) => name.startsWith('.') && relative(SANDBOX, join(from, name)).startsWith('..'));
  expect(outside.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

it('the source of the sandbox has no call that sends a request', () => {
  const packages = new Set(imported.map(({ name }) => name).filter((name) => !name.startsWith('.')));
  for (const client of ['node:https', 'node:net', 'node:tls', 'node:http2', 'node:dgram', 'node:dns', 'undici'])
    expect([...packages], client).not.toContain(client);
  const requests = SOURCES.filter((path) =>
    /(?<![.\w])fetch\(|\bhttp\.(?:get|request)\(|import \{[^}]*\b(?:get|request)\b[^}]*\} from 'node:http'/.test(codeOf(path)),
  );
  expect(requests.map((path) => relative(ROOT, path))).toEqual([]);
});
