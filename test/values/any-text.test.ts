import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { parseFilterExpression, parseRawField, parseTypedField } from '../../src/values/assignment.ts';
import { formatDuration, parseDuration, parseTimespan } from '../../src/values/duration.ts';
import { parseMoney } from '../../src/values/money.ts';
import {
  parseBoolean,
  parseId,
  parseInteger,
  parsePercentage,
  parseTimeOfDay,
  parseUser,
  parseWorkItem,
} from '../../src/values/scalars.ts';
import { quote } from '../../src/values/text.ts';

/** A parser, and what must hold of everything it accepts. */
const parsers: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => parseDuration(formatDuration(parseDuration(text))) === parseDuration(text),
  money: (text) => /^-?\d+\.\d\d$/.test(parseMoney(text)) && parseMoney(parseMoney(text)) === parseMoney(text),
  percentage: (text) => Number.isInteger(parsePercentage(text)) && parsePercentage(text) >= 0 && parsePercentage(text) <= 100,
  'time of day': (text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(parseTimeOfDay(text)),
  integer: (text) => Number.isSafeInteger(parseInteger(text)) && parseInteger(String(parseInteger(text))) === parseInteger(text),
  id: (text) => Number.isSafeInteger(parseId(text)) && parseId(text) > 0,
  boolean: (text) => parseBoolean(String(parseBoolean(text))) === parseBoolean(text),
  'work item': (text) => {
    const item = parseWorkItem(text);
    return /^(\d+|[A-Z][A-Z0-9]*-[0-9]+)$/.test(item.kind === 'id' ? String(item.id) : item.key);
  },
  user: (text) => parseUser(String(parseUser(text))) === parseUser(text),
  timespan: (text) => Number.isSafeInteger(parseTimespan(text)) && parseTimespan(`${parseTimespan(text)}ms`) === parseTimespan(text),
  filter: (text) => text.trimStart().startsWith(parseFilterExpression(text).field) && text.endsWith(parseFilterExpression(text).value),
  'raw field': (text) => parseRawField(text).path.length > 0,
  'typed field': (text) => parseTypedField(text).path.length > 0,
};

/** Mostly pieces that one parser or another knows, so that many texts are nearly right. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '0',
        '1',
        '30',
        '90',
        '007',
        '.',
        ',',
        ':',
        '-',
        '+',
        ' ',
        '%',
        'h',
        'm',
        's',
        'ms',
        'me',
        'ABC',
        'yes',
        '=',
        'a',
        '[',
        ']',
        '[]',
        '@',
        'e9',
        '\n',
        '９',
      ),
      {
        maxLength: 7,
      },
    )
    .map((parts) => parts.join('')),
);

test.each(Object.entries(parsers))(
  'the parser of %s returns a valid value for any text, or refuses the text with a hint',
  (_name, holds) => {
    fc.assert(
      fc.property(text, (typed) => {
        try {
          return holds(typed);
        } catch (error) {
          return error instanceof UsageError && (error.hint ?? '') !== '' && !/[\r\n]/.test(error.message);
        }
      }),
      { numRuns: 1000 },
    );
  },
);

test('a quoted text has at most 60 characters, on one line', () => {
  expect(quote('a\nb')).toBe('"a b"');
  expect(quote('😀'.repeat(100))).toBe(`"${'😀'.repeat(59)}…"`);
});
