/**
 * Measures the required performance of bulk work against baselines, and prints a table. Exits with 1 if a figure misses its limit.
 *
 *     npm run bench                                    all benchmarks
 *     npm run bench -- list pace                       only these benchmarks
 *     npm run bench -- pace --window 60 --units 1900   with the service’s real window; each run takes three minutes
 *     npm run bench -- people --window 60              five bulk runs and a person at the same time
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchDistance } from './bench/distance.ts';
import { benchDistanceCommands } from './bench/distance-commands.ts';
import { benchHours } from './bench/hours.ts';
import { benchList } from './bench/list.ts';
import { benchPace } from './bench/pace.ts';
import { benchPeople } from './bench/people.ts';
import { benchPostgres } from './bench/postgres.ts';
import { benchSearch } from './bench/search.ts';
import type { Figure, Settings } from './bench/settings.ts';
import { benchSql } from './bench/sql.ts';
import { benchExport, benchImport } from './bench/survive.ts';

const PARTS: Readonly<Record<string, (settings: Settings) => Promise<Figure[]>>> = {
  list: benchList,
  pace: benchPace,
  people: benchPeople,
  import: benchImport,
  export: benchExport,
  commands: benchDistanceCommands,
  distance: benchDistance,
  sql: benchSql,
  postgres: benchPostgres,
  hours: benchHours,
  search: benchSearch,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    svc: { type: 'string', default: join(import.meta.dirname, '..', 'bin', 'svc.js') },
    rows: { type: 'string', default: '100000' },
    units: { type: 'string', default: '5000' },
    window: { type: 'string', default: '5' },
  },
});

const missed: Figure[] = [];
for (const name of positionals.length === 0 ? Object.keys(PARTS) : positionals) {
  const part = PARTS[name];
  if (part === undefined) throw new Error(`There is no benchmark ${name}. The benchmarks are: ${Object.keys(PARTS).join(', ')}`);
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  try {
    const settings = {
      svc: [process.execPath, values.svc],
      directory,
      rows: Number(values.rows),
      window: Number(values.window),
      units: Number(values.units),
    };
    for (const figure of await part(settings)) {
      if (!isReached(figure)) missed.push(figure);
      console.log(line(name, figure));
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
process.exitCode = missed.length === 0 ? 0 : 1;

function isReached({ value, digits, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Figure): boolean {
  const shown = Number(value.toFixed(digits));
  return shown >= atLeast && shown <= atMost;
}

function line(part: string, figure: Figure): string {
  const { name, value, digits, atLeast, atMost } = figure;
  const asked = atLeast !== undefined ? `at least ${atLeast}` : atMost !== undefined ? `at most ${atMost}` : '';
  const verdict = asked === '' ? '' : isReached(figure) ? 'reached' : 'MISSED';
  return `${part.padEnd(10)}${name.padEnd(58)}${value.toFixed(digits).padStart(10)}   ${asked.padEnd(14)}${verdict}`;
}
