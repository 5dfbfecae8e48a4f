// After each of many random histories, the local database has the records of the service. Records are created, changed and deleted,
// rights are lost and regained, clocks differ, and svc is killed at any step. SVC_TEST_FULL=1 runs 1,000 histories.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { historiesOf, INTERPRETATION_SETS } from '../support/histories.ts';
import { writeLargeOrganisation } from '../support/large-organisation.ts';
import { recordsIn } from '../support/local-database-file.ts';
import { IS_FULL } from '../support/parts.ts';
import { runKillable } from '../support/run-killable.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const HISTORIES = IS_FULL ? 200 : 6;

let here: SignedIn;
afterEach(() => here.remove());

/** Long tables of each kind: without counts, counted with a trash, and counted without a trash. */
const SIZES = { worklogs: 900, customers: 700, absences: 600, 'work-items': 60, 'sales-invoices': 20, projects: 10 };

it.each(INTERPRETATION_SETS)(
  `the local database equals the service after ${HISTORIES} histories with %s`,
  { timeout: 3_600_000 },
  async (_, interpretations) => {
    const data = await mkdtemp(join(tmpdir(), 'svc-histories-'));
    await writeLargeOrganisation(data, SIZES);
    here = await signedIn({ data, limits: 'off', personalToken: true, interpretations });
    const { nouns, token, random, pick, happen, truth } = historiesOf(here, 20_260_101);
    const file = join(here.home, 'mirror.sqlite');
    const env = { SVC_HOST: here.host, SVC_TOKEN: token };
    const sync = (around?: Parameters<SignedIn['svc']>[1]) =>
      here.svc(['sync', ...nouns, '--to', file, '--max-units', '2000', '--quiet'], { ...around, env });
    let killed = 0;
    for (let history = 1; history <= HISTORIES; history += 1) {
      await happen(1 + pick(8));
      if (random() < 0.4) {
        const result = await runKillable(1 + pick(120), (around) => sync({ around }));
        if (result === undefined) killed += 1;
        await happen(pick(3));
      }
      const { code, stderr } = await sync();
      expect([0, 10], stderr).toContain(code);
      for (const noun of nouns) {
        const [there, mirrored] = [await truth(noun), recordsIn(file, noun)];
        const differ = [...new Set([...there.keys(), ...mirrored.keys()])].filter((id) => there.get(id) !== mirrored.get(id));
        const [first = 0] = differ;
        expect(differ, `history ${history}: ${noun}\n${there.get(first)}\n${mirrored.get(first)}\n${stderr}`).toEqual([]);
      }
    }
    expect(killed).toBeGreaterThan(0);
  },
);
