import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { referencePages, topicPage } from '../../scripts/pages/reference-pages.ts';
import { defineResource } from '../../src/catalog/define.ts';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/globals.ts';
import { renderHelp } from '../../src/cli/help.ts';
import { parseInput } from '../../src/cli/parse.ts';
import { type PlacedCommand, resolveCommand, spellingsOf, walkTree } from '../../src/cli/resolve.ts';
import type { CommandSpec } from '../../src/cli/spec.ts';
import { glossary } from '../../src/commands/help-topics.ts';
import { resourceEntry } from '../../src/commands/resource/index.ts';
import { rootOf } from '../../src/commands/root.ts';
import { splitWords } from '../../src/values/command-line.ts';

const ROOT = rootOf(builtInCatalog());

async function places(root: CommandSpec): Promise<PlacedCommand[]> {
  const found: PlacedCommand[] = [];
  for await (const place of walkTree(root)) found.push(place);
  return found;
}

const all = await places(ROOT);
const nouns = new Set((ROOT.commands ?? []).filter(({ group }) => group === 'Resources').map(({ name }) => name));
const ofResources = all.filter(({ path }) => nouns.has(path[0] ?? ''));

/** Longest help in lines: a screen and a half of 40 lines. The most common command can have more flags than any other. */
function longestHelp(path: readonly string[]): number {
  const longer: Readonly<Record<string, number>> = { 'worklogs add': 75, 'absences list': 62 };
  return longer[path.join(' ')] ?? 60;
}

describe('the help of a resource command', () => {
  it.each(ofResources.map((place) => [place.path.join(' '), place] as const))(
    '(svc %s) has at most 75 lines, and at least two examples',
    (_, { path, spec }) => {
      const help = renderHelp(spec, path, GLOBAL_OPTIONS, 100);
      expect(help.split('\n').length).toBeLessThanOrEqual(longestHelp(path));
      expect(help.split('\n')[0]).toMatch(/^[A-Z].+\.$/);
      expect(help).toContain(`svc ${path.join(' ')}`);
      // These are in a help text if a part of its template is missing.
      expect(help).not.toMatch(/TODO|\bundefined\b|\[object|[Ll]orem/);
      expect(spec.examples?.length).toBeGreaterThanOrEqual(2);
      expect(new Set(spec.examples?.map(({ args }) => args)).size).toBe(spec.examples?.length);
    },
  );
});

describe('an example in the help', () => {
  const examples = all.flatMap(({ spec }) => (spec.examples ?? []).map(({ args }) => args));
  it.each([...new Set(examples)].map((args) => [args]))('(svc %s) is a command that svc understands', async (args) => {
    // svc does not handle the rest of the line, which belongs to the shell.
    const words = splitWords(args.split(/ [<>|] /)[0] ?? '');
    const { path, spec, args: rest } = await resolveCommand(ROOT, words, GLOBAL_OPTIONS);
    expect(spec.run, args).toBeDefined();
    expect(() => parseInput(spec, path, GLOBAL_OPTIONS, rest)).not.toThrow();
  });
});

describe('the flags of a resource command', () => {
  it.each(ofResources.map((place) => [place.path.join(' '), place] as const))('(svc %s) have one meaning each', (_, { spec }) => {
    const own = Object.values(spec.options ?? {}).flatMap(({ flags }) => spellingsOf(flags));
    expect(own).toEqual([...new Set(own)]);
    const shared = Object.values(GLOBAL_OPTIONS).flatMap(({ flags }) => spellingsOf(flags));
    expect(own.filter((flag) => shared.includes(flag))).toEqual([]);
  });
});

describe('a resource that is added to the catalog', () => {
  const gadgets = defineResource({
    noun: 'gadgets',
    singular: 'gadget',
    summary: 'Gadgets on the shelf',
    path: '/gadgets',
    ability: 'gadgets',
    counted: true,
    fields: {
      id: { kind: 'id' },
      name: { kind: 'string', write: 'both', required: true },
      price: { kind: 'money', write: 'both', summary: 'What it costs' },
    },
    columns: ['id', 'name', 'price'],
    filters: { price: { kind: 'money', operators: ['gte'], assumed: true } },
    shortcuts: [{ flag: 'from-price', summary: 'Costs so much or more', takes: 'money', sets: [{ field: 'price', operator: 'gte' }] }],
  });
  const root: CommandSpec = { name: 'svc', summary: 'Test', commands: [resourceEntry(gadgets, 'Resources')] };

  it('gets the commands list, get, create, import, update, edit and delete', async () => {
    expect((await places(root)).map(({ path }) => path.join(' '))).toEqual([
      '',
      'gadgets',
      'gadgets list',
      'gadgets get',
      'gadgets create',
      'gadgets import',
      'gadgets update',
      'gadgets edit',
      'gadgets delete',
    ]);
    expect((await resolveCommand(root, ['gadget', 'list'], GLOBAL_OPTIONS)).path).toEqual(['gadgets', 'list']);
  });

  it('gets help with its flags, fields and examples', async () => {
    const { path, spec } = await resolveCommand(root, ['gadgets', 'create'], GLOBAL_OPTIONS);
    const help = renderHelp(spec, path, GLOBAL_OPTIONS, 100);
    expect(help).toContain('Create a gadget.');
    expect(help).toMatch(/--price <amount> +What it costs/);
    expect(help).toContain('svc gadgets create --name');
    const list = await resolveCommand(root, ['gadgets', 'list'], GLOBAL_OPTIONS);
    expect(renderHelp(list.spec, list.path, GLOBAL_OPTIONS, 100)).toMatch(/--from-price <amount> +Costs so much or more/);
  });

  it('gets its commands and flags in the command tree', async () => {
    const words = (await places(root)).flatMap(({ spec }) => [
      spec.name,
      ...Object.values(spec.options ?? {}).flatMap(({ flags }) => spellingsOf(flags)),
    ]);
    expect(words).toEqual(expect.arrayContaining(['gadgets', 'list', '--from-price', '--price', '--if-unchanged']));
  });

  it('gets a reference page', async () => {
    const pages = await referencePages(root, GLOBAL_OPTIONS);
    expect([...pages.keys()]).toEqual(['gadgets.md', 'README.md']);
    expect(pages.get('gadgets.md')).toContain('## svc gadgets update');
    expect(pages.get('README.md')).toContain('[svc gadgets](gadgets.md): Gadgets on the shelf');
  });
});

describe('the reference pages', () => {
  it('equal the output of their generator (node scripts/reference.ts)', async () => {
    const directory = new URL('../../docs/reference/', import.meta.url);
    const pages = await referencePages(ROOT, GLOBAL_OPTIONS);
    expect((await readdir(directory)).sort()).toEqual([...pages.keys()].sort());
    for (const [name, text] of pages) expect(await readFile(new URL(name, directory), 'utf8'), name).toBe(text);
    expect(await readFile(new URL('../glossary.md', directory), 'utf8')).toBe(topicPage('Glossary', glossary));
  });
});
