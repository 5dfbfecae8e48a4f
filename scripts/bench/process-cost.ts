import { spawnSync } from 'node:child_process';

/** What one run of a program took from the machine. */
export interface Cost {
  /** Processor time in milliseconds, of all its threads, its own and the system's for it. */
  readonly cpuMs: number;
  /** The most memory that was its own or mapped by it at any time. */
  readonly peakMiB: number;
}

/**
 * bash tells processor time in milliseconds, GNU time only in hundredths of a second; GNU time tells the peak, of a process that it
 * made itself: what Node starts begins with the peak of that Node. GNU time's own half millisecond is in the figure.
 */
const MEASURE = ['-c', `TIMEFORMAT='CPU %3U %3S'; time "$@"`, 'measure', '/usr/bin/time', '-f', 'PEAK %M'];

/**
 * Runs a program to its end and tells what it cost.
 *
 * @returns Undefined where bash or GNU time is missing.
 * @throws Error when the program fails.
 */
export function processCost(command: readonly string[], env: NodeJS.ProcessEnv): Cost | undefined {
  const { status, stderr } = spawnSync('bash', [...MEASURE, ...command], { env, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  if (status === null || status === 127) return undefined;
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}.\n${stderr}`);
  const [, peak] = /PEAK (\d+)/.exec(stderr) ?? [];
  const [, user, system] = /CPU ([\d.]+) ([\d.]+)/.exec(stderr) ?? [];
  return { cpuMs: 1000 * (Number(user) + Number(system)), peakMiB: Number(peak) / 1024 };
}
