import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const TEXT = 'Date,Minutes,Description\r\n2031-06-01,15,Überprüfung – Angebot\r\n';

const utf16 = (text: string, order: 'le' | 'be') => {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};
/** Encodes the string in Windows-1252, whose dash is not in Latin-1. */
const windows1252 = (text: string) => Buffer.from(text.replaceAll('–', '\u0096'), 'latin1');

/** Imports a file on a machine without earlier imports. */
async function importBytes(bytes: Uint8Array, ...flags: readonly string[]) {
  const file = join(here.home, `file-${Math.random().toString(36).slice(2)}.csv`);
  await writeFile(file, bytes);
  return here.svc(['worklogs', 'import', file, ...flags], { env: { XDG_STATE_HOME: `${file}.state` } });
}

const descriptions = () =>
  here.sandbox.requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => (JSON.parse(body) as { description: string }).description);

describe('the encoding of an imported file', () => {
  it.each([
    ['in UTF-8', Buffer.from(TEXT)],
    ['in UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['in UTF-16 LE with a mark', utf16(`\uFEFF${TEXT}`, 'le')],
    ['in UTF-16 BE with a mark', utf16(`\uFEFF${TEXT}`, 'be')],
    ['in UTF-16 LE without a mark', utf16(TEXT, 'le')],
    ['in UTF-16 BE without a mark', utf16(TEXT, 'be')],
    ['in Windows-1252', windows1252(TEXT)],
  ])('is detected for a file %s', async (_name, bytes) => {
    const { code, stderr } = await importBytes(bytes);
    expect(code, stderr).toBe(0);
    expect(descriptions()).toEqual(['Überprüfung – Angebot']);
    expect(stderr.includes('so svc read the file as Windows-1252')).toBe(bytes.equals(windows1252(TEXT)));
  });

  it('can be set with --encoding', async () => {
    const { code, stderr } = await importBytes(
      Buffer.from([...Buffer.from('date,minutes,description\n2031-06-01,15,'), 0xb3, 0xf3, 0xdf]),
      '--encoding',
      'ISO-8859-2',
    );
    expect(code, stderr).toBe(0);
    expect(descriptions()).toEqual(['łóß']);
  });

  it('is refused when --encoding does not fit, or when svc detects no encoding', async () => {
    for (const result of [
      await importBytes(windows1252(TEXT), '--encoding', 'utf-8'),
      await importBytes(Buffer.from([...Buffer.from('date,minutes,description\n2031-06-01,15,'), 0x81, 0x8d])),
      await importBytes(Buffer.from(TEXT), '--encoding', 'ebcdic'),
    ]) {
      expect(result.code).toBe(2);
      expect(result.stderr).toContain('encoding');
    }
    expect(here.sandbox.requests).toEqual([]);
  });

  it('is not detected in a workbook: svc exits 2 and suggests CSV', async () => {
    const { code, stderr } = await importBytes(Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00]));
    expect(code).toBe(2);
    expect(stderr).toContain('Save the sheet as CSV');
  });

  it('makes svc exit 2 when the file has a replacement character, literal or escaped', async () => {
    const csv = await importBytes(Buffer.from('date,minutes,description\n2031-06-01,15,fine\n2031-06-01,15,lo\uFFFDst\n'));
    const json = await importBytes(Buffer.from('{"date":"2031-06-01","minutes":15,"description":"lo\\ufffdst"}\n'));
    expect([csv.code, json.code]).toEqual([2, 2]);
    expect(csv.stderr).toContain('line 3: contains such a character.');
    expect(json.stderr).toContain('line 1: contains such a character.');
    expect(here.sandbox.requests).toEqual([]);
  });
});

it('svc import accepts headers in any letter case, and prints a dry run as a table at a terminal', async () => {
  const file = join(here.home, 'projects.csv');
  await writeFile(file, 'NAME,Customer ID,Shoe Size\nWebsite,1,42\n');
  const { code, stdout, stderr } = await here.svc(['projects', 'import', file, '--dry-run'], { terminal: 100, env: { NO_COLOR: '1' } });
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/Website +1 +42 +2/);
  expect(stderr).toContain('svc does not know these columns, and sends them unchanged: Shoe Size.');
});
