import { flagOf, isWritable, verbsOf } from '../../catalog/rules.ts';
import { shellCommand } from '../../cli/shell-word.ts';
import { commandWords } from '../../cli/words.ts';
import type { KnownRow } from '../../journal/import-row.ts';
import type { Needs } from '../../session/context.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import { quote } from '../../values/quote.ts';
import { holdingOf, shownValue } from './corrections.ts';
import type { ImportPlace } from './place.ts';
import type { ImportStanding, RowToCorrect } from './standing.ts';

interface Telling {
  readonly isUpdating: boolean;
  readonly canLook: boolean;
}

/** So many rows are named one by one. */
const NAMED = 20;

/**
 * Says how the rows stand, and of each that is not as it was the command that mends its record.
 *
 * @param isUpdating whether what changed is corrected in this run.
 * @param canLook whether the service can be asked for records that are not known here.
 */
export async function tellStanding(
  context: Needs<'argv' | 'globals' | 'journal' | 'notice'>,
  place: ImportPlace,
  standing: ImportStanding,
  { isUpdating, canLook }: Telling,
): Promise<void> {
  const { creates, known, changed, open, vanished } = standing;
  const sent = creates.filter(({ earlier }) => earlier !== undefined).length;
  const unsettled = sent + open.length;
  const counts = [
    `${creates.length - sent} new, ${known} known, ${changed.length} changed`,
    ...(unsettled > 0 ? [`${unsettled} of unknown outcome`] : []),
    ...(vanished.length > 0 ? [`${vanished.length} no longer in the file`] : []),
  ];
  await context.notice(`${counts.join(', ')}.`);
  for (const { row, as } of open.slice(0, NAMED)) {
    await context.notice(
      `line ${row.line}: an earlier form of it was sent, and nobody saw how that ended. Settle it, and import again: svc outbox send ${as.entry}`,
    );
  }
  for (const row of changed.slice(0, NAMED)) await context.notice(changedLine(context, place, row, { isUpdating, canLook }));
  if (changed.length > NAMED) await context.notice(`… and ${changed.length - NAMED} more that changed.`);
  if (changed.length > 0 && !isUpdating)
    await context.notice(
      `What changed is not logged again. To correct all of it: ${shellCommand([...context.argv.filter((word) => word !== '--dry-run'), '--update-changed'])}`,
    );
  for (const row of vanished.slice(0, NAMED)) await context.notice(await vanishedLine(context, place, row));
  if (vanished.length > NAMED) await context.notice(`… and ${vanished.length - NAMED} more that are no longer in the file.`);
}

function changedLine(
  context: Needs<'globals'>,
  place: ImportPlace,
  { row, as, holding, fields }: RowToCorrect,
  { isUpdating, canLook }: Telling,
): string {
  const differences = Object.entries(fields).map(([name, value]) => {
    const was = holding?.fields[name];
    return was === undefined ? `${name} ${shown(value)}` : `${name} ${shown(was)} → ${shown(value)}`;
  });
  const what = `line ${row.line} changed since it was logged${as.recordId === undefined ? '' : ` as ${as.recordId}`}: ${differences.join(', ')}.`;
  if (isUpdating) return what;
  if (as.recordId === undefined) return `${what} Its record is not known here${canLook ? '; --check-existing looks for it' : ''}.`;
  return `${what}${commandLine(context, place, 'update', [as.recordId, ...flagsOf(place, fields)])}`;
}

async function vanishedLine(context: Needs<'globals' | 'journal'>, place: ImportPlace, row: KnownRow): Promise<string> {
  const { fields = {} } = (await holdingOf(context, place, row)) ?? {};
  const said = Object.entries(fields).map(([name, value]) => `${name} ${shown(value)}`);
  const what = `No longer in the file: ${row.recordId ?? 'a record whose id is not known'} (${said.join(', ') || (row.day ?? 'no day')}).`;
  return row.recordId === undefined ? what : `${what}${commandLine(context, place, 'delete', [row.recordId])}`;
}

/** ` To mend it: svc worklogs update 812 --minutes 95`; nothing where there is no such command. */
function commandLine(
  { globals }: Needs<'globals'>,
  { items, parent }: ImportPlace,
  verb: 'update' | 'delete',
  words: readonly string[],
): string {
  if (!verbsOf(items).includes(verb)) return '';
  const below = items.parent === undefined ? [] : [parent ?? ''];
  const host = globals.host === undefined ? [] : ['--host', globals.host];
  const command = shellCommand([...commandWords(items, verb).split(' '), ...below, ...words, ...host]);
  return verb === 'update' ? ` To correct it: ${command}` : ` If it is to go: ${command}`;
}

function flagsOf({ items }: ImportPlace, fields: JsonObject): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const field = items.fields[name];
    if (field === undefined || !isWritable(field, 'update')) return ['-F', `${name}=${shownValue(value)}`];
    const flag = flagOf(name, field);
    if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`];
    return [`--${flag}`, value === null ? 'none' : shownValue(value)];
  });
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? quote(value) : shownValue(value) || 'none';
}
