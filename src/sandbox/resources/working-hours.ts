import { isObject, type Json, type Row } from '../json.ts';
import type { SandboxKnobs } from '../knobs.ts';
import type { FieldSurroundings, JsonSchema } from './define.ts';

const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** A day's work: from and to as `HH:MM`. */
interface Span {
  readonly start: string;
  readonly end: string;
}

/**
 * A user's `working_hours` in the form that the option asks for. They are kept as a map from weekdays to start and end, or null.
 * Hours that were stored in another form are shown as they came.
 */
export function writtenHours(row: Row, { knobs }: FieldSurroundings): Json {
  const kept = row['working_hours'] ?? null;
  if (knobs.workingHours === 'start-end' || !isObject(kept) || Object.keys(kept).length === 0) return kept;
  const spans = WEEK.map((day) => spanOf(kept[day]));
  const minutes = spans.map((span) => (span === undefined ? 0 : minutesOf(span.end) - minutesOf(span.start)));
  const ofWeek = (write: (index: number) => Json): Json => Object.fromEntries(WEEK.map((day, index) => [day, write(index)]));
  switch (knobs.workingHours) {
    case 'from-to':
      return ofWeek((index) => {
        const span = spans[index];
        return span === undefined ? null : { from: span.start, to: span.end };
      });
    case 'per-day':
      return ofWeek((index) => timeOf(minutes[index] ?? 0));
    case 'one-time':
      return timeOf(Math.max(...minutes));
    case 'list':
      return minutes.map(timeOf);
    case 'minutes':
      return Math.max(...minutes);
    case 'null':
      return null;
    case 'text':
      return 'nine to five, mostly';
  }
}

/** JSON Schema of the form that the option asks for. */
export function hoursSchema({ workingHours }: SandboxKnobs): JsonSchema {
  const time: JsonSchema = { type: 'string', format: 'time-of-day', pattern: '^[0-9]{2}:[0-9]{2}$' };
  const week = (day: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: Object.fromEntries(WEEK.map((name) => [name, day])),
  });
  const span = (from: string, to: string): JsonSchema => ({
    type: ['object', 'null'],
    properties: { [from]: time, [to]: time },
    required: [from, to],
  });
  switch (workingHours) {
    case 'start-end':
      return week(span('start', 'end'));
    case 'from-to':
      return week(span('from', 'to'));
    case 'per-day':
      return week(time);
    case 'one-time':
      return time;
    case 'list':
      return { type: 'array', items: time };
    case 'minutes':
      return { type: 'integer', format: 'minutes' };
    case 'null':
      return { type: 'object', additionalProperties: true };
    case 'text':
      return { type: 'string' };
  }
}

function spanOf(value: Json | undefined): Span | undefined {
  if (!isObject(value)) return undefined;
  const { start, end } = value;
  return typeof start === 'string' && typeof end === 'string' ? { start, end } : undefined;
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

function timeOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
