import type { Field, FieldKind, Filter, FilterOperator } from '../catalog/define.ts';
import { isNameable } from '../catalog/rules.ts';
import { naming } from '../cli/naming.ts';
import { UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { inZone } from '../session/time-zone.ts';
import { type DateContext, isBareDay, lookingAhead, parseCalendarDate, parseDateTime, parseRangeEnd } from '../values/dates.ts';
import { parseDuration } from '../values/duration.ts';
import { assertNotTooDeep, type JsonValue, jsonIn } from '../values/json.ts';
import { parseMoney } from '../values/money.ts';
import {
  parseBoolean,
  parseCoordinate,
  parseDecimal,
  parseId,
  parseInteger,
  parseNumber,
  parsePercentage,
  parseTimeOfDay,
  parseUser,
} from '../values/scalars.ts';
import { hasOnlyDigits, quote } from '../values/text.ts';
import type { FindingByName } from './find-by-name.ts';
import { ownId, ownUserId } from './me.ts';
import type { UserRef } from './people.ts';
import { workItemId } from './work-items.ts';

export type ReadingValues = 'account' | 'client' | 'dates' | 'globals' | 'notifyOnce' | FindingByName;

export type ValueOf = Pick<Field, 'kind' | 'ref' | 'values' | 'items' | 'ahead'>;

export async function readBodyValue(
  context: Needs<ReadingValues>,
  { kind, items, ref, values, ahead }: ValueOf,
  text: string,
): Promise<JsonValue> {
  switch (kind) {
    case 'id':
      return referenceId(context, ref, text, true);
    case 'user': {
      const user = userOf(text);
      if (user === undefined) return referenceId(context, 'users', text, true);
      return user === 'me' ? ownUserId(context) : user;
    }
    case 'work-item':
      return workItemId(context, text);
    case 'date':
      return inZone(context, (dates) => parseCalendarDate(text, ahead ? lookingAhead(dates) : dates));
    case 'date-time':
      return inZone(context, (dates) => parseDateTime(text, dates));
    case 'span-end':
      return inZone(context, (dates) => parseRangeEnd(text, dates));
    case 'json':
      return items === undefined || items === 'json' || /^\s*[[{]/.test(text)
        ? readJson(text, items === undefined ? '{"a": 1}' : '[{"a": 1}]')
        : Promise.all(
            text
              .split(',')
              .map((part) => part.trim())
              .filter((part) => part !== '')
              .map((part) => readBodyValue(context, { kind: items, ...(ref && { ref }), ...(values && { values }) }, part)),
          );
    case 'enum':
      return enumValue(values, text);
    default:
      return SCALARS[kind](text);
  }
}

/** The parsers of the kinds whose text has the same meaning for everybody. */
const SCALARS = {
  integer: parseInteger,
  time: parseTimeOfDay,
  duration: parseDuration,
  money: parseMoney,
  decimal: parseDecimal,
  number: parseNumber,
  percentage: parsePercentage,
  coordinate: parseCoordinate,
  boolean: parseBoolean,
  string: (text: string) => text,
  html: (text: string) => text,
  markdown: (text: string) => text,
} as const;

/** Returns the enum value that a text names. The text may have blanks: `pending approval` becomes `pending_approval`. */
function enumValue(values: readonly string[] = [], text: string): string {
  const plain = (value: string) =>
    value
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, '_');
  if (!/\s/.test(text.trim()) || values.includes(text)) return text;
  return values.find((value) => plain(value) === plain(text)) ?? plain(text);
}

/**
 * Returns the id of the record that a text names. For a resource without names, the text must be an id. @param isDescribed true if a dry
 * run shows a placeholder instead of sending a request.
 */
async function referenceId(
  context: Needs<FindingByName | 'globals' | 'notifyOnce'>,
  noun: string | undefined,
  text: string,
  isDescribed = false,
): Promise<number | string> {
  const resource = hasOnlyDigits(text) || noun === undefined ? undefined : await context.catalog.find(noun);
  if (resource === undefined || !isNameable(resource) || text.trim() === '') return parseId(text);
  if (context.globals.dryRun && isDescribed) return (await import('./placeholder-id.ts')).placeholderId(context, text);
  const { idByName } = await import('./find-by-name.ts');
  return (await idByName(context, resource, text)).id;
}

function userOf(text: string): number | 'me' | undefined {
  return hasOnlyDigits(text) || text.trim() === '' || text.trim().toLowerCase() === 'me' ? parseUser(text) : undefined;
}

/** Converts an id, a name or an e-mail address to the id of a user. `me` stays `me`. @throws UsageError for any other text. */
export async function readUser(context: Needs<FindingByName | 'globals' | 'notifyOnce'>, text: string): Promise<UserRef> {
  return userOf(text) ?? Number(await referenceId(context, 'users', text));
}

export async function readReference(context: Needs<FindingByName | 'globals' | 'notifyOnce'>, noun: string, text: string): Promise<number> {
  return Number(await referenceId(context, noun, text));
}

/** Reads the value of a flag that names a record, such as `--project`. Undefined without the flag. @throws UsageError */
export async function readReferenceFlag(
  context: Needs<FindingByName | 'globals' | 'notifyOnce'>,
  flag: string,
  noun: string,
  typed: string | undefined,
): Promise<number | undefined> {
  return typed === undefined ? undefined : naming(flag, () => readReference(context, noun, typed));
}

export function clears(text: string): boolean {
  return text === 'null' || text === 'none';
}

/** The kinds for which any text is a value, even `none`. */
export const TEXT_KINDS: ReadonlySet<FieldKind> = new Set(['string', 'html', 'markdown', 'enum']);

/**
 * Reads the value of a filter. For a date-time field, a day means its first second. With `lte` and `gt`, a day means its last second.
 * @throws UsageError for an invalid value, and for a day in a date-time field without an operator.
 */
export async function readFilterValue(
  context: Needs<ReadingValues>,
  filter: ValueOf & Pick<Filter, 'takesMe'>,
  operator: FilterOperator | undefined,
  text: string,
): Promise<string> {
  const { kind, takesMe } = filter;
  if (operator === 'null') return String(parseBoolean(text));
  if (operator === 'in') return readList(context, filter, text);
  if (clears(text) && !TEXT_KINDS.has(kind))
    throw new UsageError(`${quote(text)} is not a value that a filter can have.`, {
      hint: 'For records without a value: --filter <field>.null=true',
    });
  switch (kind) {
    case 'id':
      return String(await referenceId(context, filter.ref, text, true));
    case 'user': {
      const user = userOf(text);
      if (user === undefined) return String(await referenceId(context, 'users', text, true));
      // The service documents the word `me` for one filter only (rules 9.26, 18.25).
      return String(user === 'me' && !takesMe ? await ownUserId(context) : user);
    }
    case 'date-time':
    case 'span-end':
      return inZone(context, (dates) => readTimestamp(operator, text, dates));
    case 'string':
    case 'html':
    case 'markdown':
    case 'json':
      return text;
    default:
      return String(await readBodyValue(context, filter, text));
  }
}

/** Reads a comma-separated list of at most 100 values (rule 8.30). `me` becomes an id, because the word is not documented in lists. */
async function readList(
  context: Needs<ReadingValues>,
  { takesMe: _, ...filter }: ValueOf & Pick<Filter, 'takesMe'>,
  text: string,
): Promise<string> {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > 100)
    throw new UsageError(`A list has at most 100 values; this list has ${parts.length}.`, {
      hint: 'Split the list over several commands.',
    });
  const values = await Promise.all(parts.map((part) => readFilterValue(context, filter, undefined, part)));
  return values.join(',');
}

function readTimestamp(operator: FilterOperator | undefined, text: string, dates: DateContext): string {
  if (operator === 'lte' || operator === 'gt') return parseRangeEnd(text, dates);
  if (operator === undefined && isBareDay(text, dates)) {
    throw new UsageError(`${quote(text)} is a day, and this filter needs a time.`, {
      hint: `For the whole day, use two filters: .gte=${text} and .lte=${text} (or .lt= with the next day).`,
    });
  }
  return parseDateTime(text, dates);
}

function readJson(text: string, example: string): JsonValue {
  assertNotTooDeep(text, 'The value');
  const value = jsonIn(text);
  if (value === undefined) throw new UsageError('The value is not JSON.', { hint: `Quote the value for the shell: '${example}'` });
  return value;
}

/** Reads ids, `me`, names or e-mail addresses, without duplicates. svc reads the users once for all names. @throws UsageError */
export async function readUserList(context: Needs<ReadingValues>, parts: readonly string[]): Promise<readonly number[]> {
  const users = await context.catalog.of('users');
  const { idByName, readingOf } = await import('./find-by-name.ts');
  const reading = readingOf(context, users);
  const ids: number[] = [];
  for (const part of parts) {
    const isName = !/^(?:\d*|me)$/i.test(part);
    const user = isName ? (await idByName(context, users, part, undefined, reading)).id : await readUser(context, part);
    ids.push(user === 'me' ? await ownId(context) : user);
  }
  return [...new Set(ids)];
}
