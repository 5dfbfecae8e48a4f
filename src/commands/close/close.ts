import { resolve } from 'node:path';
import { READING_GLOBALS } from '../../cli/globals.ts';
import { defineCommand, repeated, text, toggle } from '../../cli/spec.ts';
import { ConflictError, SvcError, UsageError } from '../../errors.ts';
import { sealReport } from '../../output/seal-report.ts';
import type { ReadingValues } from '../../records/kinds.ts';
import type { Needs } from '../../session/context.ts';
import { printRows, toAsync } from '../../session/print.ts';
import { hostFlag } from '../../session/printed-command.ts';
import { inZone } from '../../session/time-zone.ts';
import { localDayAndTime } from '../../time/calendar.ts';
import { minutesIn, readEntry } from '../../time/entry.ts';
import { today } from '../../values/dates.ts';
import { stringifyJson } from '../../values/json.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { counted } from '../../values/text.ts';
import { findingRows, readMonth } from '../check/check.ts';
import { gather, resolvePeople } from '../check/gather.ts';
import { type Checked, judgeAll, reportAssumed } from '../check/judge-all.ts';
import { printReport } from '../print-report.ts';
import { namedFindings, readReasons } from './accepted.ts';
import { recordsById } from './compare.ts';
import { keepEarlier, makeSeal, readSeal, sealedText, sealPath, writeSeal } from './seal.ts';
import { sign } from './signature.ts';
import { type Verifying, verifySeal } from './verify.ts';

const file = { type: 'file', completes: 'file' } as const;

