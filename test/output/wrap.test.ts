import { describe, expect, test } from 'vitest';
import { wrap } from '../../src/output/wrap.ts';

describe('a text for a terminal', () => {
  test.each([
    ['a fitting text stays unchanged', 'What fits.', 10, 'What fits.'],
    ['lines break between words', 'Broken between words.', 14, 'Broken between\nwords.'],
    ['a long word has a line of its own', 'See https://acme.example.com there', 10, 'See\nhttps://acme.example.com\nthere'],
    ['existing line breaks stay', 'One\nTwo three', 9, 'One\nTwo three'],
    ['a command stays on one line', 'To change it: svc worklogs edit last', 25, 'To change it:\nsvc worklogs edit last'],
    ['a command ends with its sentence', 'Back: svc undo --host a.b.nl. Then go on.', 24, 'Back:\nsvc undo --host a.b.nl.\nThen go on.'],
    ['a long command has a line of its own', 'Type: svc worklogs edit last', 12, 'Type:\nsvc worklogs edit last'],
    ['svc in a sentence counts as a word', 'Here svc reads every row.', 12, 'Here svc\nreads every\nrow.'],
  ])('is wrapped so that %s', (_, text, width, lines) => {
    expect(wrap(text, width)).toBe(lines);
  });
});
