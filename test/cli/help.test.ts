import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';
import type { CommandSpec } from '../../src/cli/spec.ts';
import { rootOf } from '../../src/commands/root.ts';
import { OUTPUT_FORMATS } from '../../src/output/format.ts';
import { createMachine, type Machine } from '../support/svc.ts';

const ROOT = rootOf(builtInCatalog());

/** A machine with unreadable settings, no keychain and no network, because help reads nothing. */
let machine: Machine;
beforeAll(async () => {
  machine = await createMachine({ env: { NO_COLOR: '1' } });
  await machine.svc(['config', 'set', 'output', 'json']);
  await writeFile(`${machine.home}/.config/svc/config.json`, '{');
});
afterAll(() => machine.remove());

interface Place {
  readonly path: readonly string[];
  readonly spec: CommandSpec;
}

async function places(spec: CommandSpec, path: readonly string[]): Promise<Place[]> {
  const below = await Promise.all((spec.commands ?? []).map(async (entry) => places(await entry.load(), [...path, entry.name])));
  return [{ path, spec }, ...below.flat()];
}

const all = await places(ROOT, []);

describe('help', () => {
  it.each(all.map(({ path, spec }) => [path.join(' '), path, spec] as const))(
    'of svc %s fits in 80 columns except for examples, with --help, -h and svc help',
    async (_, path, spec) => {
      const shown = await machine.svc([...path, '--help'], { terminal: 80 });
      expect(shown).toMatchObject({ code: 0, stderr: '' });
      expect(await machine.svc([...path, '-h'], { terminal: 80 })).toEqual(shown);
      expect(await machine.svc(['help', ...path], { terminal: 80 })).toEqual(shown);
      expect(shown.stdout).toMatch(/^\S.*\.\n/);
      expect(shown.stdout).toContain(['Usage:\n  svc', ...path].join(' '));
      // Only an example can be longer than 80 columns.
      const prose = shown.stdout.split('\nExamples:')[0] ?? '';
      for (const line of prose.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
      if (spec.run !== undefined) expect(shown.stdout).toMatch(/\nExamples:\n {2}# .+\n {2}svc /);
      for (const { args } of spec.examples ?? []) expect(shown.stdout).toContain(`svc ${args}`);
    },
  );

  it('is the output of a resource or group without a command', async () => {
    for (const path of [['worklogs'], ['auth']]) {
      expect(await machine.svc(path)).toEqual(await machine.svc([...path, '--help']));
    }
  });

  it('has the same text with and without colour', async () => {
    for (const path of [[], ['worklogs', 'add']]) {
      const argv = [...path, '--help'];
      const colored = await machine.svc(argv, { terminal: 80, env: { NO_COLOR: '' } });
      expect(colored.stdout).toContain('\u001b[1mUsage:\u001b[22m');
      expect(colored.stdout).toMatch(/\u001b\[36m.*--host/);
      const plain = await machine.svc(argv, { terminal: 80 });
      expect(colored.stdout.replace(/\u001b\[\d+m/g, '')).toBe(plain.stdout);
      expect((await machine.svc([...argv, '--no-color'], { terminal: 80, env: { NO_COLOR: '' } })).stdout).toBe(plain.stdout);
    }
  });

  it('makes svc exit 0 even if other arguments are invalid', async () => {
    expect((await machine.svc(['worklogs', 'add', '--minutes', 'x', '--help'])).code).toBe(0);
  });

  it('of svc lists the main global flags, and every command that is not hidden', async () => {
    const { stdout } = await machine.svc(['--help']);
    for (const { name, hidden } of ROOT.commands ?? []) if (!hidden) expect(stdout).toMatch(new RegExp(`[ ,]${name}(,|\\s)`));
    for (const flag of ['--host', '--output', '--jq', '--dry-run', '--max-wait', '--error-format']) expect(stdout).toContain(flag);
  });
});

describe('svc without arguments', () => {
  it('prints fewer than 24 lines of at most 80 columns, with examples and topics of help', async () => {
    const { code, stdout, stderr } = await machine.svc([], { terminal: 80 });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(24);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    for (const { args } of ROOT.examples ?? []) expect(stdout).toContain(`  svc ${args}  `);
    for (const area of new Set((ROOT.commands ?? []).flatMap(({ line }) => line ?? []))) expect(stdout).toContain(`  ${area}  `);
    for (const { name } of ROOT.topics ?? []) expect(stdout).toContain(name);
    expect(await machine.svc(['--no-color'], { terminal: 80 })).toEqual({ code, stdout, stderr });
    const colored = await machine.svc([], { terminal: 80, env: { NO_COLOR: '' } });
    expect(colored.stdout.replace(/\u001b\[\d+m/g, '')).toBe(stdout);
    expect(colored.stdout).not.toBe(stdout);
  });
});

describe('a topic of help', () => {
  it.each((ROOT.topics ?? []).map(({ name, summary }) => [name, summary]))(
    'named %s fits in 80 columns, and svc help lists its summary',
    async (name, summary) => {
      const { code, stdout, stderr } = await machine.svc(['help', name], { terminal: 80 });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^\S.*\.\n\n/);
      expect(stdout.startsWith(`${summary}.\n`)).toBe(true);
      for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
      expect((await machine.svc(['help'])).stdout).toContain(summary);
      const alone = await machine.svc([name]);
      expect(alone).toMatchObject({ code: 2, stdout: '' });
      expect(alone.stderr).toContain(`This word is a topic of help: svc help ${name}`);
    },
  );

  it('explains the terms of docs/glossary.md', async () => {
    const terms = [
      ...(await readFile(new URL('../../docs/glossary.md', import.meta.url), 'utf8')).matchAll(/^\| ([^|]+) \| (.+) \|$/gm),
    ].slice(1);
    expect(terms.length).toBeGreaterThan(20);
    const { stdout } = await machine.svc(['help', 'glossary'], { terminal: 500 });
    for (const [, term = '', meaning = ''] of terms)
      expect(stdout.replace(/\s+/g, ' ')).toContain(`${term} ${meaning}`.replaceAll('\\', ''));
  });

  it('lists every exit code, and another topic lists every output format', async () => {
    const codes = (await machine.svc(['help', 'exit-codes'])).stdout;
    for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130, 143]) expect(codes).toMatch(new RegExp(`^ +${code} `, 'm'));
    const formats = (await machine.svc(['help', 'formats'])).stdout;
    for (const name of OUTPUT_FORMATS) expect(formats).toMatch(new RegExp(`^ +(\\w+, )?${name}[ ,]`, 'm'));
  });
});

describe('the singular of a resource', () => {
  it('is an alias of the resource', async () => {
    expect(await machine.svc(['worklog', 'add', '--help'])).toEqual(await machine.svc(['worklogs', 'add', '--help']));
    expect(await machine.svc(['work-item', '--help'])).toEqual(await machine.svc(['work-items', '--help']));
  });
});