export const close = defineCommand({
  showsGlobals: [...READING_GLOBALS.filter((name) => name !== 'maxAge'), 'dryRun'],
  description:
    'svc runs svc check for a month that is over. If there is no finding, svc seals the month. The seal has a SHA-256 of each entry, and a SHA-256 of itself. The entries at the service stay open for changes. --verify reads the month again. svc then names each entry that somebody added, changed or deleted since, with the effect on hours and amounts. svc exits with 0 without a difference, and with 1 after a difference.\n\nIf there are findings, fix each finding, or accept the finding with a reason. The seal contains the reasons. svc keeps the seal in the state directory, with the sealed records, so that svc can show which fields changed. --to writes a copy with digests only. --sign proves who closed the month. Without a signature, a person who changes the seal can also calculate its SHA-256 again.\n\nWith --offline, svc reads the entries from the local database.',
  args: [
    { name: 'month', summary: '2026-10, last' },
    {
      name: 'file',
      summary: 'With --verify: the file of the seal to compare (default: your own seal of the month)',
      optional: true,
      completes: 'file',
    },
  ],
  options: {
    team: toggle('--team', 'Close the month of everybody whom you have permission to see'),
    accept: repeated('--accept <finding=reason>', 'Accept this finding of svc check, with a reason'),
    sign: text('--sign <key>', 'Sign the seal with this SSH key (ssh-keygen -Y sign)', file),
    to: text('--to <file>', 'Also write the seal to this file; with --sign, the signature to <file>.sig', file),
    replace: toggle('--replace', 'Close a closed month again, and keep the earlier seal'),
    verify: toggle('--verify', 'Compare the month with its seal, or with the seal in a file'),
    allowedSigners: text('--allowed-signers <file>', 'Verify the signature with the keys in this file (see ssh-keygen)', file),
    html: text('--html <page>', 'Write the seal, or the comparison, to this file as one HTML page', file),
  },
  examples: [
    { args: 'close last', does: 'Close your own last month' },
    { args: 'close 2026-10 --team --sign ~/.ssh/id_ed25519 --to october.json', does: 'Close October for everybody, and sign the seal' },
    { args: 'close 2026-10 --accept "missing-hours:5:2026-10-05=Agreed with Ada"', does: 'Close a month with an accepted finding' },
    { args: 'close 2026-10 --verify', does: 'Show what changed since you closed October' },
    { args: 'close 2026-10 --verify october.json --allowed-signers signers --html october.html', does: 'Write a page for an auditor' },
  ],
  fields: 'version host month account team people read_at source signed replaces minutes accepted fields entries sha256'.split(' '),
  async run(context: Needs<Closing>, { args: [typed = '', given], options }) {
    const { team = false, accept = [], sign: key, to, replace = false, verify, html, allowedSigners } = options;
    const { dryRun, maxAge } = context.globals;
    const closes = [accept.length > 0, key, to, replace].some(Boolean);
    if (verify ? closes : given !== undefined || allowedSigners !== undefined)
      throw new UsageError('--verify takes a file, --allowed-signers and --html; the other flags close a month.', {
        hint: 'See: svc close --help',
      });
    if (maxAge !== undefined) throw new UsageError('--max-age can mix two sources.', { hint: 'Use --offline, or leave out --max-age.' });
    const offline = await context.isOffline();
    if (!offline) context.useServiceOnly();
    const range = await inZone(context, (dates) => readMonth(typed, dates));
    const month = range.first.slice(0, 7);
    const flags = `${team ? ' --team' : ''}${await hostFlag(context)}`;
    const notOver = (whose = '') =>
      new UsageError(`${month} is not over${whose}.`, { hint: `To find problems up to today: svc check --month ${month}${flags}` });
    if (range.last >= today(await context.dates())) throw notOver();
    const people = await resolvePeople(context, team, {});
    const path = await sealPath(context, people.own, month, team);
    if (verify) return verifySeal(context, given ?? path, { month, range, team, own: people.own, allowedSigners, html });
    const taken = async (name: string) => (await context.files.stat(name)) !== undefined;
    const earlier = await taken(path);
    if (earlier && !replace)
      throw new ConflictError(`The month is already closed: ${path}.`, {
        hint: `To compare: svc close ${month} --verify${flags}. To close the month again, add --replace.`,
      });
    if (to !== undefined && (await taken(resolve(context.system.cwd, to))))
      throw new ConflictError(`${to} exists.`, { hint: 'Name another file with --to.' });
    const replaces = earlier ? (await readSeal(context, path)).seal.seal_sha256 : null;
    const completeAt = offline ? (await context.accountDatabase()).completeAt('worklogs') : undefined;
    const readAt = completeAt === undefined ? context.clock.now() : Date.parse(completeAt);
    // Without relations, the records have exactly the fields of the detail view.
    const gathered = await gather(context, people, range, []);
    await reportAssumed(context, gathered.members);
    const checked = judgeAll(gathered);
    const early = [...checked.people.values()].find(({ dates }) => localDayAndTime(readAt, dates).date <= range.last);
    if (early !== undefined) throw notOver(` for ${early.name} at ${utcSeconds(readAt)}`);
    const findings = namedFindings(checked);
    const reasons = readReasons(accept, findings);
    if (findings.size > reasons.size) return refuse(context, checked, { findings, reasons }, `svc close ${month}${flags}`);
    const records = recordsById(gathered.records);
    const seal = makeSeal(
      {
        ...{ host: (await context.host()).name, month, account: people.own, team, people: [...checked.people.keys()] },
        ...{ read_at: utcSeconds(readAt), source: offline ? 'database' : 'service', signed: key !== undefined, replaces },
        minutes: minutesIn([...records.values()].map(readEntry)),
        accepted: [...findings].map(([finding, { message }]) => ({ finding, message, reason: reasons.get(finding) ?? '' })),
      },
      records,
    );
    const json = `${stringifyJson(seal, 2)}\n`;
    if (!dryRun) {
      const sig = key === undefined ? undefined : await sign(context, key, json);
      if (to !== undefined) await writeSeal(context, to, json, sig);
      if (replaces !== null) await keepEarlier(context, path, replaces);
      await writeSeal(context, path, json, sig, [...records.values()].map((record) => `${sealedText(record)}\n`).join(''));
    }
    const signature = key === undefined ? 'The seal has no signature.' : 'The signature of the seal is in a file beside the seal.';
    await printReport(context, { records: () => seal, report: () => sealReport(seal, signature), html });
    const done = `svc sealed ${month}: ${path}. To find later changes: svc close ${month} --verify${flags}`;
    await context.notice(dryRun ? 'svc wrote no seal, because of --dry-run.' : done);
  },
});

type Closing = Verifying | ReadingValues | 'clock' | 'resolvedHost' | 'settings' | 'useServiceOnly';

/** Prints the findings without a reason, each with its name for `--accept`. @throws SvcError (exit 1) */
async function refuse(
  context: Needs<Closing>,
  checked: Checked,
  { findings, reasons }: { readonly findings: ReadonlyMap<string, unknown>; readonly reasons: ReadonlyMap<string, string> },
  again: string,
): Promise<void> {
  const host = await hostFlag(context);
  const names = [...findings.keys()];
  const rows = findingRows(checked, host).map((row, at) => ({ accept: names[at] ?? '', ...row }));
  const open = rows.filter(({ accept }) => !reasons.has(accept));
  const columns = [{ path: 'accept', isUncut: true } as const, ...['user', 'date', 'message', 'command'].map((path) => ({ path }))];
  await printRows(context, toAsync(open), { columns });
  throw new SvcError(`${counted(open.length, 'finding')} of svc check, so svc did not close the month.`, {
    hint: `Fix each finding, or accept it with a reason: ${again} --accept "<finding>=<reason>"`,
  });
}
