import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Left alone: they run something when they are loaded, or are for what no simulated process does. */
const LEFT_OUT = /^(?:main|launch\/.*|sandbox\/start|system\/(?:keychain|prompts|undici\.d))\.ts$/;
/** Packages that svc loads when it needs them. */
const LATE = /\bimport\('([^.'][^']*)'\)/g;
/** What speaks to the real world. */
const REAL = /^(?:undici|keytar|open|jq-wasm|@inquirer)/;

/** Loads all of svc, since loading takes real time, in which nothing of the world may wait. */
export async function loadAll(): Promise<void> {
  const root = join(import.meta.dirname, '../../src');
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts') || LEFT_OUT.test(name)) continue;
    await import(join(root, name));
    for (const [, wanted = ''] of readFileSync(join(root, name), 'utf8').matchAll(LATE)) if (!REAL.test(wanted)) await import(wanted);
  }
}
