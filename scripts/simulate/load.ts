import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Matches files that the simulation does not load, because they run code on loading or no simulated process uses them. */
const LEFT_OUT = /^(?:main|launch\/.*|sandbox\/start|system\/(?:keychain|prompts|undici\.d))\.ts$/;
/** Matches packages that svc loads on demand. */
const LATE = /\bimport\('([^.'][^']*)'\)/g;
/** Matches packages that use the real network, keychain or terminal. */
const REAL = /^(?:undici|keytar|open|jq-wasm|@inquirer)/;

/** Loads all modules of svc in advance, because loading takes real time while a scenario must not wait. */
export async function loadAll(): Promise<void> {
  const root = join(import.meta.dirname, '../../src');
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts') || LEFT_OUT.test(name)) continue;
    await import(join(root, name));
    for (const [, wanted = ''] of readFileSync(join(root, name), 'utf8').matchAll(LATE)) if (!REAL.test(wanted)) await import(wanted);
  }
}
