// Whatever only reads is answered offline with the rows that the service has, each as the service sends it in the detail view, in the order
// that docs/explanation/local-database.md promises, or refused by name: every resource by each filter, sort, relation, page and record, and the commands of a
// day, in services that settle what the documentation leaves open in different ways. Every line with SVC_TEST_FULL=1.

import { afterEach, expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/start.ts';
import { IS_FULL } from '../support/parts.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { isInOrder } from './promised-order.ts';
import { readCommands } from './read-commands.ts';

/** One line of so many is run by default. */
const EVERY = IS_FULL ? 1 : 60;

const INTERPRETATION_SETS: readonly [string, SandboxOptions['interpretations']][] = [
  ['the default interpretations', {}],
  [
    'omitted false values, bare records and booleans in digits',
    { summary: 'usual', falseInSummary: 'left-out', wrapSingleRecords: false, booleans: 'digits' },
  ],
  [
    'a service that accepts only documented parameters',
    { otherFilters: 'refused', hoursFilters: 'refused', assumedSorts: 'refused', assumedIncludes: 'refused', descending: 'refused' },
  ],
  ['minimal summaries with null for false', { summary: 'bare', falseInSummary: 'null', missingTimezone: 'absent', descending: 'suffix' }],
];
/** Somebody who may not see everything; the others may. */
const EMPLOYEE = 'an employee';

function employee(): Readonly<Record<string, string>> {
  const SVC_TOKEN = here.sandbox.createToken({ userId: 4, name: 'offline', scopes: ['read'] }).value;
  here.sandbox.setRole(4, 'employee');
  return { SVC_HOST: here.host, SVC_TOKEN };
}

let here: SignedIn;
afterEach(() => here.remove());

/** What is not stored, said so. */
const NAMES_IT = /Not available offline|local database (?:has no|does not)|as of the last sync|at the last sync/;
/** What shapes the output or the order, and does not choose rows. */
const SHAPING = / (?:--sort|-o|--per-page|--page|-L|--view|--include) \S+| --with-total/g;

type Row = Readonly<Record<string, unknown>> & { readonly id: number };

it.each([...INTERPRETATION_SETS, [EMPLOYEE, {}] as const])(
  'svc --offline prints the rows of the service in the documented order, or names the unavailable part, for %s',
  { timeout: 3_600_000 },
  async (name, interpretations) => {
    here = await signedIn({ limits: 'off', personalToken: true, ...(interpretations && { interpretations }) });
    const { sandbox } = here;
    // A sign-in ends with the role; a token stays.
    const env = name === EMPLOYEE ? employee() : {};
    const now = Date.now();
    const synced = await here.svc(['sync', '--quiet'], { now, env });
    expect([0, 10], synced.stderr).toContain(synced.code);
    const rowsOf = (noun: string) => {
      try {
        return sandbox.rows(noun) as { id: number }[];
      } catch {
        // What lies below records may have no table of its own name.
        return [];
      }
    };
    const all = (await readCommands(rowsOf)).filter((line) => / list\b| get\b/.test(line));
    const lines = all.filter((_, at) => at % EVERY === (name.length * 7) % EVERY);
    const known = new Map<string, ReadonlyMap<number, string> | undefined>();
    /** The service's rows in the detail view, by id; undefined where it refuses the line. */
    const onlineRows = async (line: string) => {
      if (!known.has(line)) {
        const { code, stdout } = await here.svc([...line.split(' '), '--view', 'detail', '-o', 'ndjson'], { now, env });
        known.set(line, code === 0 ? new Map(rowsIn(stdout).map((row) => [row.id, JSON.stringify(row)])) : undefined);
      }
      return known.get(line);
    };
    const counts = { same: 0, refused: 0, 'refused by the service': 0, wrong: 0 };
    const wrong: string[] = [];
    for (const line of lines) {
      const bare = line.replace(/ (?:-o) \S+/g, '');
      sandbox.requests.length = 0;
      const { code, stdout, stderr } = await here.svc([...bare.split(' '), '-o', 'ndjson', '--offline'], { now, env });
      expect(sandbox.requests, line).toEqual([]);
      if (code !== 0) {
        const isNamed = NAMES_IT.test(stderr) && /summary|include|trashed|search| get 999999|--filter|--sort/.test(line);
        const online = await onlineRows(line.replaceAll(SHAPING, ''));
        const isRefused = isNamed || online === undefined;
        counts[isRefused ? 'refused' : 'wrong'] += 1;
        if (!isRefused) wrong.push(`${line}: ${stderr}`);
        continue;
      }
      const online = await onlineRows(line.replaceAll(SHAPING, ''));
      if (online === undefined) {
        counts['refused by the service'] += 1;
        continue;
      }
      const rows = rowsIn(stdout);
      const included = /--include (\S+)/.exec(line)?.[1];
      const isCut = / -L | --page /.test(line);
      const isSame =
        rows.every((row) => online.get(row.id) === JSON.stringify(without(row, included))) &&
        (isCut || rows.length === online.size) &&
        (/ get /.test(line) || isInOrder(rows, line));
      counts[isSame ? 'same' : 'wrong'] += 1;
      if (!isSame) wrong.push(`${line}\n${rows.length} rows, ${online.size} online: ${stdout.slice(0, 300)}`);
    }
    console.log(`${name}: ${lines.length} lines, ${JSON.stringify(counts)}`);
    expect(wrong, wrong.slice(0, 10).join('\n\n')).toEqual([]);
  },
);

/** Rows, or the one record that a `get` prints. */
function rowsIn(stdout: string): readonly Row[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

function without(row: Row, name: string | undefined): unknown {
  if (name === undefined) return row;
  const { [name]: _, ...rest } = row;
  return rest;
}
