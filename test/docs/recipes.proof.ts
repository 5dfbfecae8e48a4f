import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.ts';
import { ROOT } from '../support/bundle.ts';

// Follows the recipes of CONTRIBUTING.md in a copy of the source, as a newcomer would: what they say to write is written, what they say to
// run is run.

const page = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** The row that the recipe of an option has for the table of options. */
const OPTION_ROW = /```md\n(\|.*\|\n)```/.exec(page)?.[1] ?? '';

/** The code that a recipe has for a file, without the line that names the file. */
function codeFor(file: string): string {
  const block = page.split('```ts\n').find((text) => text.startsWith(`// ${file}\n`));
  if (block === undefined) throw new Error(`CONTRIBUTING.md has no code for ${file}.`);
  return block.slice(block.indexOf('\n') + 1, block.indexOf('```'));
}

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'svc-recipes-'));
  for (const name of ['src', 'scripts', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    await cp(join(ROOT, name), join(copy, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));

  const area = codeFor('src/catalog/planning.ts');
  await change('src/catalog/planning.ts', (text) =>
    text.replace('export const planningArea', `${area}\nexport const planningArea`).replace('[events]', '[events, meetingRooms]'),
  );
  await writeFile(join(copy, 'src/commands/greet.ts'), codeFor('src/commands/greet.ts'));
  const entry = codeFor('src/commands/root.ts');
  await change('src/commands/root.ts', (text) => text.replace(`  'This tool': [\n`, (group) => `${group}${entry}`));
  await node('scripts/resource-names.ts');

  for (const name of ['docs/guides/sandbox.md', 'docs/service-rules.md', 'test/sandbox/open-questions.test.ts'])
    await cp(join(ROOT, name), join(copy, name), { recursive: true });
  await change('src/sandbox/interpretations.ts', (text) => text.replace('= {\n', `= {\n${codeFor('src/sandbox/interpretations.ts')}`));
  await change('src/sandbox/api/discovery.ts', (text) =>
    text
      .replace('  const page = { per_page', `${codeFor('src/sandbox/api/discovery.ts')}  const page = { per_page`)
      .replace('total: data.length', 'total'),
  );
  await change('docs/guides/sandbox.md', (text) => text.replace(/(?=^\| `discoveryPaths`)/m, OPTION_ROW));
  await node('scripts/sandbox-types.ts');

  const flags = 'src/commands/time/report/entry-flags.ts';
  await change(flags, (text) =>
    text
      .replace('export const entryOptions = {\n', `$&${codeFor(`${flags} (entryOptions)`)}`)
      .replace(/const ENTRY_FLAGS: [^\n]* = \{\n/, (start) => `${start}${codeFor(`${flags} (ENTRY_FLAGS)`)}`),
  );
  const writers = 'src/output/create-writer.ts';
  await change('src/output/format.ts', (text) => text.replace('export const FORMATS = {\n', `$&${codeFor('src/output/format.ts')}`));
  await writeFile(join(copy, 'src/output/dots.ts'), codeFor('src/output/dots.ts'));
  await change(writers, (text) =>
    text
      .replace("    case 'md':\n", `${codeFor(`${writers} (createWriter)`)}$&`)
      .replace(/(?<=as HumanFormat\) \{\n)/, codeFor(`${writers} (renderReport)`)),
  );
});
afterAll(() => rm(copy, { recursive: true, force: true }));

async function change(file: string, how: (text: string) => string): Promise<void> {
  const before = await readFile(join(copy, file), 'utf8');
  const after = how(before);
  expect(after, file).not.toBe(before);
  await writeFile(join(copy, file), after);
}

function node(...args: string[]): Promise<string> {
  return nodeAt({ SVC_HOST: 'acme.example.com', SVC_TOKEN: 'a-token' }, ...args);
}

/** Node in the copy, signed in to some place. */
async function nodeAt(place: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: copy, ...place };
  return (await promisify(execFile)(process.execPath, ['--no-warnings', ...args], { cwd: copy, env })).stdout;
}

