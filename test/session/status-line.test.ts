import { expect, it } from 'vitest';
import { createStatusLine } from '../../src/session/status-line.ts';

function line(hearing: Promise<boolean>) {
  let written = '';
  let now = 0;
  const output = {
    isTTY: true,
    columns: 20,
    rows: 24,
    async write(text: string) {
      written += text;
    },
    writeData: () => Promise.reject(new Error('A line at the bottom is no data.')),
    async overwrite(text: string) {
      written += `\r\u001b[K${text}`;
    },
  };
  const status = createStatusLine(output, false, { accessible: () => hearing, clock: { monotonic: () => now } });
  return {
    status,
    written: () => written,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

it('the status line prints the progress for a screen reader every ten seconds, in whole lines', async () => {
  const hearing = Promise.resolve(true);
  const { status, written, pass } = line(hearing);
  for (let second = 0; second <= 25; second += 1) {
    status.show(`${second} rows, and more than twenty letters`);
    await hearing;
    pass(1000);
  }
  status.clear();
  expect(written().split('\n')).toEqual([0, 10, 20].map((second) => `${second} rows, and more than twenty letters`).concat(''));
});

it('the status line never draws a text that was cleared before the first drawing', async () => {
  const hearing = Promise.withResolvers<boolean>();
  const { status, written } = line(hearing.promise);
  status.show('1 row');
  status.clear();
  hearing.resolve(false);
  await hearing.promise;
  expect(written()).toBe('');
  status.show('2 rows');
  expect(written()).toBe('\r\u001b[K2 rows');
});
