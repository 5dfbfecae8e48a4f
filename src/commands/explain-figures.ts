import type { Report, ReportLine, ReportTable } from '../output/report.ts';
import type { Needs } from '../session/context.ts';
import { hostFlag } from '../session/printed-command.ts';
import { amountOfSteps, type FigureStep, minutesOfSteps, STEP_RULES, type StepRecord } from '../time/figure-step.ts';
import { API_PATH } from '../values/addresses.ts';
import { formatDuration } from '../values/duration.ts';
import type { JsonObject } from '../values/json.ts';
import { type Cents, formatAmount } from '../values/money.ts';
import { printReport, type Reporting } from './print-report.ts';

/** A figure with the steps that add up to the figure. */
export interface ExplainedFigure {
  /** The name of the figure in the command’s records: `gap_minutes`. */
  readonly figure: string;
  /** The name of the figure for people: `Missing`. */
  readonly label: string;
  readonly steps: readonly FigureStep[];
}

interface Explanation {
  readonly title: string;
  /** The fields that identify the subject of the figures: `user_id`, `date`. */
  readonly subject: JsonObject;
  readonly figures: readonly ExplainedFigure[];
}

export type Explaining = Reporting | 'resolvedHost' | 'settings';

/**
 * Prints the steps that add up to each figure. People get a table for each figure. Programs get a record with `steps` for each figure, but
 * in CSV and TSV a row for each step.
 */
export async function explainFigures(context: Needs<Explaining>, { title, subject, figures }: Explanation): Promise<void> {
  const shown = figures.map((one) => (one.steps.length > 0 ? one : { ...one, steps: [NOTHING_COUNTS] }));
  const { origin } = await context.host();
  const flag = await hostFlag(context);
  const { format } = await context.presentation();
  const isSheet = (format === 'csv' || format === 'tsv') && context.globals.jq === undefined;
  const records = shown.map((one) => ({ ...subject, ...recordOf(one, origin) }));
  await printReport(context, {
    records: () => (isSheet ? records.flatMap(rowsOf) : records.length === 1 ? (records[0] ?? {}) : records),
    report: (): Report => ({
      title,
      parts: [...shown.map(tableOf), { kind: 'notes', heading: 'To see a record:', lines: seeLines(figures, flag) }],
    }),
  });
}

/** The only step of a figure without other steps. The figure is then zero. */
const NOTHING_COUNTS: FigureStep = { kind: 'nothing', reason: 'Nothing counts here', minutes: 0 };

function recordOf({ figure, steps }: ExplainedFigure, origin: string) {
  const hasMoney = steps.some(isPriced);
  const amountIn = (amount: Cents | null | undefined) =>
    hasMoney ? { amount: typeof amount === 'bigint' ? formatAmount(amount) : null } : {};
  return {
    figure,
    minutes: minutesOfSteps(steps) ?? null,
    ...amountIn(amountOfSteps(steps)),
    steps: steps.map(({ kind, reason, record, date, minutes, amount = 0n }) => ({
      kind,
      rule: STEP_RULES[kind],
      reason,
      resource: record === undefined ? null : record.noun === 'me' ? 'users' : record.noun,
      id: record?.id ?? null,
      name: record?.name ?? null,
      link: record === undefined ? null : `${origin}${API_PATH}${pathOf(record)}`,
      date: date ?? null,
      minutes,
      ...amountIn(amount),
    })),
  };
}

function isPriced({ amount }: FigureStep): boolean {
  return amount !== undefined;
}

/** Returns a row for each step of a figure, with the fields that identify the figure and its subject. */
function rowsOf({ minutes: _, amount: __, steps, ...about }: ReturnType<typeof recordOf>): JsonObject[] {
  return steps.map((step) => ({ ...about, ...step }));
}

function pathOf({ noun, id }: StepRecord): string {
  return noun === 'me' ? '/me' : `/${noun}/${id}`;
}

function tableOf({ label, steps }: ExplainedFigure): ReportTable {
  const hasMoney = steps.some(isPriced);
  const time = (minutes: number | null | undefined) => (typeof minutes === 'number' ? formatDuration(minutes) : 'unknown');
  const money = (amount: Cents | null | undefined) => (hasMoney ? [typeof amount === 'bigint' ? formatAmount(amount) : 'unknown'] : []);
  return {
    kind: 'table',
    name: label,
    levels: ['Step'],
    columns: [
      { label: 'Date', align: 'left' },
      { label: 'Time' },
      ...(hasMoney ? [{ label: 'Amount' }] : []),
      { label: 'Record', align: 'left', mayGo: true },
      { label: 'Rule', align: 'left', mayGo: true },
    ],
    rows: steps.map(({ kind, reason, record, date, minutes, amount = 0n }) => ({
      label: record?.noun === 'worklogs' ? `${reason}: ${record.name}` : reason,
      cells: [date ?? '', time(minutes), ...money(amount), record === undefined ? '' : nameOfRecord(record), STEP_RULES[kind] ?? ''],
    })),
    totals: [{ label, cells: ['', time(minutesOfSteps(steps)), ...money(amountOfSteps(steps)), '', ''] }],
  };
}

/** Returns the resource and id of a record: `worklog 901`. */
function nameOfRecord({ noun, id }: StepRecord): string {
  return noun === 'me' ? ['user', id].join(' ').trim() : `${noun.slice(0, -1).replace('-', ' ')} ${id}`;
}

/** Returns a command for the first record of each resource. */
function seeLines(figures: readonly ExplainedFigure[], flag: string): ReportLine[] {
  const records = figures.flatMap(({ steps }) => steps.flatMap(({ record }) => record ?? []));
  return [...Map.groupBy(records, ({ noun }) => noun).values()].flatMap(([record]) =>
    record === undefined
      ? []
      : [{ text: nameOfRecord(record), command: `svc ${record.noun === 'me' ? 'me' : `${record.noun} get ${record.id}`}${flag}` }],
  );
}