describe('the recipe in CONTRIBUTING.md', () => {
  it('adds the commands of a new resource', async () => {
    expect(await node('src/main.ts', 'meeting-rooms', '--help')).toContain('Rooms to meet in');
    expect(await node('src/main.ts', 'meeting-room', 'list', '--help')).toMatch(/--seats <n>\s+With so many seats or more/);
    const dry = JSON.parse(await node('src/main.ts', 'meeting-rooms', 'create', '--name', 'Attic', '--seats', '4', '--dry-run'));
    expect(dry).toMatchObject({ method: 'POST', body: { name: 'Attic', seats: 4 }, ability: 'api:write:meeting_rooms' });
  });

  it('adds a new resource to the reference and to the completion scripts', async () => {
    await node('scripts/reference.ts');
    await node('scripts/completions.ts');
    expect(await readFile(join(copy, 'docs/reference/meeting-rooms.md'), 'utf8')).toContain('svc meeting-rooms list --seats 8');
    expect(await readFile(join(copy, 'completions/svc.bash'), 'utf8')).toContain('meeting-rooms');
  });

  it('adds a new command and a new flag to help', async () => {
    expect(await node('src/main.ts', '--help')).toMatch(/greet +Say hello to yourself/);
    expect(await node('src/main.ts', 'greet', '--help')).toMatch(/--word <string>\s+What to say; hello if not given/);
  });

  it('adds a sandbox option that changes answers and passes the tests of options', async () => {
    const total = async (value: string) => {
      const script = `import { startSandbox } from './src/sandbox/start.ts';
        const sandbox = await startSandbox({ interpretations: { discoveryTotal: ${value} } });
        const headers = { authorization: 'Bearer ' + sandbox.tokens[0].value };
        console.log((await (await fetch(sandbox.baseUrl + '/', { headers })).json()).meta.page.total === null);
        await sandbox.close();`;
      return (await node('--input-type=module', '--eval', script)).trim();
    };
    expect([await total('true'), await total('false')]).toEqual(['false', 'true']);
    expect(await readFile(join(copy, 'src/sandbox/public-types.d.cts'), 'utf8')).toContain('discoveryTotal: boolean;');
    await writeFile(join(copy, 'vitest.config.ts'), "export default { test: { include: ['test/sandbox/*.test.ts'] } };");
    await node('node_modules/vitest/vitest.mjs', 'run');
  });

  it('adds a report flag and an output format to help, completion and the reference', async () => {
    expect(await node('src/main.ts', 'report', '--help')).toMatch(/--longest <duration>\s+Count no more than this of an entry/);
    expect(await node('src/main.ts', 'help', 'formats')).toMatch(/dots +A line for each row/);
    expect(await node('src/main.ts', '__complete', '--', 'worklogs', 'list', '-o', '')).toContain('dots');
    await node('scripts/reference.ts');
    expect(await readFile(join(copy, 'docs/reference/README.md'), 'utf8')).toContain('dots');
  });

  it('adds a report flag that changes sums, and an output format that prints names', async () => {
    const sandbox = await startSandbox({ limits: 'off' });
    onTestFinished(() => sandbox.close());
    const env = { SVC_HOST: new URL(sandbox.origin).host, SVC_TOKEN: sandbox.tokens[0]?.value ?? '' };
    const report = (...flags: string[]) => nodeAt(env, 'src/main.ts', 'report', 'last month', '--by', 'project', ...flags);
    const [plain, short] = [JSON.parse(await report()), JSON.parse(await report('--longest', '1m'))] as {
      minutes: number;
      entries: number;
    }[][];
    expect(plain?.length).toBeGreaterThan(0);
    for (const row of short ?? []) expect(row).toMatchObject({ minutes: row.entries, longest_minutes: 1 });
    const [{ project } = { project: '' }] = JSON.parse(await report()) as { project: string }[];
    expect(await report('--longest', '1m', '-o', 'dots')).toContain(`${project} · `);
    expect(await nodeAt(env, 'src/main.ts', 'worklogs', 'list', '--limit', '50', '-o', 'dots')).toMatch(/^\d+ · .* · [^·\d][^·]* · /m);
  });

  it('gives code that compiles', async () => {
    await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '-p', 'tsconfig.json'], { cwd: copy });
  });
});
