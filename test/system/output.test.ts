import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const WRITER = fileURLToPath(new URL('fixtures/write-output.ts', import.meta.url));

const expected = (pieces: number, bytes: number) =>
  Array.from({ length: pieces }, (_, piece) => `${String(piece).padEnd(bytes - 1, '.')}\n`).join('');

function write(pieces: number, bytes: number, stdout: 'pipe' | number = 'pipe') {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', WRITER, String(pieces), String(bytes)], {
    stdio: ['ignore', stdout, 'pipe'],
  });
}

// Below, around and beyond what is written at once; small pieces that become large together.
it.each([
  [1, 10],
  [1, 8 * 1024],
  [1, 8 * 1024 + 1],
  [100, 1000],
  [3, 300_000],
])('%i pieces of %i bytes reach a pipe complete and in order', async (pieces, bytes) => {
  const child = write(pieces, bytes);
  const received = Buffer.concat(await (child.stdout?.toArray() ?? [])).toString();
  expect(received === expected(pieces, bytes)).toBe(true);
});

it('an output file gets all bytes', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-output-'));
  const path = join(directory, 'out');
  const file = await open(path, 'w');
  await once(write(50, 10_000, file.fd), 'close');
  await file.close();
  expect((await readFile(path, 'utf8')) === expected(50, 10_000)).toBe(true);
  await rm(directory, { recursive: true });
});

it.each([
  [1, 100],
  [100, 100_000],
])('a process exits 0 when the reader of its output stops, for %i pieces of %i bytes', async (pieces, bytes) => {
  const child = write(pieces, bytes);
  child.stdout?.destroy();
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
});

it('a reader that reads nothing does not block Ctrl-C', async () => {
  const child = write(1000, 10_000);
  await once(child.stderr ?? child, 'data');
  // The pipe is full once something arrived and no more is taken.
  await once(child.stdout ?? child, 'readable');
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(130);
  child.stdout?.destroy();
});
