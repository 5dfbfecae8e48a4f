import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox } from '../../src/sandbox/start.ts';
import { runTimed } from './run-timed.ts';
import type { Figure, Settings } from './settings.ts';

/** The read budget of a token per window, in rate-limit units (rule 15.2). */
const BUDGET = 600;
/** The rate-limit units of a page with two relations: one unit, and one per relation. */
const COST = 3;

/** The highest page number (rule 8.12). */
const MOST_PAGES = 1_000;

/** Reads as fast as the rate limit allows, with one process and with four processes that share a token. */
export async function benchPace({ svc, directory, window, units }: Settings): Promise<Figure[]> {
  const one = await spend({ svc, directory, window, units }, 1);
  const four = await spend({ svc, directory, window, units }, 4);
  const wide = await spend({ svc, directory, window, units }, 1, 'side by side');
  const wideFour = await spend({ svc, directory, window, units }, 4, 'side by side');
  return [
    { name: `budget used side by side by one process, percent`, value: wide.share * 100, digits: 1, atLeast: 97 },
    { name: 'answers 429', value: wide.refused, digits: 0, atMost: 0 },
    { name: 'budget used side by side by four processes, percent', value: wideFour.share * 100, digits: 1, atLeast: 97 },
    { name: 'answers 429, all waited out', value: wideFour.refused, digits: 0 },
    { name: `budget used by one process, percent (window ${window} s)`, value: one.share * 100, digits: 1, atLeast: 97 },
    { name: 'answers 429', value: one.refused, digits: 0, atMost: 0 },
    { name: 'budget used by four processes on one token, percent', value: four.share * 100, digits: 1, atLeast: 95 },
    { name: 'answers 429, all waited out', value: four.refused, digits: 0 },
    { name: 'processes that failed', value: one.failed + four.failed + wide.failed + wideFour.failed, digits: 0, atMost: 0 },
  ];
}

interface Spent {
  readonly share: number;
  readonly refused: number;
  readonly failed: number;
}

async function spend(
  { svc, directory, window, units: wanted }: Omit<Settings, 'rows'>,
  processes: number,
  how: 'one at a time' | 'side by side' = 'one at a time',
): Promise<Spent> {
  const units = how === 'side by side' ? Math.min(wanted, MOST_PAGES * COST) : wanted;
  const pages = Math.ceil(units / COST / processes);
  const data = how === 'side by side' ? await contacts(directory, pages) : undefined;
  const sandbox = await startSandbox({ windowSeconds: window, ...(data !== undefined && { data }) });
  try {
    const env = { HOME: directory, SVC_TOKEN: sandbox.tokens[0]?.value ?? '', SVC_HOST: new URL(sandbox.origin).host };
    const list =
      how === 'side by side'
        ? ['contacts', 'list', '--view', 'detail', '--per-page', '1', '--output', 'ids']
        : ['worklogs', 'list', '--include', 'project,user', '--per-page', '2', '--limit', String(pages * 2), '--output', 'ids'];
    const runs = await Promise.all(Array.from({ length: processes }, () => runTimed([...svc, ...list], { env })));
    const requests = sandbox.requests.map(({ requestId, units, status }) => ({ at: timeOf(requestId), units, status }));
    return {
      share: shareOf(requests, window, units),
      refused: requests.filter(({ status }) => status === 429).length,
      failed: runs.filter(({ code }) => code !== 0).length,
    };
  } finally {
    await sandbox.close();
  }
}

/** Creates an export with a number of contacts. Returns its directory. */
async function contacts(directory: string, count: number): Promise<string> {
  const data = await mkdtemp(join(directory, 'contacts-'));
  const made_at = '2025-01-01T09:00:00Z';
  const rows = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Contact ${index + 1}`,
    created_at: made_at,
    updated_at: made_at,
  }));
  await writeFile(join(data, 'contacts.ndjson'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await writeFile(join(data, 'manifest.json'), '{}');
  return data;
}

/** Returns the share of the rate limit that a client used. A client with a share of 1 starts window n exactly n windows after the first. */
function shareOf(requests: readonly { readonly at: number; readonly units: number }[], window: number, units: number): number {
  const whole = Math.floor((units - 1) / BUDGET);
  const start = requests[0]?.at ?? 0;
  let spent = 0;
  for (const { at, units: cost } of requests) {
    spent += cost;
    if (spent > whole * BUDGET) return (whole * window * 1000) / (at - start);
  }
  return Number.NaN;
}

/** Returns the time of a ULID. Its first ten characters are milliseconds since 1970 in Crockford’s base 32. */
function timeOf(ulid: string): number {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  return [...ulid.slice(0, 10)].reduce((time, character) => time * 32 + digits.indexOf(character), 0);
}
