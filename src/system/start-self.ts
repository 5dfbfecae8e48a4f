import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isSea } from 'node:sea';

/**
 * Starts svc once more, apart from this process: it goes on when this one ends, shows nothing and reads nothing. That it
 * cannot be started is nobody's concern.
 *
 * @param env What it gets as its environment.
 */
export function startSelf(argv: readonly string[], env: NodeJS.ProcessEnv): void {
  const child = spawn(process.execPath, [...ownStart(), ...argv], { detached: true, stdio: 'ignore', windowsHide: true, env });
  child.on('error', () => undefined);
  child.unref();
}

/**
 * Runs svc once more, with the terminal handed over, and waits until it has ended, however it did.
 *
 * @param input What it reads on stdin.
 */
export async function runSelf(argv: readonly string[], input: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [...ownStart(), ...argv], { stdio: ['pipe', 'inherit', 'inherit'], env });
  const closed = once(child, 'close');
  // One that ends before it has read everything is no failure.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  await closed;
}

/** What starts svc, behind the program. The standalone executable is its own script. */
function ownStart(): readonly string[] {
  const [, script] = process.argv;
  return isSea() || script === undefined ? [] : [...process.execArgv, script];
}
