import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

// Checks the source of the pages without man.
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-man-text-'));
  await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/man.ts', directory]);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const page = (name: string) => readFile(join(directory, name), 'utf8');

it('a man page keeps the line breaks of an indented example, and wraps other paragraphs', async () => {
  const workflows = await page('svc-workflows.1');
  expect(workflows).toContain(
    ['svc reads a YAML file such as:', '.PP', '.nf', '  name: Support', '  statuses: [New, Doing, Done]', '  transitions:', ''].join('\n'),
  );
  expect(workflows).toMatch(/\n {4}\\- Doing \\-> New, Done\n\.fi\n\.PP\nsvc creates the missing parts step by step, .*\n/);
});

it('a man page shows a summary as a sentence', async () => {
  expect(await page('svc.1')).toContain('\n.SS svc logout [host] [flags]\nSign out: revoke the sign\\-in, and delete its tokens.\n');
});
