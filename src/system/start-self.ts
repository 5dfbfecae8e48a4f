import { spawn } from 'node:child_process';
import { isSea } from 'node:sea';

/**
 * Starts svc once more, apart from this process: it goes on when this one ends, shows nothing and reads nothing. That it
 * cannot be started is nobody's concern.
 *
 * @param env What it gets as its environment.
 */
export function startSelf(argv: readonly string[], env: NodeJS.ProcessEnv): void {
  const [, script] = process.argv;
  // The standalone executable is its own script.
  const before = isSea() || script === undefined ? [] : [...process.execArgv, script];
  const child = spawn(process.execPath, [...before, ...argv], { detached: true, stdio: 'ignore', windowsHide: true, env });
  child.on('error', () => undefined);
  child.unref();
}
