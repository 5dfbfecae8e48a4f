// Services that differ from the sandbox. After every sync no table is reported as newer than it is. After `--verify` every table
// equals the service.
// SVC_TEST_SERVICE_HISTORIES=1000 runs 1,000 histories. SVC_TEST_SEED is the first seed.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { recordsIn } from '../support/local-database-file.ts';
import { type Oddities, type OddService, oddService, RESOURCES, type ResourceName, USUAL_SERVICE } from '../support/odd-service.ts';
import { PART } from '../support/parts.ts';
import { randomOf } from '../support/random.ts';
import { type Recording, startRecording } from '../support/recording.ts';

const HISTORIES = Number(process.env['SVC_TEST_SERVICE_HISTORIES'] ?? 8);
const FIRST = Number(process.env['SVC_TEST_SEED'] ?? PART * HISTORIES);
const HOUR = 3_600;

const SERVICES: readonly (readonly [string, Partial<Oddities>])[] = [
  ['children in path, which touch their parents', {}],
  ['children in an operation alone, clock of the answers ahead', { children: 'operation', touches: false, ahead: HOUR }],
  ['children that discovery does not name, clock of the answers behind', { children: 'unlisted', touches: false, ahead: -HOUR }],
  ['children below their parents alone, with counters', { children: 'none', touches: false, totals: 'asked', trash: 'refused' }],
  ['the same with relations in the view of lists', { children: 'none', touches: false, includes: 'summary' }],
  ['the same with relations that are cut', { children: 'none', touches: false, includes: 'cut', totals: 'asked' }],
  ['the same without counters', { children: 'none', touches: false, counters: false, totals: 'asked' }],
  [
    'without counters and relations, totals never',
    { children: 'none', touches: false, counters: false, includes: 'refused', totals: 'never' },
  ],
  ['a filter by updated_at that is refused', { children: 'operation', touches: false, updated: 'refused', trash: 'ignored' }],
  [
    'a filter by updated_at that is ignored',
    { children: 'none', touches: false, updated: 'ignored', created: 'ignored', trash: 'ignored' },
  ],
  [
    'no filter by created_at, no trash, an hour ahead',
    { children: 'none', created: 'refused', trash: 'refused', ahead: HOUR, totals: 'asked' },
  ],
  ['no ETags', { children: 'unlisted', touches: false, etags: false, totals: 'asked' }],
  ['changes during a sync, children below their parents', { children: 'none', touches: false, busy: 0.05 }],
  ['changes during a sync, an hour ahead', { children: 'operation', touches: false, busy: 0.05, ahead: HOUR, totals: 'asked' }],
];

let recording: Recording;
beforeAll(async () => {
  recording = await startRecording();
});
afterAll(() => recording.remove());

interface Claim {
  readonly noun: string;
  readonly whole_at: string;
  readonly verified_at: string | null;
}

function claimsIn(file: string): readonly Claim[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('SELECT noun, whole_at, verified_at FROM svc_tables ORDER BY noun').all();
  database.close();
  return rows as unknown as Claim[];
}

const resourceOf = (noun: string) => RESOURCES.find((each) => each === noun.split('.').at(-1)) ?? ('contacts' as ResourceName);

/** Returns the false claims of every table. */
function wrongIn(file: string, service: OddService): string[] {
  return claimsIn(file).flatMap(({ noun, whole_at, verified_at }) => {
    const name = resourceOf(noun);
    const [there, stored] = [service.truth(name), recordsIn(file, noun)];
    const whole = Date.parse(whole_at) / 1000;
    const verified = verified_at === null ? Number.NEGATIVE_INFINITY : Date.parse(verified_at) / 1000;
    return [...service.changes(name)].flatMap(([id, { seen, any }]) => [
      ...(seen < whole && there.has(id) !== stored.has(id)
        ? [`${noun} ${id}: ${there.has(id) ? 'missing' : 'too many'}, whole_at ${whole_at}`]
        : []),
      ...(any < verified && there.get(id) !== stored.get(id) ? [`${noun} ${id}: other than at verified_at ${verified_at}`] : []),
    ]);
  });
}

it('svc sync reports no table as newer than its rows, and --verify makes the database equal the service', {
  timeout: 14_400_000,
}, async () => {
  let syncs = 0;
  let partial = 0;
  let interrupted = 0;
  for (let seed = FIRST; seed < FIRST + HISTORIES; seed += 1) {
    const [name, other] = SERVICES[seed % SERVICES.length] ?? ['', {}];
    const random = randomOf(seed);
    const pick = (below: number) => Math.floor(random() * below);
    const sizes = { contacts: 305 + pick(60), parents: random() < 0.3 ? 302 + pick(20) : 4 + pick(8) };
    const service = oddService({ ...USUAL_SERVICE, ...other }, random, sizes);
    recording.server.fallback(service.answer);
    const file = join(recording.home, `services-${seed}.sqlite`);
    const run = async (codes: readonly number[], words: readonly string[], signal?: AbortSignal) => {
      const argv = ['sync', '--to', file, '--quiet', ...words];
      const { code, stderr } = await recording.svc(argv, { now: service.now() * 1000, ...(signal && { signal }) });
      const where = `history ${seed}, ${name}, ${argv.slice(4).join(' ')}\n${stderr}`;
      expect(codes, where).toContain(code);
      expect(wrongIn(file, service), where).toEqual([]);
      syncs += 1;
      if (claimsIn(file).some(({ noun }) => recordsIn(file, noun).size !== service.truth(resourceOf(noun)).size)) partial += 1;
    };
    const sync = (...words: string[]) => run([0, 10], words);
    let isInterrupted = false;
    const interruptVerify = async () => {
      const stop = new AbortController();
      let left = 2 + pick(20);
      recording.server.fallback((request, response, socket) => {
        left -= 1;
        if (left === 0) stop.abort(new InterruptedError('Interrupted (SIGINT).', { signal: 'SIGINT' }));
        service.answer(request, response, socket);
      });
      await run([0, 10, 130], ['--verify'], stop.signal);
      recording.server.fallback(service.answer);
      interrupted += 1;
      isInterrupted = true;
    };
    await sync();
    for (let turn = 2 + pick(4); turn > 0; turn -= 1) {
      service.happen(pick(9));
      service.wait([1, 60, HOUR, 24 * HOUR][pick(4)] ?? 1);
      if (random() < 0.3) await interruptVerify();
      if (random() < 0.2) await sync('--verify');
      await sync(
        ...(random() < 0.5 ? ['--max-units', String(pick(40))] : []),
        ...(['--children', '--no-children'][pick(8)]?.split(' ') ?? []),
      );
    }
    service.rest();
    // The first run may resume an interrupted one, which does not find changes of rows that svc has already compared.
    if (isInterrupted) await sync('--verify');
    await sync('--verify');
    for (const { noun } of claimsIn(file))
      expect(Object.fromEntries(recordsIn(file, noun)), `history ${seed}, ${name}: ${noun} after --verify`).toEqual(
        Object.fromEntries(service.truth(resourceOf(noun))),
      );
    const tables = claimsIn(file).map(({ noun }) => resourceOf(noun));
    expect(tables.toSorted(), `history ${seed}, ${name}`).toEqual([...RESOURCES].sort());
  }
  console.log(
    `${HISTORIES} histories from ${FIRST}, ${syncs} syncs, ${partial} with rows that the sync did not reach, ${interrupted} interrupted; no claim was wrong`,
  );
  // Otherwise every table was complete at the time of the sync.
  if (HISTORIES >= 36) expect(partial).toBeGreaterThan(0);
});
