/**
 * Builds the real {@link Deps}, runs the command line, and sets the exit code. Outside `src/system/` and `src/launch/`, only this file uses
 * `process`.
 *
 * svc creates every slow part at its first use: `--help` opens no stream, no network and no account database
 * (docs/contributing/performance.md).
 */

import { hostname, userInfo } from 'node:os';
import type { Deps, Env } from './deps.ts';
import { reportFailure, run } from './run.ts';
import { latePrompts } from './session/guard-terminal.ts';
import { once } from './session/once.ts';
import { systemClock } from './system/clock.ts';
import { nodeFiles } from './system/files.ts';
import { installedIn } from './system/installed-in.ts';
import { listenForInterrupts } from './system/interrupts.ts';
import { createNetwork } from './system/network.ts';
import { openOutput } from './system/output.ts';
import { saveMemory } from './system/save-memory.ts';
import { nativeTemporal } from './values/temporal.ts';
import { SVC_PACKAGE, SVC_RELEASES, SVC_VERSION } from './version.ts';

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
    get machineName() {
      return hostname();
    },
    get timeZone() {
      return machineZone();
    },
    version: SVC_VERSION,
    get installedIn() {
      return installedIn();
    },
    releases: SVC_RELEASES,
    packageName: SVC_PACKAGE,
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
    sshKeygen: async (...args) => (await programs()).sshKeygen(...args),
    startSelf: async (argv) => (await programs(tokenFor(env))).startSelf(argv),
    runSelf: async (...args) => (await programs()).runSelf(...args),
  },
  prompts: latePrompts(once(async () => (await import('./system/prompts.ts')).createPrompts(process.stdin, process.stderr))),
  plainPrompts: latePrompts(
    once(async () => (await import('./system/plain-prompts.ts')).createPlainPrompts(process.stdin, process.stderr)),
  ),
};

const argv = process.argv.slice(2);

// The handler receives errors that no code handles, such as a rejection. After such an error, the state of all running work is unknown, so
// svc ends.
process.once('uncaughtException', (error) => {
  // A second error is only a consequence of the first.
  process.on('uncaughtException', () => undefined);
  // If a handler catches the error, Node does not write the requested crash report.
  if (process.report?.reportOnUncaughtException) process.report.writeReport(error);
  void reportFailure(error, argv, deps).then(process.exit, () => process.exit(1));
});

// The bundle is CommonJS, which allows `await` only in functions.
void run(argv, deps).then(async (code) => {
  process.exitCode = code;
  // A pending keychain call would keep the process alive.
  if (unanswered > 0) (await import('./system/end-now.ts')).endNow(code);
});

/** Creates the functions that start other programs. The programs get the environment without the token, and the variables in `more`. */
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
 * Returns the name and the home directory of the user from the account database. Some containers run as a user without an entry. The name
 * is then the user id, and the home directory is `HOME` or `/`.
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

/**
 * Removes `SVC_TOKEN` from the environment. No program inherits the token, and no crash report of Node contains the token. {@link tokenFor}
 * passes the token only to another svc process.
 */
function withholdToken(variables: NodeJS.ProcessEnv): Env {
  const { SVC_TOKEN: token } = variables;
  delete variables['SVC_TOKEN'];
  if (process.report !== undefined) Object.assign(process.report, { excludeEnv: true });
  // svc looks up other names in `variables`, on Windows in any letter case.
  return Object.create(variables, { SVC_TOKEN: { value: token } }) as Env;
}

function tokenFor({ SVC_TOKEN: token }: Env): Env {
  return token === undefined ? {} : { SVC_TOKEN: token };
}

/** Silences one warning of Node 22: that node:sqlite is experimental. Node still prints every other warning. */
function silenceSqliteWarning(): void {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: [never]) => {
    if (String(warning).includes('SQLite is an experimental feature')) return;
    emitWarning.call(process, warning, ...rest);
  }) as typeof process.emitWarning;
}
