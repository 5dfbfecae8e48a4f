import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { parseTimespan } from '../../src/values/duration.ts';
import { parseMoney } from '../../src/values/money.ts';
import {
  parseBoolean,
  parseCoordinate,
  parseDecimal,
  parseId,
  parseInteger,
  parsePercentage,
  parseTimeOfDay,
  parseUser,
  parseWorkItem,
} from '../../src/values/scalars.ts';

/** One parser: what it reads, and what it refuses. */
const parsers: readonly [string, (text: string) => unknown, readonly (readonly [string, unknown])[], readonly string[]][] = [
  [
    'money',
    parseMoney,
    [
      ['12', '12.00'],
      ['12.5', '12.50'],
      [' 12.50 ', '12.50'],
      ['-3.2', '-3.20'],
      ['007.5', '7.50'],
      ['-0', '0.00'],
      ['-0.00', '0.00'],
      ['-0.01', '-0.01'],
      // Beyond what a floating-point number holds.
      ['12345678901234567890.1', '12345678901234567890.10'],
    ],
    ['12.505', '12,50', '1e3', '€12', '12.', '.5', '', '1 000', '--1', '+1', 'NaN', 'Infinity', '0x10'],
  ],
  [
    'decimal',
    parseDecimal,
    [
      ['12.500', '12.500'],
      ['-0.1', '-0.1'],
    ],
    ['1e3', '1,5', '', '.5', '1 000'],
  ],
  [
    'coordinate',
    parseCoordinate,
    [
      ['52.3702157', 52.3702157],
      ['-180', -180],
      ['180', 180],
    ],
    ['52.37021571', '181', '-181', '180.0000001', '52°', ''],
  ],
  [
    'percentage',
    parsePercentage,
    [
      ['21', 21],
      ['0%', 0],
      ['100 %', 100],
    ],
    ['101', '-1', '0.21', '21.5', '', '%'],
  ],
  [
    'time of day',
    parseTimeOfDay,
    [
      ['9:15', '09:15'],
      ['23:59', '23:59'],
      ['00:00', '00:00'],
    ],
    ['24:00', '9:60', '9', '915', '9am', '9:5', ''],
  ],
  [
    'integer',
    parseInteger,
    [
      ['25', 25],
      ['-3', -3],
      ['-0', 0],
      ['+7', 7],
      ['9007199254740991', Number.MAX_SAFE_INTEGER],
      ['-9007199254740991', Number.MIN_SAFE_INTEGER],
    ],
    ['2.5', '1e3', '0x10', '9007199254740992', '-9007199254740992', '', ' ', 'ten'],
  ],
  [
    'integer in a range',
    (text) => parseInteger(text, { min: 1, max: 100 }),
    [
      ['1', 1],
      ['100', 100],
    ],
    ['0', '101'],
  ],
  [
    'id',
    parseId,
    [
      ['12', 12],
      ['012', 12],
      ['1', 1],
      ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ],
    ['0', '-1', '+1', '9007199254740992', 'ABC-12', ''],
  ],
  [
    'boolean',
    parseBoolean,
    [
      ['true', true],
      ['YES', true],
      [' y ', true],
      ['false', false],
      ['No', false],
      ['n', false],
    ],
    ['1', '0', 'maybe', ''],
  ],
  [
    'work item',
    parseWorkItem,
    [
      ['4711', { kind: 'id', id: 4711 }],
      ['1', { kind: 'id', id: 1 }],
      ['9007199254740991', { kind: 'id', id: Number.MAX_SAFE_INTEGER }],
      ['ABC-12', { kind: 'key', key: 'ABC-12' }],
      ['a1b-7', { kind: 'key', key: 'A1B-7' }],
    ],
    ['ABC', 'ABC-', '-12', '1A-2', 'ABC-12-3', '0', '9007199254740992', 'ÄB-1', 'ß-1', '../x', ''],
  ],
  [
    'user',
    parseUser,
    [
      ['me', 'me'],
      ['ME', 'me'],
      ['7', 7],
      ['1', 1],
      ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ],
    ['you', '0', '-7', '7.5', '9007199254740992', ''],
  ],
  [
    'timespan',
    parseTimespan,
    [
      ['30', 30_000],
      ['30s', 30_000],
      ['5m', 300_000],
      ['1h', 3_600_000],
      ['250ms', 250],
      ['1m30s', 90_000],
      ['1h 30m', 5_400_000],
      ['1.5m', 90_000],
      ['0.25', 250],
      ['0', 0],
      // 1.001 * 1000 is 1000.9999999999999 in floating point.
      ['1.001s', 1001],
      ['1.5m 0.5h', 1_890_000],
      ['2147483647ms', 2_147_483_647],
    ],
    ['', 'm', '5x', '-5s', '1.0001s', '0.000000001s', '2147483648ms', '9'.repeat(50), '0.5ms', '25d', '9999h', '5 5', '5s5', '1,5s'],
  ],
];

describe.each(parsers)('the value type %s', (_name, parse, accepted, refused) => {
  test.each(accepted)('reads %j as %j', (text, value) => {
    expect(parse(text)).toEqual(value);
  });
  test.each(refused)('refuses %j, and names the allowed values', (text) => {
    expect(() => parse(text)).toThrow(UsageError);
    try {
      parse(text);
    } catch (error) {
      expect(error).toMatchObject({ message: expect.stringContaining(`"${text}"`), hint: expect.stringMatching(/^(Write|Give|An id)/) });
    }
  });
});

test.each([
  [undefined, '"ten" is not a whole number.'],
  [{ min: 1 }, '"ten" is not a whole number of at least 1.'],
  [{ min: 1, max: 100 }, '"ten" is not a whole number from 1 to 100.'],
])('the error for a value that is not a whole number names the allowed range, if any: %j', (range, message) => {
  expect(() => parseInteger('ten', range)).toThrow(expect.objectContaining({ message }));
});
