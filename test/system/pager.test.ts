import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPager } from '../../src/system/pager.ts';

// Real programs, of which nothing is seen but what they take.

const page = createPager(process.env, process.platform);
const never = new AbortController().signal;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-pager-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Pages of a list, each counted as it is asked for. */
function pages(count: number): { readonly input: AsyncIterable<string>; readonly asked: () => number } {
  let asked = 0;
  const input = async function* () {
    while (asked < count) {
      asked += 1;
      yield `${'x'.repeat(79)}\n`.repeat(100);
    }
  };
  return { input: input(), asked: () => asked };
}

describe.skipIf(process.platform === 'win32')('a pager', () => {
  it('requests no second page when its program ends early', async () => {
    const { input, asked } = pages(50);
    expect(await page(`sh -c 'head -c 100 >/dev/null'`, input, never)).toBe('left');
    expect(asked()).toBe(1);
  });

  it('gets all pages when its program continues to read', async () => {
    const { input } = pages(3);
    const file = join(directory, 'count');
    expect(await page(`sh -c 'wc -c > "$0"' ${file}`, input, never)).toBe('shown');
    expect(Number(await readFile(file, 'utf8'))).toBe(3 * 8_000);
  });

  it('whose program does not exist is reported as missing before any request', async () => {
    const { input, asked } = pages(3);
    expect(await page('/nonsuch/pager -x', input, never)).toBe('missing');
    expect(asked()).toBe(0);
  });

  it('gets its arguments without a shell', async () => {
    const { input } = pages(1);
    const file = join(directory, 'words');
    const script = 'printf "%s|" "$@" > "$1"';
    await page(`sh -c '${script}' name ${file} '$(exit); a b' *`, input, never);
    expect(await readFile(file, 'utf8')).toBe(`${file}|$(exit); a b|*|`);
  });

  it('sets LESS=FRX for its program, unless the environment sets LESS', async () => {
    const told = async (env: NodeJS.ProcessEnv, wanted: string) => {
      const { input } = pages(1);
      const check = `sh -c 'cat >/dev/null; test "$LESS" = "${wanted}" || exec sleep 60'`;
      const over = AbortSignal.timeout(20_000);
      await createPager(env, 'linux')(check, input, over);
      return !over.aborted;
    };
    const { LESS: _, ...plain } = process.env;
    expect(await told(plain, 'FRX')).toBe(true);
    expect(await told({ ...plain, LESS: '-S' }, '-S')).toBe(true);
  });

  it('ends when svc aborts the pager', async () => {
    const over = new AbortController();
    const input = async function* () {
      yield 'a';
      over.abort();
      yield 'b';
    };
    await page('sleep 60', input(), over.signal);
    expect(over.signal.aborted).toBe(true);
  });

  it('reports a failure that interrupts its input', async () => {
    const input = async function* () {
      yield 'a\n';
      throw new Error('broken');
    };
    await expect(page("sh -c 'cat >/dev/null'", input(), never)).rejects.toThrow('broken');
  });
});
