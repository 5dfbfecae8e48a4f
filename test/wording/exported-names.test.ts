import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..', '..', 'src');
const EXPORTED = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

it('an exported name of src is defined in only one file', () => {
  const files = new Map<string, Set<string>>();
  for (const file of readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
    for (const [, name = ''] of readFileSync(join(SRC, file), 'utf8').matchAll(EXPORTED))
      files.set(name, (files.get(name) ?? new Set()).add(file.replaceAll('\\', '/')));
  }
  expect(files.size).toBeGreaterThan(1_000);
  const shared = [...files].filter(([, defining]) => defining.size > 1);
  expect(shared.map(([name, defining]) => `${name}: ${[...defining].sort().join(', ')}`)).toEqual([]);
});
