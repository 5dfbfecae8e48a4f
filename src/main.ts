/**
 * Composition root: builds the real {@link Deps}, runs the command line, sets the exit code. Only this file has `process`.
 *
 * Every slow part is made at its first use: `--help` opens no stream, no network and no account database (docs/contributing/performance.md).
 */

import { userInfo } from 'node:os';
import type { Deps, Env } from './deps.ts';
import { reportFailure, run } from './run.ts';
import { latePrompts } from './session/guard-terminal.ts';
import { once } from './session/once.ts';
import { systemClock } from './system/clock.ts';
import { nodeFiles } from './system/files.ts';
import { listenForInterrupts } from './system/interrupts.ts';
import { createNetwork } from './system/network.ts';
import { openOutput } from './system/output.ts';
import { saveMemory } from './system/save-memory.ts';
import { nativeTemporal } from './values/temporal.ts';
import { SVC_VERSION } from './version.ts';

silenceSqliteWarning();

const env = withholdToken(process.env);
let account: Account | undefined;
let unanswered = 0;
const deps: Deps = {
  clock: systemClock,
  stdio: {
    get stdin() {
      return process.stdin;
    },
    stdout: openOutput(1, () => process.stdout),
    stderr: openOutput(2, () => process.stderr),
  },
  env,
  system: {
    platform: process.platform,
    arch: process.arch,
    nodeVersion: process.versions.node,
    pid: process.pid,
    get cwd() {
      return process.cwd();
    },
    get home() {
      return env['HOME'] || accountOf(env).home;
    },
    get accountHome() {
      return accountOf(env).home;
    },
    get userName() {
      return accountOf(env).name;
    },
    get timeZone() {
      return machineZone();
    },
    version: SVC_VERSION,
    randomBytes: (size) => process.getBuiltinModule('node:crypto').randomBytes(size),
    saveMemory,
    traceOf: async (error) => (await import('./system/source-trace.ts')).sourceTrace(error),
  },
  files: nodeFiles(),
  keychain: async () => (await import('./system/keychain.ts')).openKeychain(process.platform, attend),
  browser: {
    open: async (...args) => (await import('./system/browser.ts')).createBrowser(process.env, process.platform).open(...args),
  },
  network: createNetwork({ env }),
  interrupts: listenForInterrupts(process),
  programs: {
    run: async (...args) => (await programs()).run(...args),
    page: async (...args) => (await import('./system/pager.ts')).createPager(process.env, process.platform)(...args),
    git: async (...args) => (await programs()).git(...args),
    startSelf: async (argv) => (await programs(tokenFor(env))).startSelf(argv),
    runSelf: async (...args) => (await programs()).runSelf(...args),
  },
  prompts: latePrompts(once(async () => (await import('./system/prompts.ts')).createPrompts(process.stdin, process.stderr))),
  plainPrompts: latePrompts(
    once(async () => (await import('./system/plain-prompts.ts')).createPlainPrompts(process.stdin, process.stderr)),
  ),
};

const argv = process.argv.slice(2);

// An error that nobody handles, such as a rejection. The state of all running work is unknown then, so svc ends here.
process.once('uncaughtException', (error) => {
  // A second error on the way is only a consequence.
  process.on('uncaughtException', () => undefined);
  // Node writes a requested crash report only where nobody catches this.
  if (process.report?.reportOnUncaughtException) process.report.writeReport(error);
  void reportFailure(error, argv, deps).then(process.exit, () => process.exit(1));
});

// Not awaited: the bundle is CommonJS, which has no await here.
void run(argv, deps).then(async (code) => {
  process.exitCode = code;
  // An open call of the keychain would keep the process alive.
  if (unanswered > 0) (await import('./system/end-now.ts')).endNow(code);
});

/** Programs that get the environment without the token, and `more`. */
async function programs(more: Env = {}): Promise<Omit<Deps['programs'], 'page'>> {
  return (await import('./system/programs.ts')).createPrograms({ ...process.env, ...more }, process.platform);
}

async function attend<T>(call: Promise<T>): Promise<T> {
  unanswered += 1;
  try {
    return await call;
  } finally {
    unanswered -= 1;
  }
}

function machineZone(): string {
  return nativeTemporal()?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

interface Account {
  readonly name: string;
  readonly home: string;
}

/**
 * Returns the name and the home directory of the user from the account database. Some containers run as a user without an entry. Then the
 * name is the user id, and the home directory is `HOME` or `/`.
 */
function accountOf(variables: Env): Account {
  account ??= readAccount(variables);
  return account;
}

function readAccount(variables: Env): Account {
  try {
    const { username, homedir } = userInfo();
    return { name: username, home: homedir };
  } catch {
    return { name: String(process.getuid?.() ?? 'user'), home: variables['HOME'] || '/' };
  }
}

/** `SVC_TOKEN` is for svc alone: no program that it starts inherits it, and a crash report of Node holds no environment. */
function withholdToken(variables: NodeJS.ProcessEnv): Env {
  const { SVC_TOKEN: token } = variables;
  delete variables['SVC_TOKEN'];
  if (process.report !== undefined) Object.assign(process.report, { excludeEnv: true });
  // Other names are found in `variables`, on Windows in any letter case.
  return Object.create(variables, { SVC_TOKEN: { value: token } }) as Env;
}

function tokenFor({ SVC_TOKEN: token }: Env): Env {
  return token === undefined ? {} : { SVC_TOKEN: token };
}

/** Silences one warning: Node 22 reports on stderr that node:sqlite is new. Every other warning still shows. */
function silenceSqliteWarning(): void {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: [never]) => {
    if (String(warning).includes('SQLite is an experimental feature')) return;
    emitWarning.call(process, warning, ...rest);
  }) as typeof process.emitWarning;
}
