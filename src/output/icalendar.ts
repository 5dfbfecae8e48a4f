import { neutraliseLine } from './neutralise.ts';

export interface CalendarFile {
  readonly name: string;
  /** The time at which svc wrote the file, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly stamp: string;
  readonly events: readonly CalendarEvent[];
}

export interface CalendarEvent {
  /** The id of the event, the same in every file. On import, a calendar program replaces the event with this id. */
  readonly uid: string;
  readonly summary: string;
  readonly description?: string | undefined;
  /** The start, as `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly start: string;
  /** The end in the same form. For dates, the end is the day after the last day. */
  readonly end: string;
  readonly status?: 'TENTATIVE' | 'CONFIRMED' | undefined;
}

/**
 * Renders a calendar file (RFC 5545). A calendar program shows the time of each event as free. Text from outside can’t add lines to the
 * file.
 */
export function renderCalendar({ name, stamp, events }: CalendarFile): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//svc//absences//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escaped(name)}`,
    ...events.flatMap((event) => eventLines(event, stamp)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function eventLines({ uid, summary, description, start, end, status }: CalendarEvent, stamp: string): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(uid)}`,
    `DTSTAMP:${compact(stamp)}`,
    `DTSTART${timestamp(start)}`,
    `DTEND${timestamp(end)}`,
    `SUMMARY:${escaped(summary)}`,
    ...(description === undefined ? [] : [`DESCRIPTION:${escaped(description)}`]),
    ...(status === undefined ? [] : [`STATUS:${status}`]),
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

function timestamp(text: string): string {
  return text.includes('T') ? `:${compact(text)}` : `;VALUE=DATE:${compact(text)}`;
}

function compact(text: string): string {
  return text.replaceAll(/[-:]/g, '');
}

/** Escapes a text (RFC 5545, 3.3.11). Control characters become visible, and a line break becomes a blank. */
function escaped(text: string): string {
  return neutraliseLine(text).replaceAll(/[\\;,]/g, (character) => `\\${character}`);
}

const MOST_OCTETS = 75;

/** Folds a long line, so that each further line begins with a blank. Never splits a character. */
function folded(line: string): string {
  const encoder = new TextEncoder();
  let text = '';
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > MOST_OCTETS) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
}
