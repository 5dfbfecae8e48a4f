import { type ChildProcess, type ExecFileOptions, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { isSea } from 'node:sea';
import type { Env, ProgramResult, Programs } from '../deps.ts';
import { attempt } from '../launch/guarded.ts';
import { splitWords } from '../values/command-line.ts';

export interface Surroundings {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  readonly cwd?: string;
}

const MOST_OUTPUT = 32 * 1024 * 1024;

/**
 * The flags of git that stop the configuration of a repository from starting programs. A bare repository counts only if the environment
 * names it (git 2.38), because any checkout may contain a bare repository.
 */
const GIT_FLAGS = ['--no-pager'].concat(
  ['safe.bareRepository=explicit', 'protocol.allow=never', 'core.fsmonitor=false', 'log.showSignature=false'].flatMap((setting) => [
    '-c',
    setting,
  ]),
);

/**
 * The variables that stop git from fetching missing objects (git 2.45, and fixes of older versions). An older git ignores the first
 * variable, so the second variable allows no protocol. No setting of a repository takes precedence over the second variable.
 */
const GIT_ENV = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };

export function createPrograms(env: Env, platform: NodeJS.Platform): Omit<Programs, 'page'> {
  return {
    async run(commandLine, extraArgs, input) {
      const words = [...splitCommandLine(commandLine, platform), ...extraArgs];
      const child = await startProgram(words, { env, platform }, [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit']);
      const closed = once(child, 'close');
      try {
        if (input !== undefined && child.stdin !== null) await feed(child.stdin, input);
      } finally {
        // svc waits even if the input fails, because the user decides when the program ends.
        child.stdin?.end();
        await closed;
      }
      const [code] = (await closed) as [number | null];
      return code ?? 1;
    },

    async git(args, cwd) {
      const surroundings = { env, platform, cwd };
      const own = { ...environmentOf(surroundings), PATH: searchPath(surroundings), ...GIT_ENV };
      return outputOf(findProgram('git', surroundings), [...GIT_FLAGS, ...args], { cwd, env: own });
    },

    async sshKeygen(args, input) {
      const surroundings = { env, platform };
      return outputOf(findProgram('ssh-keygen', surroundings), args, { env: environmentOf(surroundings) }, input);
    },

    async startSelf(argv) {
      const child = spawn(process.execPath, [...ownStart(), ...argv], { detached: true, stdio: 'ignore', windowsHide: true, env });
      const ended = new Promise<void>((resolve) => {
        child.on('error', () => resolve());
        child.on('exit', () => resolve());
      });
      child.unref();
      return { ended };
    },

    async runSelf(argv, input) {
      const child = spawn(process.execPath, [...ownStart(), ...argv], { stdio: ['pipe', 'inherit', 'inherit'], env });
      const closed = once(child, 'close');
      // A program may end before it has read all input.
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      await closed;
    },
  };
}

/** Runs a program without the terminal, and returns its output. Rejects if the program does not start or does not finish. */
function outputOf(program: string, args: readonly string[], options: ExecFileOptions, input?: string): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { ...options, encoding: 'utf8', maxBuffer: MOST_OUTPUT, windowsHide: true },
      (error, stdout, stderr) => {
        // A numeric code comes from the program itself. Any other code means that the program did not start or did not finish.
        if (error === null) resolve({ code: 0, stdout, stderr });
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
        else reject(error);
      },
    );
    if (input === undefined) return;
    // The program may end before it has read all input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/**
 * Starts a program in svc’s current directory, without a shell.
 * @param words the program and its arguments. svc searches PATH for a bare program name, but never searches the current directory.
 * @throws Error with the code ENOENT for a missing program, or the system’s error.
 */
export async function startProgram(
  [command = '', ...args]: readonly string[],
  surroundings: Surroundings,
  stdio: SpawnOptions['stdio'],
  options: SpawnOptions = {},
): Promise<ChildProcess> {
  const child = spawn(findProgram(command, surroundings), args, { ...options, stdio, env: environmentOf(surroundings) });
  await once(child, 'spawn');
  return child;
}

export function splitCommandLine(text: string, platform: NodeJS.Platform): string[] {
  return splitWords(platform === 'win32' ? text.replaceAll('\\', '\\\\') : text);
}

/**
 * Returns PATH without entries that depend on the current directory. The name of a program therefore never means a file in a checkout.
 * Undefined if no entry remains.
 */
export function searchPath({ env, platform, cwd = process.cwd() }: Surroundings): string | undefined {
  const { delimiter, isAbsolute } = platform === 'win32' ? win32 : posix;
  const here = realPath(cwd);
  // On Windows, the name of PATH can have any letter case. A copy of the environment finds a name only in its exact case.
  const path = platform === 'win32' ? Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] : env['PATH'];
  const entries = (path ?? '').split(delimiter).map((entry) => (platform === 'win32' ? entry.replaceAll('"', '') : entry));
  return entries.filter((entry) => isAbsolute(entry) && realPath(entry) !== here).join(delimiter) || undefined;
}

/** Returns the environment of a program, with the variable that stops `cmd` of Windows from searching the current directory first. */
function environmentOf({ env, platform }: Surroundings): Env {
  return platform === 'win32' ? { ...env, NoDefaultCurrentDirectoryInExePath: '1' } : env;
}

/**
 * Returns the absolute path of a program. Returns a command with a path unchanged. svc has its own search, because `which` and
 * `cross-spawn` search the current directory first on Windows. On Windows, svc adds `.exe` and `.com` to a name. PATHEXT does not count,
 * because Windows starts no other kind of file without a shell.
 */
function findProgram(command: string, surroundings: Surroundings): string {
  const isWindows = surroundings.platform === 'win32';
  if ((isWindows ? /[\\/:]/ : /\//).test(command)) return command;
  const { delimiter, join } = isWindows ? win32 : posix;
  const names = isWindows && !/\.(com|exe)$/i.test(command) ? [`${command}.com`, `${command}.exe`] : [command];
  for (const directory of searchPath(surroundings)?.split(delimiter) ?? [])
    for (const name of names) if (command !== '' && isProgram(join(directory, name))) return join(directory, name);
  throw Object.assign(new Error(`no directory of PATH has ${command} (ENOENT)`), { code: 'ENOENT' });
}

function isProgram(path: string): boolean | undefined {
  return attempt(() => {
    // On Windows, this call only tests that the file exists.
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  });
}

function realPath(path: string): string {
  return attempt(() => realpathSync.native(path)) ?? path;
}

async function feed(stdin: NodeJS.WritableStream, input: AsyncIterable<string>): Promise<void> {
  let open = true;
  stdin.on('error', () => {
    open = false;
  });
  for await (const text of input) {
    if (!open) break;
    if (!stdin.write(text)) await Promise.race([once(stdin, 'drain'), once(stdin, 'close')]).catch(() => undefined);
  }
}

/** Returns the arguments after the program that start svc. The standalone executable needs no script. */
function ownStart(): readonly string[] {
  const [, script] = process.argv;
  return isSea() || script === undefined ? [] : [...process.execArgv, script];
}
