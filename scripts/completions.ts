/** Writes completions/: the completion scripts that packages install. With `--check`, lists stale files instead and exits with 1. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { builtInCatalog } from '../src/catalog/index.ts';
import { completionScript, SCRIPT_NAMES, SHELLS } from '../src/cli/complete/scripts/index.ts';
import { rootOf } from '../src/commands/root.ts';

const ROOT = rootOf(builtInCatalog());

const directory = new URL('../completions/', import.meta.url);
await mkdir(directory, { recursive: true });
for (const shell of SHELLS) {
  const file = new URL(SCRIPT_NAMES[shell], directory);
  const script = await completionScript(shell, ROOT);
  if (!process.argv.includes('--check')) await writeFile(file, script);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== script) {
    console.error(`completions/${SCRIPT_NAMES[shell]} is stale: run node scripts/completions.ts`);
    process.exitCode = 1;
  }
}
