import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

/** How every command prints; what each format does with awkward values is in test/output. */
let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
});
afterAll(() => here.remove());

const LIST = ['users', 'list', '--fields', 'id,name', '-L', '2'];
const [first, second] = [
  { id: 1, name: 'Sanne de Vries' },
  { id: 2, name: 'Olumide Adeyemi' },
];

async function printed(argv: readonly string[], terminal?: number): Promise<string> {
  const result = await here.svc([...argv, '--quiet'], terminal === undefined ? {} : { terminal });
  expect(result.code, result.stderr).toBe(0);
  return result.stdout;
}

describe('--output', () => {
  it('is json outside a terminal, with an array for a list and an object for a record', async () => {
    expect(JSON.parse(await printed(LIST))).toEqual([first, second]);
    expect(JSON.parse(await printed(['users', 'get', '1', '--fields', 'id,name']))).toEqual(first);
    expect(JSON.parse(await printed(['users', 'get', '1', '2', '--fields', 'id,name']))).toEqual([first, second]);
  });

  it('is a table at a terminal', async () => {
    expect(await printed([...LIST, '--no-color'], 60)).toBe('ID  NAME\n 1  Sanne de Vries\n 2  Olumide Adeyemi\n');
  });

  it.each([
    ['json', `[\n{"id":1,"name":"Sanne de Vries"},\n{"id":2,"name":"Olumide Adeyemi"}\n]\n`],
    ['ndjson', '{"id":1,"name":"Sanne de Vries"}\n{"id":2,"name":"Olumide Adeyemi"}\n'],
    ['csv', 'id,name\n1,Sanne de Vries\n2,Olumide Adeyemi\n'],
    ['tsv', 'id\tname\n1\tSanne de Vries\n2\tOlumide Adeyemi\n'],
    ['yaml', '- id: 1\n  name: Sanne de Vries\n- id: 2\n  name: Olumide Adeyemi\n'],
    ['ids', '1\n2\n'],
    ['table', 'ID  NAME\n 1  Sanne de Vries\n 2  Olumide Adeyemi\n'],
  ])('prints two users in the format %s', async (format, text) => {
    expect((await printed([...LIST, '-o', format])).replaceAll('\r\n', '\n')).toBe(text);
    expect(await printed([`--output=${format}`, ...LIST])).toBe(await printed([...LIST, '-o', format]));
  });

  it('prints an empty list in json, ndjson, csv and tsv', async () => {
    const none = ['projects', 'list', '--filter', 'status=on-hold', '--filter', 'customer_id=999999'];
    expect(JSON.parse(await printed(none))).toEqual([]);
    expect(await printed([...none, '-o', 'ndjson'])).toBe('');
    expect(await printed([...none, '-o', 'csv', '--fields', 'id,name'])).toBe('id,name\n');
    expect(await printed([...none, '-o', 'csv'])).toMatch(/^id,name,[\w,]+\n$/);
    expect(await printed([...none, '-o', 'tsv'])).toMatch(/^id\tname\t[\w\t]+\n$/);
  });

  it('makes svc exit 2 for an unknown format', async () => {
    const result = await here.svc([...LIST, '-o', 'jsno']);
    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'svc: --output: "jsno" is not an allowed value.\n  Did you mean json? Allowed: table, md, json, ndjson, csv, tsv, yaml, ids.\n',
    });
  });
});

describe('--fields', () => {
  it('keeps the order, and reads nested fields', async () => {
    const text = await printed(['users', 'get', '1', '--fields', 'working_hours.monday.start,id']);
    expect(text).toBe('{"working_hours":{"monday":{"start":"09:00"}},"id":1}\n');
  });

  it('names a field that no related record has, also when some records have no related record', async () => {
    const list = ['worklogs', 'list', '--include', 'work_item', '--fields'];
    const { stdout, stderr } = await here.svc([...list, 'work_item.key', '-o', 'ndjson']);
    expect(new Set(stdout.trim().split('\n'))).toEqual(new Set(['{"work_item":null}', '{"work_item":{}}']));
    expect(stderr).toMatch(/^No record has: work_item\.key\. /);
    expect((await here.svc([...list, 'work_item.title'])).stderr).toBe('');
    expect((await here.svc([...list, 'work_item.key', '--filter', 'work_item_id.null=true'])).stderr).toBe('');
  });

  it('names on stderr the fields that no record has', async () => {
    const result = await here.svc(['me', '--fields', 'id,nmae']);
    expect(result).toEqual({
      code: 0,
      stdout: '{"id":1}\n',
      stderr: 'No record has: nmae. The service returns some fields only with --include or --view detail.\n',
    });
  });

  it.each(['csv', 'table', 'ndjson'])('prints no notice of unknown fields when the list is empty (%s)', async (format) => {
    const result = await here.svc(['worklogs', 'list', '--date', '1999-01-01', '--fields', 'id,nmae', '-o', format]);
    expect([result.code, result.stderr]).toEqual([0, '']);
  });

  it('makes svc exit 2 for an empty field name', async () => {
    expect((await here.svc(['me', '--fields', 'id,'])).code).toBe(2);
  });
});

