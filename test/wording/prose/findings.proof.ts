import { describe, expect, it } from 'vitest';
import { proseFindings } from './lint.ts';
import { TERMS } from './terms.ts';

// Each kind of sentence that docs/contributing/style.md refuses is found; prose.proof.ts checks the whole project.

describe('the prose linter', () => {
  it.each([
    ['“mirror” for local database', 'The mirror is exact.'],
    ['“noun” for resource', 'The noun decides.'],
    ['“knob” for option', 'Turn this knob.'],
    ['“settle” for resolve', 'The next run settles it.'],
    ['“take back” for undo', 'Then take it back.'],
    ['“gone” for deleted', 'The record is gone.'],
    ['“mend” for fix', 'Run it to mend the file.'],
    ['“start anew” for restart', 'It starts anew.'],
    ['“go on” for continue', 'The next run goes on.'],
    ['“personal token” for personal access token', 'Make a personal token.'],
    ['“may not” for must not', 'You may not delete it.'],
    ['a sentence that names nobody', 'Whatever the service sends is stored.'],
    ['a clause without a subject at the start', 'What the service did not send is unknown.'],
    ['more than twenty words', `${'word '.repeat(21)}.`],
    ['a long item of a list', `- ${'word '.repeat(21)}`],
    ['a long cell of a table', `| a |\n|---|\n| ${'word '.repeat(21)}|`],
  ])('refuses %s', async (_, text) => {
    expect(await proseFindings(text)).not.toEqual([]);
  });

  it.each([
    'Each table says when it was last complete.',
    'What does svc send? It sends one request.',
    'Run `svc noun mirror --whatever` to see the `knob`.',
    `Read [the page](whoever/mend.md) about \`${'word '.repeat(30)}\`.`,
    '    svc undo takes back the mirror',
  ])('accepts %j', async (text) => {
    expect(await proseFindings(text)).toEqual([]);
  });

  it('names each pattern only once', () => {
    expect(new Set(TERMS.map(([pattern]) => pattern)).size).toBe(TERMS.length);
  });
});
