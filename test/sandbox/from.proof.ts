// A sandbox with the records of an organisation shows each record as the organisation sent it. The tests sync the sandbox itself, so they
// compare every resource, child records included. The organisations answer the open questions of the documentation in different ways.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signedIn } from '../support/svc.ts';
import type { TenantOptions } from '../support/tenant/start-tenant.ts';
import { databaseFile, type Fields, recordsIn, rehearse } from './from-organisation.ts';

const ORGANISATIONS: readonly (readonly [string, TenantOptions, readonly string[]])[] = [
  ['the default options', {}, []],
  [
    'dates, other working hours, and users without a zone',
    { interpretations: { absenceBounds: 'date-only', workingHours: 'from-to', missingTimezone: 'absent', organisationZone: 'shown' } },
    [],
  ],
  [
    'the same options as the sandbox',
    { interpretations: { absenceBounds: 'date', workingHours: 'minutes', wholeDayEnd: 'next-midnight' } },
    ['--interpretation', 'absenceBounds=date', '--interpretation', 'workingHours=minutes'],
  ],
  ['no top-level lists of child records', { interpretations: { topLevelChildren: false, wrapSingleRecords: false } }, []],
  ['resources and fields that svc does not know', { tenant: 3 }, []],
  ['other fields that svc does not know', { tenant: 11 }, []],
];
const many = process.env['SVC_TEST_LONG'] === undefined ? ORGANISATIONS.slice(0, 2) : ORGANISATIONS;

describe.each(many)('an organisation with %s', (_name, options, flags) => {
  it('has the same records in the sandbox, and pseudonyms with --pseudonyms', { timeout: 300_000 }, async () => {
    const here = await signedIn({ limits: 'off', personalToken: true, switches: { furlough: true }, ...options });
    const sync = await here.svc(['sync']);
    expect([0, 10], sync.stderr).toContain(sync.code);
    const file = databaseFile(here);
    const digest = () => createHash('sha256').update(readFileSync(file)).digest('hex');
    const before = digest();
    const original = recordsIn(file, here.sandbox.origin);

    const copies: Map<string, Fields[]>[] = [];
    let printed = '';
    for (const more of [[], ['--pseudonyms']]) {
      const { stderr } = await rehearse(here, [...flags, ...more], async ({ svc, origin, report, control, stdout }) => {
        const copy = join(here.home, `copy-${copies.length}.sqlite`);
        const synced = await svc(`sync --to ${copy}`);
        expect(synced.code, synced.stderr).toBe(0);
        copies.push(recordsIn(copy, origin));
        expect(Object.values(report.records).reduce((sum, count) => sum + count)).toBe(
          [...original].flatMap(([noun, rows]) => (report.unsupported.includes(noun.replace('.', ' ')) ? [] : rows)).length,
        );
        printed = stdout + (await (await fetch(`${control}/requests`)).text());
      });
      printed += stderr;
    }
    expect(digest()).toBe(before);
    const [same = new Map(), renamed = new Map()] = copies;
    let compared = 0;
    for (const [noun, rows] of original) {
      if (!same.has(noun)) continue;
      expect(same.get(noun), noun).toEqual(rows);
      compared += rows.length;
    }
    expect(compared).toBeGreaterThan(5_000);
    await here.remove();
    checkPseudonyms(original, renamed, printed, options.tenant !== undefined);
  });
});

/** Compares each value with its pseudonym: one pseudonym for each value, and none of the originals in any answer. */
function checkPseudonyms(original: Map<string, Fields[]>, renamed: Map<string, Fields[]>, printed: string, isTenant: boolean): void {
  const pseudonyms = new Map<string, string>();
  const originals = new Map<string, string>();
  const everything = [...renamed.values()].map((rows) => JSON.stringify(rows)).join('\n') + printed;
  const amounts: [number, number][] = [];
  let texts = 0;
  for (const [noun, rows] of original) {
    const others = renamed.get(noun);
    if (others === undefined) continue;
    expect(others.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    for (const [index, row] of rows.entries()) {
      const other = others[index] as Fields;
      expect(Object.keys(other).sort()).toEqual(Object.keys(row).sort());
      for (const [name, value] of Object.entries(row)) {
        if (name === 'links' || name === 'web_url') continue;
        const place = `${noun} ${row.id} ${name}`;
        if (typeof value !== 'string' || STAYS.test(name) || isTime(value)) {
          // A number of a field that svc does not know is an amount.
          const isKnown = typeof value !== 'number' || !isTenant;
          if (isKnown && !(typeof value === 'object' && value !== null)) expect(other[name], place).toBe(value);
        } else if (/^-?\d+\.\d\d$/.test(value)) {
          if (Number(value) !== 0) expect(other[name], place).not.toBe(value);
          amounts.push([Number(value), Number(other[name])]);
        } else if (value !== '') {
          const pseudonym = String(other[name]);
          expect(pseudonyms.get(value) ?? pseudonym, place).toBe(pseudonym);
          expect(originals.get(pseudonym) ?? value, place).toBe(value);
          pseudonyms.set(value, pseudonym);
          originals.set(pseudonym, value);
          texts += 1;
        }
      }
    }
  }
  expect([texts > 1_000, amounts.length > 50]).toEqual([true, true]);
  const [largest, scaled] = amounts.reduce((one, two) => (two[0] > one[0] ? two : one));
  for (const [amount, other] of amounts) expect(Math.abs(other - (amount * scaled) / largest)).toBeLessThan(0.0101);
  // The names of time zones stay, and a single word in lower case can be the name of a field.
  const searched = everything.replaceAll(/"[A-Z][a-z]+\/[A-Za-z_]+"/g, '');
  const words = [...pseudonyms.keys()].filter((text) => text.length > 3 && !/^[a-z_]+$/.test(text));
  const found = words.filter((text) => searched.includes(text.length < 8 ? JSON.stringify(text) : JSON.stringify(text).slice(1, -1)));
  expect(found).toEqual([]);
}

/** Matches the fields that keep their values: states and other keys of enums, quantities, zones, colours and media types. */
const STAYS =
  /^(?:status|state|type|role|priority|category|interval|mood|owner_type|quantity|timezone|organization_timezone|color|mime_type)$/;

const isTime = (text: string) => /^\d{4}-\d\d-\d\d(?:T[\d:]{8}Z)?$|^\d\d:\d\d$/.test(text);