describe('--jq', () => {
  it('filters the record of a get, and the array of a list', async () => {
    expect(await printed(['me', '--jq', '.name'])).toBe('Sanne de Vries\n');
    expect(await printed(['users', 'list', '--jq', 'map(.id) | sort | .[:2]'])).toBe('[1,2]\n');
    expect(await printed(['users', 'list', '--jq', '.[:2][] | [.id, .name] | @csv'])).toBe('1,"Sanne de Vries"\n2,"Olumide Adeyemi"\n');
  });

  it('filters the output of --fields', async () => {
    expect(await printed(['me', '--fields', 'id,name', '--jq', 'keys'])).toBe('["id","name"]\n');
  });

  it.each([
    ['.[] | {id, title, text: .description}', 'description'],
    ['map("\\(.issue_key) \\(.project.name)")', 'project'],
    ['.[0].description // "none"', 'description'],
    ['map(.title)', undefined],
    ['map({title}) | {length: length, description: add}', undefined],
  ])('names on stderr the fields of the resource that %s reads and no record has', async (expression, missing) => {
    const { code, stderr } = await here.svc(['work-items', 'list', '--jq', expression]);
    const notice = `No record has: ${missing}. The service returns some fields only with --include or --view detail.\n`;
    expect([code, stderr]).toEqual([0, missing === undefined ? '' : notice]);
  });

  it('reads the fields of the detail view and of relations without a notice', async () => {
    const read = ['map({description, name: .project.name})', '--view', 'detail', '--include', 'project'];
    expect((await here.svc(['work-items', 'list', '--jq', ...read])).stderr).toBe('');
    expect((await here.svc(['work-items', 'get', 'ABC-12', '--jq', '.description'])).stderr).toBe('');
    expect((await here.svc(['work-items', 'get', 'ABC-12', '--jq', '.assignee.name'])).stderr).toContain('No record has: assignee.');
    expect((await here.svc(['work-items', 'list', '-L', '0', '--jq', '.[].description'])).stderr).not.toContain('No record has');
  });

  it('makes svc exit 2 without a request for a syntax error', async () => {
    here.sandbox.requests.length = 0;
    const result = await here.svc(['worklogs', 'add', '--minutes', '5', '--jq', '.id |']);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(
      /^svc: --jq: error: syntax error, .*\n {2}Use the language of jq 1\.8: https:\/\/jqlang\.org\/manual\/\n$/,
    );
    expect(here.sandbox.requests).toEqual([]);
  });

  it('reports the successful write and the id of the record when the expression fails on the answer', async () => {
    const result = await here.svc(['worklogs', 'add', '--minutes', '7', '--jq', '.id | .foo']);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(/The request succeeded; only the jq expression failed\.\n {2}- The id of the record is \d+\./);
  });

  it('makes svc exit 2 together with --output, before any request', async () => {
    here.sandbox.requests.length = 0;
    const result = await here.svc(['worklogs', 'add', '--minutes', '5', '--jq', '.id', '-o', 'csv']);
    expect(result.code).toBe(2);
    expect(here.sandbox.requests).toEqual([]);
  });
});

describe('colours', () => {
  const colored = '\u001b[';
  it.each([
    ['do not appear in a pipe', undefined, {}, [], false],
    ['appear on a terminal', 80, {}, [], true],
    ['do not appear with --no-color', 80, {}, ['--no-color'], false],
    ['do not appear with NO_COLOR', 80, { NO_COLOR: '1' }, [], false],
    ['do not appear with NO_COLOR and FORCE_COLOR', 80, { NO_COLOR: '1', FORCE_COLOR: '1' }, [], false],
    ['appear with an empty NO_COLOR', 80, { NO_COLOR: '' }, [], true],
    ['do not appear on a dumb terminal', 80, { TERM: 'dumb' }, [], false],
    ['appear in a pipe with FORCE_COLOR', undefined, { FORCE_COLOR: '1' }, ['-o', 'table'], true],
    ['do not appear on a terminal with FORCE_COLOR=0', 80, { FORCE_COLOR: '0' }, [], false],
  ])('%s', async (_, terminal, env, flags, expected) => {
    const { stdout } = await here.svc(['me', ...flags], { env, ...(terminal && { terminal }) });
    expect(stdout.includes(colored)).toBe(expected);
  });

  it.each([
    ['mark an error at a terminal', {}, [], true],
    ['do not mark an error with NO_COLOR', { NO_COLOR: '1' }, [], false],
    ['do not mark an error with --no-color', {}, ['--no-color'], false],
  ])('%s', async (_, env, flags, expected) => {
    const { stderr } = await here.svc(['users', 'get', '999999', ...flags], { env, answers: [] });
    expect(stderr.includes(colored)).toBe(expected);
  });
});

describe('--output md', () => {
  it('prints a list as a Markdown table with the same columns as --output table', async () => {
    const { code, stdout } = await here.svc(['work-items', 'list', '--limit', '3', '-o', 'md']);
    expect(code).toBe(0);
    const [head, rule, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^\| [A-Z #]+( \| [A-Z ]+)+ \|$/);
    expect(rule).toMatch(/^\| (---:?)( \| ---:?)+ \|$/);
    expect(rows).toHaveLength(3);
    const table = await here.svc(['work-items', 'list', '--limit', '3', '-o', 'table']);
    expect(head?.slice(2, -2).split(' | ')).toEqual(table.stdout.split('\n')[0]?.split(/ {2,}/).filter(Boolean));
  });

  it('prints a record as fields and values', async () => {
    expect((await here.svc(['me', '-o', 'md'])).stdout).toMatch(/^\| FIELD \| VALUE \|\n\| --- \| --- \|\n\| id \| \d+ \|\n/);
  });
});
