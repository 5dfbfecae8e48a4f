import { describe, expect, it } from 'vitest';
import { AnswerBody } from '../../src/system/answer-body.ts';

/** A body, and what it told its sender. */
function opened() {
  const told: string[] = [];
  const body = new AnswerBody({
    pause: () => void told.push('pause'),
    resume: () => void told.push('resume'),
    abort: () => void told.push('abort'),
  });
  return { body, told };
}

const piece = (size: number) => Buffer.alloc(size, 'a');

async function sizes(body: AnswerBody): Promise<number[]> {
  const all: number[] = [];
  for await (const { byteLength } of body) all.push(byteLength);
  return all;
}

describe('the body of an answer', () => {
  it('reaches a reader that waits, and a late reader', async () => {
    const { body } = opened();
    const read = sizes(body);
    body.push(piece(1));
    body.push(piece(2));
    body.end();
    expect(await read).toEqual([1, 2]);
    const late = opened();
    late.body.push(piece(3));
    late.body.end();
    expect(await sizes(late.body)).toEqual([3]);
  });

  it('pauses its sender while many bytes are unread', async () => {
    const { body, told } = opened();
    body.push(piece(40_000));
    expect(told).toEqual([]);
    body.push(piece(40_000));
    body.push(piece(40_000));
    expect(told).toEqual(['pause']);
    await body.next();
    await body.next();
    expect(told).toEqual(['pause']);
    await body.next();
    expect(told).toEqual(['pause', 'resume']);
  });

  it('returns the bytes before a failure, and then throws the failure at each read', async () => {
    const { body } = opened();
    body.push(piece(1));
    body.fail(new Error('cut off'));
    expect(await body.next()).toMatchObject({ done: false });
    await expect(body.next()).rejects.toThrow('cut off');
    await expect(body.next()).rejects.toThrow('cut off');
  });

  it('ends the wait of a reader with the failure', async () => {
    const { body } = opened();
    const read = body.next();
    body.fail(new Error('cut off'));
    await expect(read).rejects.toThrow('cut off');
  });

  it('closes its connection when the reader stops early, but not after the last byte', async () => {
    const { body, told } = opened();
    body.push(piece(1));
    body.push(piece(2));
    for await (const _ of body) break;
    expect(told).toEqual(['abort']);
    expect(await sizes(body)).toEqual([]);
    const whole = opened();
    whole.body.push(piece(1));
    whole.body.end();
    for await (const _ of whole.body) break;
    expect(whole.told).toEqual([]);
  });
});
