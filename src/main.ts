/** Composition root: builds the real {@link Deps}, runs the command line, sets the exit code. Only this file has `process`. */

import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Deps } from './deps.ts';
import { run } from './run.ts';
import { createBrowser } from './system/browser.ts';
import { systemClock } from './system/clock.ts';
import { nodeFiles } from './system/files.ts';
import { listenForInterrupts } from './system/interrupts.ts';
import { openKeychain } from './system/keychain.ts';
import { createNetwork } from './system/network.ts';
import { createPrograms } from './system/programs.ts';
import { createPrompts } from './system/prompts.ts';
import { createOutput } from './system/stdio.ts';
import { SVC_VERSION } from './version.ts';

silenceSqliteWarning();

const { env } = process;
const account = accountOf(env);
const deps: Deps = {
  clock: systemClock,
  stdio: { stdin: process.stdin, stdout: createOutput(process.stdout), stderr: createOutput(process.stderr) },
  env,
  system: {
    platform: process.platform,
    arch: process.arch,
    nodeVersion: process.versions.node,
    pid: process.pid,
    cwd: process.cwd(),
    home: env['HOME'] || account.home,
    accountHome: account.home,
    userName: account.name,
    get timeZone() {
      return Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    version: SVC_VERSION,
    randomBytes: (size) => randomBytes(size),
  },
  files: nodeFiles(),
  keychain: () => openKeychain(process.platform),
  browser: createBrowser(env, process.platform),
  network: createNetwork({ env }),
  interrupts: listenForInterrupts(process),
  programs: createPrograms(env),
  prompts: createPrompts(process.stdin, process.stderr),
};

process.exitCode = await run(process.argv.slice(2), deps);

/** The account's own entry; some containers run as a user that has none. */
function accountOf(variables: NodeJS.ProcessEnv): { readonly name: string; readonly home: string } {
  try {
    const { username, homedir } = userInfo();
    return { name: username, home: homedir };
  } catch {
    return { name: String(process.getuid?.() ?? 'user'), home: variables['HOME'] || '/' };
  }
}

/** Node 22 warns of node:sqlite being new, on stderr, in a person's way. Every other warning still shows. */
function silenceSqliteWarning(): void {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: [never]) => {
    if (String(warning).includes('SQLite is an experimental feature')) return;
    emitWarning.call(process, warning, ...rest);
  }) as typeof process.emitWarning;
}
