// Whatever only reads prints offline what it prints online, byte for byte and with the same exit code, or refuses and says what it cannot
// answer: every noun by each filter, sort, relation, page and record, and the commands of a day, in services that settle what the
// documentation leaves open in different ways. Every line with SVC_TEST_FULL=1.

import { appendFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/start.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { readCommands } from './read-commands.ts';

const isFull = process.env['SVC_TEST_FULL'] === '1';
/** One line of so many is run by default. */
const EVERY = isFull ? 1 : 150;

const READINGS: readonly [string, SandboxOptions['knobs']][] = [
  ['as it comes', {}],
  [
    'false left out, bare records, booleans in digits',
    { summary: 'usual', falseInSummary: 'left-out', wrapSingleRecords: false, booleans: 'digits' },
  ],
  [
    'nothing taken but what is documented',
    { otherFilters: 'refused', hoursFilters: 'refused', assumedSorts: 'refused', assumedIncludes: 'refused', descending: 'refused' },
  ],
  ['the least summaries, false as null', { summary: 'bare', falseInSummary: 'null', missingTimezone: 'absent', descending: 'suffix' }],
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

/** What the copy cannot answer, said so: a refusal that names it. */
const NAMES_IT = /your copy|in your copy|--offline/i;

it.each([...READINGS, [EMPLOYEE, {}] as const])('%s', { timeout: 3_600_000 }, async (name, knobs) => {
  here = await signedIn({ limits: 'off', personalToken: true, ...(knobs && { knobs }) });
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
  const all = await readCommands(rowsOf);
  const lines = all.filter((_, at) => at < 30 || at % EVERY === (name.length * 7) % EVERY);
  // It asks for one thing otherwise each time.
  for (let again = 0; again < 3; again += 1) await here.svc(['status'], { now, env });
  const counts = { equal: 0, refused: 0, wrong: 0 };
  const wrong: string[] = [];
  for (const line of lines) {
    const words = line.split(' ');
    let online = await here.svc(words, { now, env });
    sandbox.requests.length = 0;
    const offline = await here.svc([...words, '--offline'], { now, env });
    expect(sandbox.requests, line).toEqual([]);
    const isSame = () => online.stdout === offline.stdout && online.code === offline.code;
    // What svc found out that the service refuses, it asks otherwise from the next time on.
    if (!isSame()) online = await here.svc(words, { now, env });
    const isEqual = isSame();
    const isRefused = !isEqual && offline.code !== 0 && NAMES_IT.test(offline.stderr);
    counts[isEqual ? 'equal' : isRefused ? 'refused' : 'wrong'] += 1;
    if (process.env['SVC_TEST_RUNS'] !== undefined && !isEqual)
      appendFileSync(
        process.env['SVC_TEST_RUNS'],
        `${name}\t${isRefused ? 'refused' : 'wrong'}\t${online.code}\t${line}\t${offline.stderr.split('\n')[0]}\n`,
      );
    if (!isEqual && !isRefused)
      wrong.push(
        `${line}\n${online.code} ${online.stdout.slice(0, 400)} ${online.stderr.slice(0, 200)}\n${offline.code} ${offline.stdout.slice(0, 400)} ${offline.stderr.slice(0, 300)}`,
      );
  }
  console.log(`${name}: ${lines.length} lines, ${JSON.stringify(counts)}`);
  expect(wrong, wrong.slice(0, 10).join('\n\n')).toEqual([]);
});
