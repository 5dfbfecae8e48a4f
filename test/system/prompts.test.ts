import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { createPrompts } from '../../src/system/prompts.ts';

const never = new AbortController().signal;
const CHOICES = ['Web shop', 'Webinar', 'Intranet'].map((name, index) => ({ name, value: `v${index + 1}` }));

/** A terminal in which each text is typed once the screen has the word before it. */
function typing(...steps: readonly (readonly [word: string, typed: string])[]) {
  const stdin = new PassThrough();
  const left = [...steps];
  let shown = '';
  // A terminal stays open after the end of a question.
  const stderr = Object.assign(new PassThrough(), { end: () => undefined });
  stderr.on('data', (piece: Buffer) => {
    shown += stripVTControlCharacters(piece.toString());
    const [word, typed] = left[0] ?? [];
    if (word === undefined || !shown.includes(word)) return;
    left.shift();
    setImmediate(() => stdin.write(typed));
  });
  const prompts = createPrompts(stdin as unknown as NodeJS.ReadStream, stderr as unknown as NodeJS.WriteStream);
  return { prompts, stdin, shown: () => shown };
}

describe('a question at the terminal', () => {
  it.each([
    ['y\r', false, true],
    ['n\r', true, false],
    ['\r', false, false],
    ['\r', true, true],
  ])('takes the keys %j with the default %s as %s', async (typed, byDefault, answer) => {
    const { prompts, stdin } = typing(['Delete?', typed]);
    expect(await prompts.confirm('Delete?', never, byDefault)).toBe(answer);
    expect(stdin.listenerCount('keypress')).toBe(0);
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
    ['Esc', '\u001b'],
  ])('ends with an interrupt after %s', async (_, key) => {
    const { prompts } = typing(['Name?', `ad${key}`]);
    await expect(prompts.line('Name?', never)).rejects.toThrow(InterruptedError);
  });

  it('ends with an interrupt when svc stops', async () => {
    const stop = new AbortController();
    const { prompts } = typing(['Name?', 'ad']);
    const answer = prompts.line('Name?', stop.signal);
    stop.abort();
    await expect(answer).rejects.toThrow(InterruptedError);
  });

  it('takes each letter as text, and other control keys as edits', async () => {
    const { prompts } = typing(['Name?', 'dead\u0001d\u0005e\r']);
    expect(await prompts.line('Name?', never)).toBe('ddeade');
  });

  it('shows no character of a secret', async () => {
    const { prompts, shown } = typing(['Token?', 'svc_secret\r']);
    expect(await prompts.secret('Token?', never)).toBe('svc_secret');
    expect(shown()).not.toMatch(/secret|\*/);
  });

  it('appears after the answer to an earlier question', async () => {
    const { prompts, shown } = typing(['First?', 'one\r'], ['Second?', 'two\r']);
    expect(await Promise.all([prompts.line('First?', never), prompts.line('Second?', never)])).toEqual(['one', 'two']);
    expect(shown().indexOf('Second?')).toBeGreaterThan(shown().lastIndexOf('one'));
  });
});

describe('a choice at the terminal', () => {
  it.each([
    ['WEBI', 'Webinar', 'v2'],
    [' intra ', 'Intranet', 'v3'],
  ])('is the one that contains the typed text %j: %s', async (typed, _, value) => {
    const { prompts } = typing(['Intranet', typed], [typed.trim(), '\r']);
    expect(await prompts.pick('Which project?', CHOICES, never)).toBe(value);
  });

  it('comes from a search for two letters or more, if few names fit', async () => {
    const searched: string[] = [];
    const more = async (text: string) => {
      searched.push(text);
      return [{ name: 'Garden shed', value: 'v4' }];
    };
    const { prompts } = typing(['Intranet', 'ga'], ['Garden shed', '\r']);
    expect(await prompts.pick('Which project?', CHOICES, never, more)).toBe('v4');
    expect(searched).toEqual(['ga']);
  });
});
