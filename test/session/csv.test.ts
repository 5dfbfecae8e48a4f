import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

// CSV for other programs, and for spreadsheets.

const FORMULAS = ['=1+1', ';=1+1', ' ; +1+1', '\u001b[31mred', 'two\nlines, "quoted"', "'=as typed"];

let here: SignedIn;
let ids: string[];
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
  ids = [];
  for (const name of FORMULAS) {
    const made = await here.svc(['projects', 'create', '--data', JSON.stringify({ name }), '--output', 'ids']);
    expect(made.code, made.stderr).toBe(0);
    ids.push(made.stdout.trim());
  }
});
afterAll(() => here.remove());

async function printed(argv: readonly string[], terminal?: number): Promise<string> {
  const result = await here.svc([...argv, '--quiet'], terminal === undefined ? {} : { terminal });
  expect(result.code, result.stderr).toBe(0);
  return result.stdout;
}

const names = async (...flags: readonly string[]) =>
  (parse(await printed(['projects', 'get', ...ids, '--fields', 'name', '-o', 'csv', ...flags]), { bom: true }) as string[][])
    .slice(1)
    .map(([cell]) => cell);

describe('the links of records', () => {
  it('have no column in CSV, and cause no notice about missing fields', async () => {
    const result = await here.svc(['worklogs', 'list', '--view', 'detail', '-o', 'csv']);
    const [header = [], ...rows] = parse(result.stdout) as string[][];
    const [record = {}] = JSON.parse(await printed(['worklogs', 'list', '--view', 'detail', '-L', '1'])) as Record<string, unknown>[];
    expect(record).toHaveProperty('links');
    expect(header).toEqual(Object.keys(record).filter((name) => name !== 'links'));
    expect(rows.length).toBeGreaterThan(100);
    expect(result.stderr).not.toContain('links');
    expect(await printed(['worklogs', 'get', '1', '-o', 'csv'])).not.toContain('links');
  });

  it('have a column in TSV, and in CSV when you name the links', async () => {
    expect(await printed(['worklogs', 'get', '1', '-o', 'csv', '--fields', 'id,links'])).toMatch(/^id,links\n1,"\{""self""/);
    expect((await printed(['worklogs', 'get', '1', '-o', 'tsv'])).split('\n')[0]?.split('\t')).toContain('links');
  });
});

describe('the cells of CSV', () => {
  it('become text when a spreadsheet would run the cell, also after a semicolon', async () => {
    expect(await names()).toEqual(["'=1+1", "';=1+1", "' ; +1+1", '␛[31mred', 'two\nlines, "quoted"', "'=as typed"]);
  });

  it('are unchanged with --raw', async () => {
    expect(await names('--raw')).toEqual(FORMULAS);
  });

  it('with a carriage return are in quotes with --raw', async () => {
    const made = await here.svc(['projects', 'create', '--data', '{"name":"one\\rtwo"}', '--output', 'ids']);
    expect(await printed(['projects', 'get', made.stdout.trim(), '--fields', 'name', '-o', 'csv', '--raw'])).toBe('name\n"one\rtwo"\n');
  });

  it('have no escape codes with --raw', async () => {
    const text = await printed(['projects', 'get', ...ids, '--fields', 'name', '-o', 'csv', '--raw'], 80);
    expect(text).toContain('\n=1+1\n');
    expect(text).toContain('␛[31mred');
    expect(text).not.toContain('\u001b');
  });

  it('can be imported again, with --raw, with --bom and without a flag', async () => {
    const imported = async (...flags: readonly string[]) => {
      const file = join(here.home, `again${flags.join('')}.csv`);
      await writeFile(file, await printed(['projects', 'get', ...ids.slice(0, 2), '--fields', 'name', '-o', 'csv', ...flags]));
      here.sandbox.requests.length = 0;
      const result = await here.svc(['projects', 'import', file, '--again']);
      expect(result.code, result.stderr).toBe(0);
      const made = (JSON.parse(await printed(['projects', 'list', '--sort', '-id', '-L', '2'])) as { name: string }[]).map(
        ({ name }) => name,
      );
      return made.sort();
    };
    for (const flags of [[], ['--raw'], ['--bom']]) expect(await imported(...flags)).toEqual([';=1+1', '=1+1']);
  });
});

describe('--bom', () => {
  it('puts a byte order mark only before the header', async () => {
    const text = await printed(['projects', 'list', '-o', 'csv', '--fields', 'id', '--bom']);
    expect(text.startsWith('\ufeffid\n')).toBe(true);
    expect(text.lastIndexOf('\ufeff')).toBe(0);
  });

  it('adds the byte order mark with --raw and the setting output=csv', async () => {
    await here.svc(['config', 'set', 'output', 'csv']);
    expect(await printed(['projects', 'get', ids[0] ?? '', '--fields', 'name', '--raw', '--bom'])).toBe('\ufeffname\n=1+1\n');
    await here.svc(['config', 'unset', 'output']);
  });
});

describe.each(['--raw', '--bom'])('the flag %s', (flag) => {
  it.each([
    [[], 'Use the flag with --output csv.'],
    [['-o', 'json'], 'Use the flag with --output csv.'],
    [['-o', 'tsv'], 'Use the flag with --output csv.'],
    [['--json', 'id'], 'Use the flag with --output csv.'],
    [['--jq', '.id'], 'Leave out the flag. For CSV, use @csv in the jq expression.'],
  ])('makes svc exit 2 without a request when the other flags are %j', async (flags, hint) => {
    here.sandbox.requests.length = 0;
    const result = await here.svc(['worklogs', 'add', '--minutes', '5', flag, ...flags]);
    expect(result).toEqual({ code: 2, stdout: '', stderr: `svc: You can use ${flag} only with CSV.\n  ${hint}\n` });
    expect(here.sandbox.requests).toEqual([]);
  });
});
