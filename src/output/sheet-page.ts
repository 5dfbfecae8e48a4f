import { formatHours } from '../values/duration.ts';
import { formatAmount } from '../values/money.ts';
import { htmlLine, isolated, renderPage, scrollable, tiles } from './page.ts';
import { type Sheet, type SheetFigures, type SheetRow, sheetNotes } from './sheet.ts';

/**
 * Renders hours for a customer as an HTML page to send, with each entry, subtotals and the total. Only the letterhead shows where the page
 * comes from.
 *
 * @param letterhead lines of the letterhead. The first line is the name.
 */
export function renderSheetPage(sheet: Sheet, letterhead: readonly string[]): string {
  const { customer, address, first, last } = sheet;
  return renderPage({
    title: `Hours for ${customer}`,
    name: customer,
    subtitle: first === last ? first : `${first} to ${last}`,
    above: letterhead.length === 0 ? '' : `<p class="letterhead" dir="auto">${letter(letterhead)}</p>`,
    body: [
      ...(address.length === 0 ? [] : [`<p class="address" dir="auto">${lines(address)}</p>`]),
      ...(sheet.rows.length === 0
        ? ['<p>No hours were logged.</p>']
        : [tiles(figuresOf(sheet)), table(sheet), ...sheetNotes(sheet).map((note) => `<p><small>${note}</small></p>`)]),
    ],
  });
}

function figuresOf({ total, rate, hours }: Sheet): [string, string][] {
  const money: [string, string][] =
    rate === undefined
      ? []
      : [
          ['Rate an hour', formatAmount(rate)],
          ['Amount', formatAmount(total.amount)],
        ];
  return [['Hours', formatHours(total.minutes, hours)], ...money];
}

function table(sheet: Sheet): string {
  const heads = [
    ['day', 'Date'],
    ['who', 'Person'],
    ['what', 'Work'],
    ['num', 'Hours'],
    ...(sheet.rate === undefined ? [] : [['num', 'Amount']]),
  ].map(([name, label]) => `<th scope="col" class="${name}">${label}</th>`);
  const rows = sheet.rows.map((row) => `${row.kind === 'group' ? '</tbody><tbody>' : ''}${drawRow(row, sheet)}`).join('\n');
  const { total } = sheet;
  const part =
    total.notBillable === 0
      ? ''
      : `<tr class="part"><th scope="row" colspan="3">Including non-billable hours</th>${numbers(
          { minutes: total.notBillable, amount: undefined },
          sheet,
        )}</tr>`;
  const foot = `<tr class="sum"><th scope="row" colspan="3">Total</th>${numbers(total, sheet)}</tr>${part}`;
  const content = `<table class="sheet${sheet.rate === undefined ? '' : ' priced'}"><thead><tr>${heads.join('')}</tr></thead><tbody>${rows}</tbody><tfoot>${foot}</tfoot></table>`;
  // Removes the empty table body before the first group.
  return scrollable('Hours', content.replace('<tbody></tbody>', ''));
}

function drawRow(row: SheetRow, sheet: Sheet): string {
  if (row.kind === 'line') {
    const more = [row.text === '' ? '' : row.workItem, row.isNotBillable ? 'Not billable' : ''].filter(Boolean);
    const small = more.length === 0 ? '' : `<small dir="auto">${more.map(htmlLine).join(' · ')}</small>`;
    const what = lines((row.text || row.workItem || '–').split('\n'));
    return `<tr><td class="day">${htmlLine(row.date)}</td><td class="who">${isolated(row.person)}</td><td class="what" dir="auto">${what}${small}</td>${numbers(row, sheet)}</tr>`;
  }
  const inner = row.depth > 0 ? ' inner' : '';
  if (row.kind === 'group') {
    const columns = sheet.rate === undefined ? 4 : 5;
    return `<tr class="group${inner}"><th scope="rowgroup" colspan="${columns}">${isolated(row.label)}</th></tr>`;
  }
  return `<tr class="sum${inner}"><th scope="row" colspan="3">${isolated(row.label)}</th>${numbers(row.figures, sheet)}</tr>`;
}

function numbers(
  { minutes, amount }: Pick<SheetFigures, 'minutes'> & { readonly amount: bigint | undefined },
  { hours, rate }: Sheet,
): string {
  const money = rate === undefined ? '' : `<td class="num">${amount === undefined ? '–' : formatAmount(amount)}</td>`;
  return `<td class="num">${formatHours(minutes, hours)}</td>${money}`;
}

function letter([name = '', ...rest]: readonly string[]): string {
  return [`<strong>${htmlLine(name)}</strong>`, ...rest.map(htmlLine)].join('<br>');
}

/** Escapes several lines for HTML, and joins them with line breaks. */
function lines(all: readonly string[]): string {
  return all.map(htmlLine).join('<br>');
}
