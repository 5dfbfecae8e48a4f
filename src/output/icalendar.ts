import { neutraliseLine } from './neutralise.ts';

/** A file of events for other calendars (RFC 5545). */
export interface CalendarFile {
  /** What a calendar that is made of it is called. */
  readonly name: string;
  /** When it was made: `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly stamp: string;
  readonly events: readonly CalendarEvent[];
}

export interface CalendarEvent {
  /** The same whenever the same event is written, so that a calendar takes it for the one it has. */
  readonly uid: string;
  readonly summary: string;
  readonly description?: string | undefined;
  /** `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly start: string;
  /** The same form; the day after the last one, or the moment at which it is over. */
  readonly end: string;
  readonly status?: 'TENTATIVE' | 'CONFIRMED' | undefined;
}

/** The file: nobody’s time is blocked by it, and a text from outside cannot leave its line. */
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
    `DTSTART${moment(start)}`,
    `DTEND${moment(end)}`,
    `SUMMARY:${escaped(summary)}`,
    ...(description === undefined ? [] : [`DESCRIPTION:${escaped(description)}`]),
    ...(status === undefined ? [] : [`STATUS:${status}`]),
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

function moment(text: string): string {
  return text.includes('T') ? `:${compact(text)}` : `;VALUE=DATE:${compact(text)}`;
}

function compact(text: string): string {
  return text.replaceAll(/[-:]/g, '');
}

/** Text (RFC 5545, 3.3.11); what a program might obey is made visible first, and a line break is a blank. */
function escaped(text: string): string {
  return neutraliseLine(text).replaceAll(/[\\;,]/g, (character) => `\\${character}`);
}

/** Octets of a line, without its break (3.1). */
const MOST_OCTETS = 75;

/** A line that is too long goes on in the next one, behind a blank; no character is cut in two. */
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
