import { flagOf, isWritable, verbsOf } from '../../catalog/rules.ts';
import { shellCommand } from '../../cli/shell-word.ts';
import { commandWords } from '../../cli/words.ts';
import type { KnownRow } from '../../journal/entry.ts';
import type { Needs } from '../../session/context.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import { quote } from '../../values/text.ts';
import type { FileComparison, RowToCorrect } from './compare-file.ts';
import { type ImportTarget, readKnownFields, valueText } from './row-records.ts';

interface ComparisonFlags {
  readonly isUpdating: boolean;
  /** True if `--check-existing` can search for the record of a row that svc logged without a record id. */
  readonly canSearch: boolean;
}

const NAMED = 20;

export async function printComparison(
  context: Needs<'argv' | 'globals' | 'journal' | 'notice'>,
  target: ImportTarget,
  { creates, known, changed, unconfirmed, vanished }: FileComparison,
  flags: ComparisonFlags,
): Promise<void> {
  const sent = creates.filter(({ earlier }) => earlier !== undefined).length;
  const open = sent + unconfirmed.length;
  const counts = [
    `${creates.length - sent} new, ${known} known, ${changed.length} changed`,
    ...(open > 0 ? [`${open} unconfirmed`] : []),
    ...(vanished.length > 0 ? [`${vanished.length} no longer in the file`] : []),
  ];
  await context.notice(`${counts.join(', ')}.`);
  for (const { row, as } of unconfirmed.slice(0, NAMED))
    await context.notice(
      `line ${row.line}: an earlier form of this row is unconfirmed. Resolve that write, then import again: svc outbox send ${as.entry}`,
    );
  for (const row of changed.slice(0, NAMED)) await context.notice(changedLine(context, target, row, flags));
  if (changed.length > NAMED) await context.notice(`… and ${changed.length - NAMED} more changed rows.`);
  if (changed.length > 0 && !flags.isUpdating) {
    const command = shellCommand([...context.argv.filter((word) => word !== '--dry-run'), '--update-changed']);
    await context.notice(`svc does not log changed rows again. To correct all records: ${command}`);
  }
  for (const row of vanished.slice(0, NAMED)) await context.notice(await vanishedLine(context, target, row));
  if (vanished.length > NAMED) await context.notice(`… and ${vanished.length - NAMED} more rows that are no longer in the file.`);
}

function changedLine(
  context: Needs<'globals'>,
  target: ImportTarget,
  { row, as, known, fields }: RowToCorrect,
  { isUpdating, canSearch }: ComparisonFlags,
): string {
  const differences = Object.entries(fields).map(([name, value]) => {
    const was = known?.fields[name];
    return was === undefined ? `${name} ${shown(value)}` : `${name} ${shown(was)} → ${shown(value)}`;
  });
  const what = `line ${row.line} changed since it was logged${as.recordId === undefined ? '' : ` as ${as.recordId}`}: ${differences.join(', ')}.`;
  if (isUpdating) return what;
  if (as.recordId === undefined)
    return `${what} svc does not know the record of this row${canSearch ? ' (--check-existing searches for the record)' : ''}.`;
  return `${what}${correctingCommand(context, target, 'update', [as.recordId, ...flagsOf(target, fields)])}`;
}

async function vanishedLine(context: Needs<'globals' | 'journal'>, target: ImportTarget, row: KnownRow): Promise<string> {
  const { fields = {} } = (await readKnownFields(context, target, row)) ?? {};
  const values = Object.entries(fields).map(([name, value]) => `${name} ${shown(value)}`);
  const what = `No longer in the file: ${row.recordId ?? 'a record with an unknown id'} (${values.join(', ') || (row.day ?? 'no day')}).`;
  return row.recordId === undefined ? what : `${what}${correctingCommand(context, target, 'delete', [row.recordId])}`;
}

/**
 * Returns ` To correct the record: svc worklogs update 812 --minutes 95`, or such a text for `delete`. Returns an empty string if the
 * resource has no such command.
 */
function correctingCommand(
  { globals }: Needs<'globals'>,
  { items, parent }: ImportTarget,
  verb: 'update' | 'delete',
  words: readonly string[],
): string {
  if (!verbsOf(items).includes(verb)) return '';
  const above = items.parent === undefined ? [] : [parent ?? ''];
  const host = globals.host === undefined ? [] : ['--host', globals.host];
  const command = shellCommand([...commandWords(items, verb).split(' '), ...above, ...words, ...host]);
  return verb === 'update' ? ` To correct the record: ${command}` : ` To delete the record: ${command}`;
}

function flagsOf({ items }: ImportTarget, fields: JsonObject): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const field = items.fields[name];
    if (field === undefined || !isWritable(field, 'update')) return ['-F', `${name}=${valueText(value)}`];
    const flag = flagOf(name, field);
    if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`];
    return [`--${flag}`, value === null ? 'none' : valueText(value)];
  });
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? quote(value) : valueText(value) || 'none';
}
