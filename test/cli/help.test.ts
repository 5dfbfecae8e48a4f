import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandSpec } from '../../src/cli/spec.ts';
import { ROOT } from '../../src/commands/root.ts';
import { createMachine, type Machine } from '../support/svc.ts';

/** Help touches nothing: the settings cannot be read here, and there is no keychain and no network. */
let machine: Machine;
beforeAll(async () => {
  machine = await createMachine();
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
  it.each(all.map(({ path, spec }) => [path.join(' '), path, spec] as const))('svc %s --help', async (_, path, spec) => {
    const shown = await machine.svc([...path, '--help'], { terminal: 80 });
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(await machine.svc([...path, '-h'], { terminal: 80 })).toEqual(shown);
    expect(await machine.svc(['help', ...path], { terminal: 80 })).toEqual(shown);
    expect(shown.stdout).toMatch(/^\S.*\.\n/);
    expect(shown.stdout).toContain(['Usage:\n  svc', ...path].join(' '));
    // Whoever has 80 columns can read it; only an example may be longer.
    const prose = shown.stdout.split('\nExamples:')[0] ?? '';
    for (const line of prose.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    if (spec.run !== undefined) expect(shown.stdout).toMatch(/\nExamples:\n {2}# .+\n {2}svc /);
    for (const { args } of spec.examples ?? []) expect(shown.stdout).toContain(`svc ${args}`);
  });

  it('is what svc alone prints, and a noun or group alone', async () => {
    for (const path of [[], ['worklogs'], ['auth']]) {
      expect(await machine.svc(path)).toEqual(await machine.svc([...path, '--help']));
    }
  });

  it('shows the flags of a command after its arguments are wrong', async () => {
    expect((await machine.svc(['worklogs', 'add', '--minutes', 'x', '--help'])).code).toBe(0);
  });

  it('names every command of svc at the top', async () => {
    const { stdout } = await machine.svc(['--help']);
    for (const { name, hidden } of ROOT.commands ?? []) if (!hidden) expect(stdout).toMatch(new RegExp(`[ ,]${name}(,|\\s)`));
    for (const flag of ['--host', '--output', '--jq', '--dry-run', '--max-wait', '--error-format']) expect(stdout).toContain(flag);
  });
});

describe('a singular', () => {
  it('is an alias of its noun', async () => {
    expect(await machine.svc(['worklog', 'add', '--help'])).toEqual(await machine.svc(['worklogs', 'add', '--help']));
    expect(await machine.svc(['work-item', '--help'])).toEqual(await machine.svc(['work-items', '--help']));
  });
});
