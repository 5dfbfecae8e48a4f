import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { svcBinary } from '../support/binary.ts';
import { largeDocument } from './large-document.ts';

/** A description as large as the largest public ones: eight megabytes. */
const COLLECTIONS = 70;

/** Says at the end how much memory the process had at most, in kilobytes, and how many milliseconds of a processor it took. */
const MEASURE = `process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  require('node:fs').writeFileSync(process.env.MEASURED, JSON.stringify({ maxRSS, cpu: (userCPUTime + systemCPUTime) / 1000 }));
});`;

describe('a large API spec of another service', () => {
  it.each([
    ['json', (document: unknown) => JSON.stringify(document, null, 2)],
    ['yaml', (document: unknown) => dump(document, { noRefs: true })],
  ] as const)('is imported from %s with less than 300 MB of memory', async (format, write) => {
    const home = await mkdtemp(join(tmpdir(), 'svc-large-'));
    const [measure, measured, path] = [join(home, 'measure.cjs'), join(home, 'measured.json'), join(home, `large.${format}`)];
    const text = write(largeDocument(COLLECTIONS));
    await writeFile(measure, MEASURE);
    await writeFile(path, text);
    const env = { SVC_TOKEN_STORE: 'file', MEASURED: measured };
    const argv = ['schema', 'import', '--yes', path, '--host', 'large.example.com', '-o', 'json'];
    const { code, stdout, stderr } = await svcBinary().run(argv, { home, env, preload: [measure] });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ nouns: COLLECTIONS, left_out: [], stored: true });
    const { maxRSS, cpu } = JSON.parse(await readFile(measured, 'utf8')) as { maxRSS: number; cpu: number };
    console.log(
      `${(text.length / 1e6).toFixed(1)} MB of ${format}: ${Math.round(maxRSS / 1024)} MiB, ${Math.round(cpu)} ms of a processor`,
    );
    expect(maxRSS * 1024).toBeLessThan(300_000_000);
  });
});
