import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { median, runTimed, type Timed } from './run-timed.ts';
import type { Figure, Settings } from './settings.ts';

const ROUNDS = 5;

/** Lists 100,000 rows as NDJSON from a server without limits, and compares the time with a minimal client. */
export async function benchList({ svc, directory, rows }: Settings): Promise<Figure[]> {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'server.ts'), String(rows)], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const port = await new Promise<string>((resolve) => server.stdout.once('data', (text) => resolve(String(text).trim())));
    const url = `http://127.0.0.1:${port}/api/v2/worklogs?per_page=100`;
    const env = { HOME: directory, SVC_TOKEN: 'bench', SVC_HOST: `127.0.0.1:${port}` };
    const listAs = (format: string) => [...svc, 'worklogs', 'list', '--output', format];
    const list = listAs('ndjson');
    const all: Timed[] = [];
    const bare: Timed[] = [];
    const csv: Timed[] = [];
    const few: Timed[] = [];
    const tables: Timed[] = [];
    // The programs take turns, so that other load affects both.
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await runTimed([process.execPath, join(import.meta.dirname, 'bare-loop.ts'), url, join(directory, 'bare.ndjson')]));
      all.push(await runTimed(list, { env, file: join(directory, 'svc.ndjson') }));
      csv.push(await runTimed(listAs('csv'), { env, file: join(directory, 'svc.csv') }));
      few.push(await runTimed([...list, '--limit', '1000'], { env }));
      tables.push(await runTimed([...listAs('table'), '--limit', '1000'], { env, file: join(directory, 'svc.txt') }));
    }
    const shell = await runTimed(['sh', join(import.meta.dirname, 'curl-jq.sh'), url, join(directory, 'shell.ndjson')]);
    const seconds = median(all.map((run) => run.seconds));
    const ratios = all.map((run, round) => (bare[round]?.seconds ?? Number.NaN) / run.seconds);
    const tableCosts = tables.map((run, round) => 1000 * ((run.cpuSeconds ?? Number.NaN) - (few[round]?.cpuSeconds ?? Number.NaN)));
    const peak = median(all.map((run) => run.peakMiB ?? Number.NaN));
    return [
      { name: `${rows} rows: rows a second`, value: rows / seconds, digits: 0 },
      { name: 'against a bare undici loop', value: median(ratios), digits: 2, atLeast: 0.8 },
      { name: 'the same in processor time, for a busy machine', value: timesCpu(bare, all), digits: 2 },
      { name: 'CSV: processor time against NDJSON', value: timesCpu(csv, all), digits: 2, atMost: 1.3 },
      { name: 'a table of 1,000 rows: ms of processor time more', value: median(tableCosts), digits: 0, atMost: 300 },
      { name: 'against a curl and jq loop', value: shell.seconds / seconds, digits: 1, atLeast: 4 },
      { name: 'peak memory, MiB', value: peak, digits: 0 },
      { name: 'against that of 1,000 rows', value: peak / median(few.map((run) => run.peakMiB ?? Number.NaN)), digits: 2, atMost: 1.3 },
    ];
  } finally {
    server.kill();
  }
}

/** Returns the median ratio of processor times between two programs, round by round. */
function timesCpu(runs: readonly Timed[], others: readonly Timed[]): number {
  return median(runs.map((run, round) => (run.cpuSeconds ?? Number.NaN) / (others[round]?.cpuSeconds ?? Number.NaN)));
}
