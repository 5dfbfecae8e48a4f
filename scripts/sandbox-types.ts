/**
 * Writes the knobs into the types of `svc/sandbox` (src/sandbox/public-types.d.cts), from the knobs that there are. The rest of that file
 * is kept by hand; test/sandbox/importable.test.ts holds all of it against the source.
 *
 *     node scripts/sandbox-types.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KNOBS } from '../src/sandbox/knobs.ts';

const PATH = join(import.meta.dirname, '..', 'src', 'sandbox', 'public-types.d.cts');

/** The file as it should be. */
export function sandboxTypes(): string {
  const lines = Object.entries(KNOBS).map(([name, values]) => `  ${name}: ${typeOf(values)};\n`);
  return readFileSync(PATH, 'utf8').replace(/(?<=export interface SandboxKnobs \{\n)[^}]*(?=\})/, lines.join(''));
}

function typeOf(values: readonly (boolean | number | string)[]): string {
  // Any name of a problem type will do.
  if (values === KNOBS.missingRecordType) return 'string';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  return values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
}

if (process.argv[1] === import.meta.filename) writeFileSync(PATH, sandboxTypes());
