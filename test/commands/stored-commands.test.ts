import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

/** The journal and plans store the typed command, and errors show it. */
let here: SignedIn;
let count = 0;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

const SECRET = 'a-key-of-somebody';
const SPELLINGS = [
  ['-H', `X-Key: ${SECRET}`],
  [`-HX-Key: ${SECRET}`],
  ['-iH', `X-Key: ${SECRET}`],
  [`-iHX-Key: ${SECRET}`],
  ['--header', `X-Key: ${SECRET}`],
  [`--header=X-Key: ${SECRET}`],
  ['-iH', 'X-Other: 1', '-iHX-Key:a-key-of-somebody'],
];
const create = () => ['api', 'POST', '/worklogs', '-F', 'minutes=5', '-f', 'date=2026-06-01', '-f', `description=Kept ${++count}`];

/** Returns the files in the home that contain a string. */
async function filesWith(text: string): Promise<string[]> {
  const entries = await readdir(here.home, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(paths.map((path) => readFile(path)));
  return paths.filter((_, index) => contents[index]?.includes(text));
}

describe('the value of a header with a secret', () => {
  it.each(SPELLINGS.map((words) => [words.join(' '), words] as const))(
    'is sent with %s, but neither stored nor printed',
    async (_, words) => {
      here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', drop: 'after', times: Number.POSITIVE_INFINITY }]);
      const lost = await here.svc([...create(), ...words, '--error-format', 'json', '--debug'], { hurried: true });
      expect(lost.code, lost.stderr).toBe(8);
      expect(here.sandbox.requests.at(-1)?.headers['x-key']).toBe(SECRET);
      expect(lost.stdout + lost.stderr).not.toContain(SECRET);
      expect(JSON.parse(lost.stderr.trim().split('\n').at(-1) ?? '').resume).toMatch(/X-Key: ?…/);
      expect((await filesWith(`Kept ${count}`)).length).toBeGreaterThan(0);
      expect(await filesWith(SECRET)).toEqual([]);
    },
  );

  it.each(SPELLINGS.map((words) => [words.join(' '), words] as const))('is not written to a plan with %s', async (_, words) => {
    const plan = join(here.home, `${++count}.plan`);
    const planned = await here.svc([...create(), ...words, '--plan', plan]);
    expect(planned.code, planned.stderr).toBe(0);
    expect(await readFile(plan, 'utf8')).toContain(`Kept ${count}`);
    expect(await filesWith(SECRET)).toEqual([]);
  });

  it('makes svc exit 2 when you type the masked value', async () => {
    const again = await here.svc([...create(), '-H', 'X-Key: …']);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toContain('-H: svc cannot read the header "X-Key: …".');
    expect(again.stderr).toContain('svc stores and shows no value of a header');
    expect(here.sandbox.requests).toEqual([]);
  });
});

it('svc refuses a password in an address, and stores the password nowhere', async () => {
  const address = here.sandbox.origin.replace('://', `://ada:${SECRET}@`);
  const refused = await here.svc(['api', 'POST', `${address}/api/v2/worklogs`, '-F', 'minutes=5', '-f', 'date=2026-06-01']);
  expect(refused.code, refused.stderr).toBe(2);
  expect(refused.stderr).not.toContain(SECRET);
  expect(await filesWith(SECRET)).toEqual([]);
});
