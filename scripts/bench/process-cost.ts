import { spawnSync } from 'node:child_process';

/** The resources that one run of a program used. */
export interface Cost {
  /** The processor time in milliseconds, including system time and all threads. */
  readonly cpuMs: number;
  /** The highest memory use at any time, in MiB. */
  readonly peakMiB: number;
}

/**
 * The command that measures a program. bash prints processor time in milliseconds, while GNU time only has hundredths of a second. GNU time
 * prints the peak memory. Without it, the peak would include the memory of the Node process that starts the program. The result includes
 * half a millisecond of GNU time itself.
 */
const MEASURE = ['-c', `TIMEFORMAT='CPU %3U %3S'; time "$@"`, 'measure', '/usr/bin/time', '-f', 'PEAK %M'];

/**
 * Runs a program to its end, and returns its cost.
 *
 * @returns undefined if bash or GNU time is missing.
 * @throws Error if the program fails.
 */
export function processCost(command: readonly string[], env: NodeJS.ProcessEnv): Cost | undefined {
  const { status, stderr } = spawnSync('bash', [...MEASURE, ...command], { env, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  if (status === null || status === 127) return undefined;
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}.\n${stderr}`);
  const [, peak] = /PEAK (\d+)/.exec(stderr) ?? [];
  const [, user, system] = /CPU ([\d.]+) ([\d.]+)/.exec(stderr) ?? [];
  return { cpuMs: 1000 * (Number(user) + Number(system)), peakMiB: Number(peak) / 1024 };
}
