import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/commands/help-topics.ts';
import { skillText } from '../../src/commands/skill.ts';
import { splitWords } from '../../src/values/command-line.ts';
import { createMachine, type Machine } from '../support/svc.ts';

let machine: Machine;
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => machine.remove());

async function shown(): Promise<string> {
  const { code, stdout, stderr } = await machine.svc(['skill', 'show']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('svc skill show', () => {
  it('prints the front matter that the Agent Skills format requires', async () => {
    const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(await shown()) ?? [];
    const { name, description, license, compatibility, metadata, ...rest } = load(front) as Record<
      'compatibility' | 'description' | 'license' | 'metadata' | 'name',
      string
    >;
    expect(rest).toEqual({});
    expect({ name, license }).toEqual({ name: 'svc', license: 'MIT' });
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(description).toMatch(/ Use for /);
    expect(compatibility.length).toBeLessThanOrEqual(500);
    expect(metadata).toEqual({ version: '0.0.0-test', digest: expect.stringMatching(/^[0-9a-f]{12}$/) });
    expect(body).toMatch(/^\n# svc\n/);
  });

  it('prints at most 780 words and symbols', async () => {
    // 716 words and signs were 725 tokens in cl100k_base, and 728 in o200k_base. An agent should spend at most 800 tokens.
    expect((await shown()).match(/\w+|[^\w\s]/g)?.length).toBeLessThanOrEqual(780);
  });

  it('explains undo, the day of night work, and the choice between several matches', async () => {
    const text = await shown();
    expect(text).toContain('an update or transition that ran with SVC_KEEP_BEFORE=1; never a delete.');
    expect(text).toContain('Work past midnight counts on the day it began: give its duration.');
    expect(text).toContain('`--dry-run` shows the request and sends nothing; the real run looks up an `<id of Aurora>`.');
    expect(text).toContain('Exit 2 with candidates: several match, use an id.');
  });

  it('names each exit code except the exit codes of signals', async () => {
    const [, list = ''] = (await shown()).split('## Exit codes');
    const codes = [...list.matchAll(/(?:^|; )(\d+) /gm)].map(([, code]) => code);
    expect(codes).toEqual(Object.keys(EXIT_CODES).filter((code) => Number(code) < 128));
  });

  it('shows only commands that exist', async () => {
    const typed = [...(await shown()).matchAll(/(?:`|^)(svc [a-z][^`\n]*?)(?:`| {3}|$)/gm)].map(([, line = '']) => line);
    expect(typed.length).toBeGreaterThan(8);
    for (const line of typed.filter((each) => !each.includes('<resource>'))) {
      const { stderr } = await machine.svc([...splitWords(line.replace(/ +#.*$/, '')).slice(1), '--help']);
      expect(stderr, line).toBe('');
    }
  });
});

describe('svc skill install', () => {
  const usual = () => join(machine.home, '.agents', 'skills', 'svc', 'SKILL.md');
  const install = async (...flags: readonly string[]) => {
    const { code, stdout } = await machine.svc(['skill', 'install', ...flags], { cwd: join(machine.home, 'work') });
    return { code, ...JSON.parse(stdout) };
  };
  beforeEach(() => mkdir(join(machine.home, 'work')));

  it('writes the skill to the folder that agents read, unless an identical skill is there', async () => {
    expect(await install()).toEqual({ code: 0, path: usual(), written: true });
    expect(await readFile(usual(), 'utf8')).toBe(await shown());
    expect(await install()).toEqual({ code: 0, path: usual(), written: false });
  });

  it('--project and --dir choose the directory', async () => {
    expect((await install('--project')).path).toBe(join(machine.home, 'work', '.agents', 'skills', 'svc', 'SKILL.md'));
    expect((await install('--dir', '../mine')).path).toBe(join(machine.home, 'mine', 'svc', 'SKILL.md'));
    expect((await machine.svc(['skill', 'install', '--project', '--dir', 'x'])).code).toBe(2);
  });

  it('updates the skill of another version without a question', async () => {
    await mkdir(join(machine.home, '.agents', 'skills', 'svc'), { recursive: true });
    await writeFile(usual(), skillText('0.0.1'));
    expect(await install()).toMatchObject({ written: true });
    expect(await readFile(usual(), 'utf8')).toBe(await shown());
  });

  it('overwrites an edited skill only after a yes or with --yes', async () => {
    await install();
    const mine = `${await shown()}10. Be nice.\n`;
    await writeFile(usual(), mine);
    const refused = await machine.svc(['skill', 'install']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--yes');
    expect((await machine.svc(['skill', 'install'], { terminal: 100, answers: [false] })).code).toBe(1);
    expect(await readFile(usual(), 'utf8')).toBe(mine);
    expect(await machine.svc(['skill', 'install'], { terminal: 100, answers: [true] })).toMatchObject({ code: 0, stdout: '' });
    expect(await readFile(usual(), 'utf8')).toBe(await shown());
    await writeFile(usual(), 'x'.repeat(70_000));
    expect((await machine.svc(['skill', 'install'])).code).toBe(2);
    expect(await install('--yes')).toMatchObject({ code: 0, written: true });
  });

  it('exits 2 when a directory has the name of the file', async () => {
    await mkdir(usual(), { recursive: true });
    expect(await machine.svc(['skill', 'install', '--yes'])).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a file') });
  });
});
