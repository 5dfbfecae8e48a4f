import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '../../src/sandbox/start.ts';
import { median, runTimed } from './run-timed.ts';
import type { Figure, Settings } from './settings.ts';

/** The lowest number of rate-limit windows that the bulk runs take. */
const WINDOWS = 3;

/** The number of lists per window that the person requests, at two units each. */
const LISTS = 12;

/** Runs five bulk commands with one token. At the same time, a person lists worklogs with the same token. */
export async function benchPeople({ svc, directory, window, rows }: Settings): Promise<Figure[]> {
  const data = join(directory, 'organisation');
  await mkdir(data);
  await writeFile(join(data, 'manifest.json'), '{}');
  for (const noun of ['contacts', 'worklogs']) await writeFile(join(data, `${noun}.ndjson`), recordsOf(rows));
  const sandbox = await startSandbox({ windowSeconds: window, data });
  try {
    const env = { HOME: directory, SVC_TOKEN: sandbox.tokens[0]?.value ?? '', SVC_HOST: new URL(sandbox.origin).host };
    const list = async () => (await runTimed([...svc, 'worklogs', 'list', '--limit', '20', '--include', 'user'], { env })).seconds;
    const alone: number[] = [];
    for (let count = 0; count < 5; count += 1) alone.push(await list());
    await pause(window * 1000);
    sandbox.requests.length = 0;
    const children: ChildProcess[] = [];
    const bulk = [
      ['sync', 'contacts', 'worklogs', '--to', join(directory, 'one.sqlite')],
      ['sync', 'contacts', 'worklogs', '--to', join(directory, 'two.sqlite')],
      ['export', join(directory, 'three')],
      ['export', join(directory, 'four')],
      ['changes', '--follow', '--to', join(directory, 'five.sqlite')],
    ].map((argv) => runTimed([...svc, ...argv], { env, measured: false, onStart: (child) => children.push(child) }));
    const beside: number[] = [];
    const end = performance.now() + WINDOWS * window * 1000;
    while (performance.now() < end) {
      const next = performance.now() + (window * 1000) / LISTS;
      beside.push(await list());
      await pause(Math.max(0, next - performance.now()));
    }
    const requests = [...sandbox.requests];
    for (const child of children) child.kill('SIGKILL');
    await Promise.allSettled(bulk);
    return [
      { name: 'a list of worklogs alone, seconds, median', value: median(alone), digits: 2 },
      { name: 'beside five bulk runs, seconds, median', value: median(beside), digits: 2 },
      { name: 'the same, worst', value: Math.max(...beside), digits: 2, atMost: 5 },
      { name: 'lists', value: beside.length, digits: 0 },
      { name: 'units of all in a window', value: requests.reduce((sum, { units }) => sum + units, 0) / WINDOWS, digits: 0 },
      { name: 'answers 429', value: requests.filter(({ status }) => status === 429).length, digits: 0, atMost: 0 },
    ];
  } finally {
    await sandbox.close();
  }
}

/** Returns records in NDJSON, one minute apart. */
function recordsOf(count: number): string {
  const start = Date.UTC(2025, 0, 1);
  const lines = Array.from({ length: count }, (_, index) => {
    const at = `${new Date(start + index * 60_000).toISOString().slice(0, 19)}Z`;
    return `${JSON.stringify({ id: index + 1, name: `Record ${index}`, date: at.slice(0, 10), minutes: 60, user_id: 1, created_at: at, updated_at: at })}\n`;
  });
  return lines.join('');
}
