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
  // Two swapped letters are one slip, and three letters allow no more.
  ['gte', 'get'],
  ['lst', 'list'],
  ['lsit', 'list'],
  ['logn', 'login'],
  ['abscences', 'absences'],
  ['absence', 'absences'],
  ['ne', 'me'],
])('%s is near %s', (word, noun) => {
  expect(nearest(word, nouns)).toBe(noun);
});

test.each(['', 'x', 'xyz', 'foo', 'customers', 'delete', 'zzzzzzzzzz'])('nothing is near %j', (word) => {
  expect(nearest(word, nouns)).toBeUndefined();
});

test('of equals the first is named', () => {
  expect(nearest('cart', ['card', 'part'])).toBe('card');
});

test('one swap in a word of four letters or more is always found, and the word itself wins', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{4,12}$/), fc.nat(), (word, seed) => {
      const at = seed % (word.length - 1);
      const swapped = word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
      expect(nearest(swapped, [word])).toBe(word);
      expect(nearest(word, [swapped, word])).toBe(word === swapped ? swapped : word);
    }),
  );
});
