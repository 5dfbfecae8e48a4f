import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { createPlainPrompts } from '../../src/system/plain-prompts.ts';

/** A terminal in which each line is typed once the question that it answers is there. */
function typing(...lines: readonly string[]) {
  const stdin = new PassThrough();
  const left = [...lines];
  let shown = '';
  const stderr = new PassThrough();
  stderr.on('data', (piece: Buffer) => {
    shown += piece.toString();
    // A question ends in a blank, behind which is typed.
    if (!shown.endsWith(' ')) return;
    const next = left.shift();
    if (next === undefined) stdin.end();
    else stdin.write(next);
  });
  const prompts = createPlainPrompts(stdin as unknown as NodeJS.ReadStream, stderr as unknown as NodeJS.WriteStream);
  return { prompts, shown: () => shown };
}

const never = new AbortController().signal;
const CHOICES = ['Web shop', 'Webinar', 'Intranet'].map((name, index) => ({ name, value: `v${index + 1}` }));

it.each([
  ['yes\n', true],
  ['Y\n', true],
  ['n\n', false],
  ['NO\n', false],
  ['\n', false],
])('svc reads the answer %j to a yes-or-no question as %j', async (typed, answer) => {
  const { prompts, shown } = typing(typed);
  expect(await prompts.confirm('Delete this record?', never)).toBe(answer);
  expect(shown()).toBe('Delete this record? Type yes or no (Enter: no): ');
});

it('svc takes Enter as yes when yes is the default of the question', async () => {
  const { prompts, shown } = typing('\n');
  expect(await prompts.confirm('Use Web shop?', never, true)).toBe(true);
  expect(shown()).toBe('Use Web shop? Type yes or no (Enter: yes): ');
});

it('svc asks again until the answer is yes or no', async () => {
  const { prompts, shown } = typing('perhaps\n', 'yes\n');
  expect(await prompts.confirm('Send it?', never)).toBe(true);
  expect(shown()).toBe('Send it? Type yes or no (Enter: no): Type yes or no: ');
});

it.each([
  ['2\n', 'v2'],
  ['shop\n', 'v1'],
  ['INTRA\n', 'v3'],
])('svc picks one of several choices with %j, a number or a part of the name', async (typed, value) => {
  const { prompts, shown } = typing(typed);
  expect(await prompts.pick('Which project?', CHOICES, never)).toBe(value);
  expect(shown()).toBe('Which project?\n1. Web shop\n2. Webinar\n3. Intranet\nType a number, or a part of a name: ');
});

it('svc lists the matches of an ambiguous part with their numbers, and all choices after a wrong part', async () => {
  const { prompts, shown } = typing('9\n', '\n', 'inar\n');
  expect(await prompts.pick('Which?', CHOICES, never)).toBe('v2');
  expect(shown().match(/No name in the list matches\./g)).toHaveLength(2);
  const web = typing('web\n', '2\n');
  expect(await web.prompts.pick('Which?', CHOICES, never)).toBe('v2');
  expect(web.shown()).toContain('2 names match.\n1. Web shop\n2. Webinar\nType');
});

it('svc lists at most twenty choices, and finds an unlisted choice by name or number', async () => {
  const many = Array.from({ length: 50 }, (_, index) => ({ name: `Item ${index + 1}x`, value: String(index + 1) }));
  const { prompts, shown } = typing('47x\n', '33\n');
  expect(await prompts.pick('Which?', many, never)).toBe('47');
  expect(shown()).toContain('\n20. Item 20x\nThe list leaves out 30 more.\n');
  expect(await prompts.pick('Which?', many, never)).toBe('33');
});

it('svc lists twenty choices completely', async () => {
  const twenty = Array.from({ length: 20 }, (_, index) => ({ name: `Item ${index + 1}`, value: String(index + 1) }));
  const { prompts, shown } = typing('20\n');
  expect(await prompts.pick('Which?', twenty, never)).toBe('20');
  expect(shown()).toContain('\n20. Item 20\nType a number');
});

it('svc searches for a typed text that no choice contains, and reports a failed search', async () => {
  const asked: string[] = [];
  const { prompts, shown } = typing('g\n', 'Garden\n', '4\n');
  const more = async (typed: string) => {
    asked.push(typed);
    return [
      { name: 'Garden shed', value: 'v4' },
      { name: 'Garden gate', value: 'v5' },
    ];
  };
  expect(await prompts.pick('Which?', CHOICES, never, more)).toBe('v4');
  expect(asked).toEqual(['garden']);
  expect(shown()).toContain('2 names match.\n4. Garden shed\n5. Garden gate\n');
  const broken = typing('garden\n', '1\n');
  expect(await broken.prompts.pick('Which?', CHOICES, never, () => Promise.reject(new Error('No answer.')))).toBe('v1');
  expect(broken.shown()).toContain('No answer.\n1. Web shop\n');
});

it('svc asks simultaneous questions one after the other', async () => {
  const { prompts, shown } = typing('1\n', 'yes\n', 'a text \n');
  const answers = await Promise.all([
    prompts.pick('Which?', CHOICES, never),
    prompts.confirm('Sure?', never),
    prompts.line('Text:', never),
  ]);
  expect(answers).toEqual(['v1', true, 'a text']);
  expect(shown()).toMatch(/^Which\?.*name: Sure\?.*no\): Text: $/s);
});

it('svc shows no character of a typed secret', async () => {
  const { prompts, shown } = typing('pat_secret\r');
  expect(await prompts.secret('Token:', never)).toBe('pat_secret');
  expect(shown()).toBe('Token: The terminal does not show your text: \n');
});

it.each(['confirm', 'secret', 'line'] as const)('svc ends a %s question at the end of input or at an interrupt', async (kind) => {
  await expect(typing().prompts[kind]('?', never)).rejects.toThrow(InterruptedError);
  const stop = new AbortController();
  stop.abort();
  await expect(typing('yes\n').prompts[kind]('?', stop.signal)).rejects.toThrow(InterruptedError);
});
