import type { ValueKind } from '../values/kind.ts';

const KINDS: Readonly<Record<ValueKind, true>> = {
  id: true,
  user: true,
  'work-item': true,
  integer: true,
  string: true,
  html: true,
  markdown: true,
  date: true,
  'date-time': true,
  'span-end': true,
  time: true,
  duration: true,
  money: true,
  decimal: true,
  percentage: true,
  coordinate: true,
  boolean: true,
  enum: true,
  json: true,
};

/** Whether a word from outside is one of svc’s kinds of value. */
export function isKind(value: unknown): value is ValueKind {
  return typeof value === 'string' && Object.hasOwn(KINDS, value);
}
