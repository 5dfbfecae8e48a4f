// `svc --database postgres://…`: every line that only reads prints what `--offline` prints from the local database, byte for byte, or is
// refused by name. Every line with SVC_TEST_FULL=1.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../scripts/bench/postgres-server.ts';
import type { SandboxOptions } from '../../src/sandbox/start.ts';
import { IS_FULL } from '../support/parts.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { LOCALHOST_CERTIFICATE, LOCALHOST_KEY } from '../system/fixtures/localhost-certificate.ts';
import { readCommands } from './read-commands.ts';

const bin = await findPostgres();
/** One line of so many is run by default. */
const EVERY = IS_FULL ? 1 : 50;

const SERVICES: readonly (readonly [string, SandboxOptions['interpretations']])[] = [
  ['the default interpretations', {}],
  ['booleans in digits and bare records', { summary: 'usual', falseInSummary: 'left-out', wrapSingleRecords: false, booleans: 'digits' }],
];

describe.skipIf(bin === undefined)('svc --database postgres://…', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(bin ?? '', { certificate: LOCALHOST_CERTIFICATE, key: LOCALHOST_KEY });
  });
  afterAll(() => server?.close());

  it.each(SERVICES)(
    'prints the bytes that --offline prints, or names a value that PostgreSQL can’t compare, for %s',
    { timeout: 3_600_000 },
    async (name, interpretations) => {
      const here: SignedIn = await signedIn({ limits: 'off', personalToken: true, ...(interpretations && { interpretations }) });
      try {
        const now = Date.now();
        // The order of strings must not depend on the language of the server.
        const address = await server.database(
          `reads_${name.length}`,
          "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8'",
        );
        for (const argv of [['sync'], ['sync', '--to', address]]) {
          const synced = await here.svc([...argv, '--quiet'], { now });
          expect([0, 10], synced.stderr).toContain(synced.code);
        }
        const rowsOf = (noun: string) => {
          try {
            return here.sandbox.rows(noun) as { id: number }[];
          } catch {
            return [];
          }
        };
        const lines = (await readCommands(rowsOf)).filter((line, at) => at % EVERY === 0 || line.includes('--sort description'));
        const counts = { equal: 0, 'refused by both': 0, 'refused by name': 0 };
        const wrong: string[] = [];
        for (const line of lines) {
          here.sandbox.requests.length = 0;
          const run = (...flags: string[]) => here.svc([...line.split(' '), ...flags], { now });
          const offline = await run('--offline');
          const team = await run('--database', address);
          expect(here.sandbox.requests, line).toEqual([]);
          if (team.code === 2 && /Not available offline: .*PostgreSQL can’t compare/.test(team.stderr)) counts['refused by name'] += 1;
          else if (team.stdout !== offline.stdout || team.code !== offline.code)
            wrong.push(
              `${line}\n  offline ${offline.code}: ${offline.stdout.slice(0, 300)} ${offline.stderr.slice(0, 300)}\n  team ${team.code}: ${team.stdout.slice(0, 300)} ${team.stderr.slice(0, 300)}`,
            );
          else counts[team.code === 0 ? 'equal' : 'refused by both'] += 1;
        }
        console.info(`${lines.length} lines:`, counts, `${wrong.length} differ`);
        expect(wrong.slice(0, 20).join('\n')).toBe('');
      } finally {
        await here.remove();
      }
    },
  );
});
