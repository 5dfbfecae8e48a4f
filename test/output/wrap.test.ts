import { describe, expect, test } from 'vitest';
import { wrap } from '../../src/output/wrap.ts';

describe('a text for a terminal', () => {
  test.each([
    ['what fits stays', 'What fits.', 10, 'What fits.'],
    ['it breaks between words', 'Broken between words.', 14, 'Broken between\nwords.'],
    ['a word that is too long has a line', 'See https://acme.example.com there', 10, 'See\nhttps://acme.example.com\nthere'],
    ['its own lines stay', 'One\nTwo three', 9, 'One\nTwo three'],
    ['a command stays whole', 'To change it: svc worklogs edit last', 25, 'To change it:\nsvc worklogs edit last'],
    ['up to the end of its sentence', 'Back: svc undo --host a.b.nl. Then go on.', 24, 'Back:\nsvc undo --host a.b.nl.\nThen go on.'],
    ['a command that fits nowhere has a line of its own', 'Type: svc worklogs edit last', 12, 'Type:\nsvc worklogs edit last'],
    ['svc in a sentence is a word', 'Here svc reads every row.', 12, 'Here svc\nreads every\nrow.'],
  ])('is wrapped: %s', (_, text, width, lines) => {
    expect(wrap(text, width)).toBe(lines);
  });
});
