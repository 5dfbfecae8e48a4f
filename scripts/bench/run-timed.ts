import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';

export interface Timed {
  readonly seconds: number;
  /** The highest memory use at any time, in MiB. Only measured on Linux. */
  readonly peakMiB: number | undefined;
  /** The processor time in seconds, including system time. Only measured on Linux. */
  readonly cpuSeconds: number | undefined;
  readonly code: number | null;
  readonly stderr: string;
}

export interface TimedOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** The file for stdout. Default: stdout is discarded. */
  readonly file?: string;
  readonly onStart?: (child: ChildProcess) => unknown;
  /** False to start the program without GNU time, so that a signal reaches the program itself. */
  readonly measured?: boolean;
}

/** Runs a program to its end, and measures its time. Also measures memory if GNU time is installed. */
export function runTimed(
  command: readonly string[],
  { env, file = '/dev/null', onStart, measured = true }: TimedOptions = {},
): Promise<Timed> {
  const started = performance.now();
  const [program = '', ...args] = [...(measured ? MEASURED : []), ...command];
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', openSync(file, 'w'), 'pipe'] });
  onStart?.(child);
  let stderr = '';
  child.stderr?.on('data', (piece) => {
    stderr += String(piece);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0 && code !== null) process.stderr.write(`${command.join(' ')}\n${stderr}`);
      const [, peak, user, system] = /PEAK (\d+) ([\d.]+) ([\d.]+)/.exec(stderr) ?? [];
      resolve({
        seconds: (performance.now() - started) / 1000,
        peakMiB: peak === undefined ? undefined : Number(peak) / 1024,
        cpuSeconds: user === undefined ? undefined : Number(user) + Number(system),
        code,
        stderr,
      });
    });
  });
}

/** The GNU time command, which prints the peak memory in KiB. Other systems do not measure memory. */
const MEASURED = process.platform === 'linux' ? ['/usr/bin/time', '-f', 'PEAK %M %U %S'] : [];

/** Returns the median of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
