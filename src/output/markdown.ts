import type { JsonObject } from '../values/json.ts';
import { alignsRight, dateTimeDisplay, recordText } from './cell.ts';
import { neutraliseLine } from './neutralise.ts';
import { partsFor, type Report, type ReportLine, type ReportTable, textOf } from './report.ts';
import { recordTexts, tableColumns } from './table-columns.ts';
import { createHeldWriter, type RecordWriter, type WriterOptions } from './writer.ts';

/**
 * Creates a writer for a Markdown table (GitHub’s specification, §4.10). The writer cuts no text to a width, and writes nothing without
 * rows.
 */
export function createMarkdownWriter(options: WriterOptions): RecordWriter {
  return createHeldWriter(options, (sample) => {
    if (sample.length === 0) return undefined;
    const columns = tableColumns(sample, options);
    const showDateTime = dateTimeDisplay(options.timeZone);
    return {
      header: head(columns.map(({ header, kind }) => [escapeMarkdown(header), alignsRight(kind)])),
      row: (record) => line(columns.map(({ path, kind }) => escapeMarkdown(recordText(record, path, kind, showDateTime)))),
    };
  });
}

export function renderMarkdownRecord(record: JsonObject, options: WriterOptions): string {
  const rows = recordTexts(record, options).map(([name, value]) =>
    line([escapeMarkdown(name), value.split('\n').map(escapeMarkdown).join('<br>')]),
  );
  return [head([['FIELD'], ['VALUE']]), ...rows].join('');
}

export function markdownReport(report: Report): string {
  const parts = partsFor(report, 'markdown').flatMap((part) => {
    if (part.kind === 'table') return [`### ${text(part.name)}\n`, tableOf(part)];
    if (part.kind === 'drawing') return [];
    const heading = part.heading ?? part.name;
    return [...(heading === undefined ? [] : [`${text(heading)}\n`]), part.lines.map((one) => `- ${lineOf(one)}\n`).join('')];
  });
  return [...(report.title === undefined ? [] : [`## ${text(report.title)}\n`]), ...parts].join('\n');
}

function lineOf(line: ReportLine): string {
  if (typeof line === 'string') return text(line);
  const fence = fenceFor(line.command);
  return `${text(line.text)}: ${fence} ${neutraliseLine(line.command)} ${fence}`;
}

/**
 * Returns the backticks that enclose a piece of code, as many as its text requires (CommonMark 0.31, §4.5 and §6.1).
 * @param least smallest number of backticks. A block needs three. Default: 1.
 */
export function fenceFor(code: string, least = 1): string {
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(Math.max(least, longest + 1));
}

function tableOf({ levels, columns, rows, totals = [] }: ReportTable): string {
  const names = (label: string, depth: number) => levels.map((_, at) => (at === depth ? label : ''));
  return [
    head([
      ...levels.map((level) => [text(level)] as const),
      ...columns.map(({ label, align }) => [text(label), align !== 'left'] as const),
    ]),
    ...rows.map(({ label, depth = 0, cells }) =>
      line([...names(text(label), depth), ...columns.map((_, at) => text(textOf(cells[at] ?? '')))]),
    ),
    ...totals.map(({ label, cells }) => line([...names(`**${text(label)}**`, 0), ...cells.map((cell) => text(textOf(cell)))])),
  ].join('');
}

function head(columns: readonly (readonly [label: string, isRight?: boolean])[]): string {
  return line(columns.map(([label]) => label)) + line(columns.map(([, isRight]) => (isRight ? '---:' : '---')));
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

function text(value: string): string {
  return escapeMarkdown(neutraliseLine(value));
}

/** Escapes a one-line text, so that it contains no markup, no HTML and no end of a table cell. */
export function escapeMarkdown(value: string): string {
  return value
    .replace(/[\\|`*_[\]#~]/g, '\\$&')
    .replace(/[&<>]/g, (character) => (character === '&' ? '&amp;' : character === '<' ? '&lt;' : '&gt;'))
    .replace(/^([-+]|\d+(?=[.)]))/, (start) => (/\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d+)([.)])(?= |$)/, '$1\\$2');
}
