import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest } from '../../src/values/suggest.ts';

const nouns = [
  'worklogs',
  'work-items',
  'workflows',
  'workflow-statuses',
  'users',
  'sprints',
  'absences',
  'me',
  'list',
  'get',
  'login',
  'logout',
];

test.each([
  ['worklgos', 'worklogs'],
  ['wroklogs', 'worklogs'],
  ['workitems', 'work-items'],
  ['USER', 'users'],
  // Two swapped letters are one slip, and five letters allow no more.
  ['gte', 'get'],
  ['lst', 'list'],
  ['lsit', 'list'],
  ['logn', 'login'],
  ['abscences', 'absences'],
  ['absence', 'absences'],
  ['ne', 'me'],
])('svc answers the word %s with the suggestion %s', (word, noun) => {
  expect(nearest(word, nouns)).toBe(noun);
});

test.each(['', 'x', 'xyz', 'foo', 'customers', 'delete', 'zzzzzzzzzz'])('svc has no suggestion for %j', (word) => {
  expect(nearest(word, nouns)).toBeUndefined();
});

test.each([
  ['a', 'b', false],
  ['ab', 'xb', true],
  ['ab', 'xy', false],
  ['abc', 'xbc', true],
  ['abc', 'xyc', false],
  ['abcde', 'xbcde', true],
  ['abcde', 'xycde', false],
  ['abcdef', 'xycdef', true],
  ['abcdef', 'xyzdef', false],
  ['abcdefgh', 'xycdefgh', true],
  ['abcdefgh', 'xyzdefgh', false],
  ['abcdefghi', 'xyzdefghi', true],
  ['abcdefghi', 'wxyzefghi', false],
  // Letters that are left out or added are slips too, at either end.
  ['abcdefg', 'cdefg', true],
  ['abcdefg', 'defg', false],
  ['abcd', 'abcde', true],
  ['abcd', 'abcdef', false],
  // Two swapped letters are one slip, wherever they stand; letters that are apart are two.
  ['bac', 'abc', true],
  ['acb', 'abc', true],
  ['cba', 'abc', false],
  ['badcfe', 'abcdef', false],
  ['badcef', 'abcdef', true],
])('svc decides whether %s for %s is near enough for a suggestion (%s)', (word, candidate, near) => {
  expect(nearest(word, [candidate])).toBe(near ? candidate : undefined);
});

test.each(['', 'x', 'get'])('%j is the nearest word to itself', (word) => {
  expect(nearest(word, ['list', word.toUpperCase()])).toBe(word.toUpperCase());
});

test('svc suggests the first of equally near candidates', () => {
  expect(nearest('cart', ['card', 'part'])).toBe('card');
});

test('svc finds a word of four letters or more with one swapped pair', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{4,12}$/), fc.nat(), (word, seed) => {
      const at = seed % (word.length - 1);
      const swapped = word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
      expect(nearest(swapped, [word])).toBe(word);
      expect(nearest(word, [swapped, word])).toBe(word === swapped ? swapped : word);
    }),
  );
});
