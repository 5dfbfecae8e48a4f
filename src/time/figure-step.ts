import type { Cents } from '../values/money.ts';
import { type Entry, projectName, workItemName } from './entry.ts';

/** A part of a figure, with the rule and the record that give this part. The steps of a figure add up to the figure exactly. */
export interface FigureStep {
  readonly kind: StepKind;
  /** The reason for the step, in words for people. */
  readonly reason: string;
  readonly record?: StepRecord | undefined;
  /** `YYYY-MM-DD`. */
  readonly date?: string | undefined;
  /** Whole minutes, below zero if the step lowers the figure. Null if unknown: the figure is then unknown too. */
  readonly minutes: number | null;
  /** The money of the step, for a figure that has money too. Null if unknown. */
  readonly amount?: Cents | null;
}

export interface StepRecord {
  /** The resource. `me` is the signed-in user. All users can read their own record. */
  readonly noun: 'me' | 'users' | 'worklogs' | 'absences' | 'holidays' | 'free-days' | 'budgets' | 'projects';
  /** Undefined only for `me`, if the service does not show the id. */
  readonly id: number | undefined;
  readonly name: string;
}

export type StepKind = keyof typeof STEP_RULES;

/** The number of the rule in docs/service-rules.md that each kind of step comes from. Null for a rule of svc itself. */
export const STEP_RULES = {
  'working-hours': '18.24',
  'given-hours': null,
  'unknown-hours': '18.24',
  holiday: '1.13',
  'free-day': '1.13',
  absence: '18.34',
  'hidden-leave': null,
  worklog: '4.3',
  'hidden-entries': '18.23',
  'above-target': null,
  'later-day': null,
  'entry-flag': null,
  unbilled: '18.33',
  billed: '18.33',
  'not-billable': '4.9',
  'over-budget': '4.9',
  'unknown-billing': '18.33',
  cents: null,
  'budget-size': '2.23',
  'reported-time': '2.23',
  'share-of-hours': null,
  'uncertain-leave': '18.34',
  'last-day': null,
  nothing: null,
} as const;

/** Adds up the minutes of steps. Undefined if a step is unknown. */
export function minutesOfSteps(steps: readonly FigureStep[]): number | undefined {
  return steps.reduce<number | undefined>((sum, { minutes }) => (sum === undefined || minutes === null ? undefined : sum + minutes), 0);
}

export function oppositeStep(step: FigureStep): FigureStep {
  return { ...step, minutes: step.minutes === null ? null : 0 - step.minutes };
}

/** Adds up the money of steps. A step without money counts as zero. Undefined if a step is unknown. */
export function amountOfSteps(steps: readonly FigureStep[]): Cents | undefined {
  return steps.reduce<Cents | undefined>((sum, { amount = 0n }) => (sum === undefined || amount === null ? undefined : sum + amount), 0n);
}

/** Makes the step of a worklog. The record is named after the text of the entry, or without a text after the work item or project. */
export function worklogStep(entry: Entry, step: Pick<FigureStep, 'kind' | 'reason' | 'minutes' | 'amount'>): FigureStep {
  const { id, date, description, workItemId } = entry;
  const name = description.trim() || (typeof workItemId === 'number' ? workItemName(entry) : projectName(entry));
  return { ...step, record: id === undefined ? undefined : { noun: 'worklogs', id, name }, date };
}
