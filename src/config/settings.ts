import { UsageError } from '../errors.ts';
import { parseBoolean } from '../values/boolean.ts';
import { isTimeZone } from '../values/dates.ts';
import { parseHost } from '../values/host.ts';
import { parseInteger } from '../values/integer.ts';
import { parseTimespan } from '../values/timespan.ts';

/** A setting of `config.json`: its name, what it means, and how its text is checked. */
export interface Setting {
  readonly name: SettingName;
  readonly summary: string;
  /** Throws UsageError for a text that cannot be meant; returns it in the form that is kept. */
  readonly check: (text: string) => string;
}

export type SettingName =
  | 'host'
  | 'output'
  | 'timezone'
  | 'pager'
  | 'browser'
  | 'editor'
  | 'max-wait'
  | 'timeout'
  | 'parallel'
  | 'keychain-wait'
  | 'read-only'
  | 'outbox'
  | 'offline'
  | 'accessible'
  | 'report-letterhead'
  | 'sync-exclude';

/** What a person has set; absent: not set. */
export type Settings = Readonly<Partial<Record<SettingName, string>>>;

/** Every setting, in the order `svc config list` prints them. `formats` are the values of `--output`. */
export function settingsTable(formats: readonly string[]): readonly Setting[] {
  return [
    { name: 'host', summary: 'The organisation that is used when none is named', check: (text) => parseHost(text).name },
    { name: 'output', summary: `How results print, here and in pipes: ${formats.join(', ')}`, check: (text) => oneOf(text, formats) },
    { name: 'timezone', summary: 'Your time zone where your user record has none, such as Europe/Amsterdam', check: checkTimeZone },
    { name: 'pager', summary: 'A command that shows what is taller than the screen; "cat" for none (less)', check: notEmpty },
    { name: 'browser', summary: 'A command that is given the address to open', check: notEmpty },
    { name: 'editor', summary: 'A command that is given the file to edit', check: notEmpty },
    { name: 'max-wait', summary: 'The longest wait for the rate limit, such as 5m', check: checkTimespan },
    { name: 'timeout', summary: 'The longest wait for one request, such as 30s', check: checkTimespan },
    { name: 'parallel', summary: 'Connections at once, 1 to 8', check: (text) => String(parseInteger(text, { min: 1, max: 8 })) },
    {
      name: 'keychain-wait',
      summary: 'The longest wait for the keychain, such as 1m, if it asks you to unlock it (3s)',
      check: checkTimespan,
    },
    { name: 'read-only', summary: 'true: nothing that could change anything is sent', check: (text) => String(parseBoolean(text)) },
    {
      name: 'outbox',
      summary: 'offline: what you create without a connection is kept for svc outbox send; off: it fails',
      check: (text) => oneOf(text, ['offline', 'off']),
    },
    {
      name: 'offline',
      summary: 'true: whatever reads is answered from your copy (svc sync), and nothing is sent',
      check: (text) => String(parseBoolean(text)),
    },
    {
      name: 'accessible',
      summary: 'on: for a screen reader; a line for each field, questions as plain lines, and nothing drawn over',
      check: (text) => oneOf(text, ['on', 'off']),
    },
    {
      name: 'report-letterhead',
      summary: 'Your name and address above the hours that svc report --for writes for a customer; several lines in quotes',
      check: checkLetterhead,
    },
    {
      name: 'sync-exclude',
      summary: 'Resources that svc sync and svc export leave out, such as "absences work-items.attachments"',
      check: checkNouns,
    },
  ];
}

function checkTimeZone(text: string): string {
  if (!isTimeZone(text)) throw new UsageError(`"${text}" is no time zone.`, { hint: 'Use an IANA name such as Europe/Amsterdam.' });
  return text;
}

function checkTimespan(text: string): string {
  parseTimespan(text);
  return text;
}

/** Names with one blank between them. Which there are is the organisation's, so that they are not looked up. */
function checkNouns(text: string): string {
  const nouns = [
    ...new Set(
      notEmpty(text)
        .trim()
        .split(/[\s,]+/),
    ),
  ];
  const strange = nouns.find((noun) => !/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)?$/.test(noun));
  if (strange !== undefined)
    throw new UsageError(`"${strange}" is not the name of a resource.`, {
      hint: 'For example: svc config set sync-exclude "absences contacts"',
    });
  return nouns.join(' ');
}

/** Lines without what is around them; more than a letterhead has room for is a slip, such as a whole file. */
function checkLetterhead(text: string): string {
  const lines = notEmpty(text)
    .trim()
    .split(/\s*\n\s*/);
  if (lines.length > 12)
    throw new UsageError(`A letterhead has 12 lines at most; this one has ${lines.length}.`, {
      hint: 'Give the name and the address alone.',
    });
  return lines.join('\n');
}

function oneOf(text: string, values: readonly string[]): string {
  if (!values.includes(text)) throw new UsageError(`"${text}" is not one of its values.`, { hint: `Allowed: ${values.join(', ')}.` });
  return text;
}

function notEmpty(text: string): string {
  if (text.trim() === '') throw new UsageError('The value is empty.', { hint: 'To remove a setting: svc config unset <name>' });
  return text;
}
