import { isAbsolute } from 'node:path';
import { UsageError } from '../errors.ts';
import { isDatabaseAddress, isOtherAddress, parseHost, withoutPassword } from '../values/addresses.ts';
import { isTimeZone } from '../values/dates.ts';
import { parseTimespan } from '../values/duration.ts';
import { parseBoolean, parseInteger } from '../values/scalars.ts';
import { DEFAULT_ACCOUNT, parseAccount, signInName, splitSignIn } from '../values/sign-in-names.ts';

export interface Setting {
  readonly name: SettingName;
  readonly summary: string;
  /**
   * Checks the text of a setting.
   *
   * @returns the form that svc stores.
   * @throws UsageError for an invalid text.
   */
  readonly check: (text: string) => string;
}

export type SettingName =
  | 'host'
  | 'accounts'
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
  | 'database'
  | 'accessible'
  | 'report-letterhead'
  | 'sync-exclude';

export type Settings = Readonly<Partial<Record<SettingName, string>>>;

/**
 * Returns every setting, in the order of `svc config list`.
 *
 * @param formats The values of `--output`.
 */
export function settingsTable(formats: readonly string[]): readonly Setting[] {
  return [
    { name: 'host', summary: 'The default organisation', check: (text) => parseHost(text).name },
    { name: 'accounts', summary: 'Your default account on each host, such as "work@acme.example.com"', check: checkAccounts },
    {
      name: 'output',
      summary: `The output format, at a terminal and in pipes: ${formats.join(', ')}`,
      check: (text) => oneOf(text, formats),
    },
    { name: 'timezone', summary: 'Your time zone if your user record has none, such as Europe/Amsterdam', check: checkTimeZone },
    { name: 'pager', summary: 'The command for output that is longer than the screen; "cat" for none (default: less)', check: notEmpty },
    { name: 'browser', summary: 'The command that opens an address', check: notEmpty },
    { name: 'editor', summary: 'The command that edits a file', check: notEmpty },
    { name: 'max-wait', summary: 'The longest wait for the rate limit, such as 5m', check: checkTimespan },
    { name: 'timeout', summary: 'The longest wait for one request, such as 30s', check: checkTimespan },
    {
      name: 'parallel',
      summary: 'The number of connections, 1 to 8 (default: 8)',
      check: (text) => String(parseInteger(text, { min: 1, max: 8 })),
    },
    {
      name: 'keychain-wait',
      summary: 'The longest wait for a locked keychain, such as 1m (default: 3s)',
      check: checkTimespan,
    },
    { name: 'read-only', summary: 'true: svc sends no writes', check: (text) => String(parseBoolean(text)) },
    {
      name: 'outbox',
      summary: 'offline: without a connection, svc stores new records for svc outbox send; off: the command fails',
      check: (text) => oneOf(text, ['offline', 'off']),
    },
    {
      name: 'offline',
      summary: 'true: svc answers from the local database (svc sync), and sends nothing',
      check: (text) => String(parseBoolean(text)),
    },
    {
      name: 'database',
      summary: 'The team database for commands that only read: postgres://… or a file',
      check: checkDatabase,
    },
    {
      name: 'accessible',
      summary: 'on: output for a screen reader, with a line for each field, plain questions and no redrawing',
      check: (text) => (text === 'on' || text === 'off' ? text : parseBoolean(text) ? 'on' : 'off'),
    },
    {
      name: 'report-letterhead',
      summary: 'Your name and address on the pages of svc report --for; put several lines in quotes',
      check: checkLetterhead,
    },
    {
      name: 'sync-exclude',
      summary: 'Resources that svc sync and svc export leave out, such as "absences work-items.attachments"',
      check: checkResources,
    },
  ];
}

/**
 * Returns the address of a team database. Refuses a password, because other users of the machine can possibly read the settings.
 *
 * @throws UsageError for a password, a relative path, an empty text, and an address of another kind.
 */
function checkDatabase(text: string): string {
  if (isOtherAddress(notEmpty(text)) || withoutPassword(text) !== text)
    throw new UsageError('svc stores no password, and reads only SQLite files and PostgreSQL.', {
      hint: 'For example: postgres://user@host/database, with the password in ~/.pgpass',
    });
  if (!isDatabaseAddress(text) && !isAbsolute(text))
    throw new UsageError('The path of a team database must be absolute.', { hint: 'Start the path with / or a drive.' });
  return text;
}

/** Returns the names of sign-ins with one space between two names. */
function checkAccounts(text: string): string {
  const names = notEmpty(text)
    .trim()
    .split(/[\s,]+/)
    .map(splitSignIn)
    .map(({ host, account = '' }) => signInName({ name: parseHost(host).name, account: parseAccount(account) ?? DEFAULT_ACCOUNT }));
  return names.join(' ');
}

function checkTimeZone(text: string): string {
  if (!isTimeZone(text)) throw new UsageError(`"${text}" is not a time zone.`, { hint: 'Use an IANA name such as Europe/Amsterdam.' });
  return text;
}

function checkTimespan(text: string): string {
  parseTimespan(text);
  return text;
}

/**
 * Returns the names of resources with one space between two names. Checks only the form of a name, because each organisation has its own
 * resources.
 */
function checkResources(text: string): string {
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

/** Trims the lines of a letterhead. @throws UsageError for more than 12 lines, because the text is then probably a whole file. */
function checkLetterhead(text: string): string {
  const lines = notEmpty(text)
    .trim()
    .split(/\s*\n\s*/);
  if (lines.length > 12)
    throw new UsageError(`A letterhead has at most 12 lines; this letterhead has ${lines.length}.`, {
      hint: 'Write only the name and the address.',
    });
  return lines.join('\n');
}

function oneOf(text: string, values: readonly string[]): string {
  if (!values.includes(text)) throw new UsageError(`"${text}" is not an allowed value.`, { hint: `Allowed: ${values.join(', ')}.` });
  return text;
}

function notEmpty(text: string): string {
  if (text.trim() === '') throw new UsageError('The value is empty.', { hint: 'To remove a setting: svc config unset <name>' });
  return text;
}
