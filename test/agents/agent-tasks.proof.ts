import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RAW_SOLUTIONS } from '../../scripts/agent-tasks/raw-solutions.ts';
import { SOLUTIONS } from '../../scripts/agent-tasks/solutions.ts';
import { TASKS } from '../../scripts/agent-tasks/tasks.ts';
import { splitWords } from '../../src/values/command-line.ts';
import { svcBinary } from '../support/binary.ts';
import { partOf } from '../support/parts.ts';
import { createMachine, type Machine } from '../support/svc.ts';

const NUMBERS = TASKS.map((_, index) => index + 1);

/** The tasks that run: a quarter of the forty, another one each day. */
const CHOSEN = partOf(NUMBERS, 8).map(String);

let machine: Machine;
let directory: string;
beforeAll(async () => {
  machine = await createMachine();
  directory = await mkdtemp(join(tmpdir(), 'svc-agents-'));
});
afterAll(async () => {
  await machine.remove();
  await rm(directory, { recursive: true, force: true });
});

/** `node scripts/agent-tasks.ts …`, with the svc of this run. */
function tasks(...argv: readonly string[]): Promise<{ readonly code: number; readonly stdout: string }> {
  const args = ['--no-warnings', 'scripts/agent-tasks.ts', '--into', directory, '--svc', svcBinary().path, ...argv];
  return new Promise((done) => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stdout: stdout + stderr }),
    );
  });
}

// With SVC_TEST_FULL=1 some three hundred processes, one after the other.
describe('the agent tasks', { timeout: 900_000 }, () => {
  it('have forty different names, and each task has a solution', async () => {
    expect(new Set(TASKS.map(({ name }) => name)).size).toBe(40);
    expect(Object.keys(SOLUTIONS).sort()).toEqual(TASKS.map(({ name }) => name).sort());
    const { stdout } = await tasks('--list');
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(TASKS.map((_, index) => String(index + 1)));
  });

  it('pass with the stored solutions, in at most 9,000 tokens of output for tasks 21 to 40', async () => {
    const { code, stdout } = await tasks('--reference', ...CHOSEN);
    expect(stdout).toContain(`\n${CHOSEN.length} of ${CHOSEN.length}\n`);
    expect(code).toBe(0);
    const tokens = [...stdout.matchAll(/tokens of output: (\d+)/g)].map(([, count]) => Number(count));
    const ofLast = tokens.filter((_, index) => Number(CHOSEN[index]) > 20);
    expect(ofLast.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(9_000);
    const room = join(directory, CHOSEN[0] ?? '');
    expect((await readdir(room)).sort()).toEqual(['.agents', 'bin', 'config', 'env.sh', 'task.json', 'task.txt']);
    expect(await readFile(join(room, '.agents/skills/svc/SKILL.md'), 'utf8')).toMatch(/^---\nname: svc\n/);
  });

  it('pass with svc and with curl; the API spec for curl is longer than the help of svc', async () => {
    expect(Object.keys(RAW_SOLUTIONS)).toEqual(TASKS.slice(20).map(({ name }) => name));
    const compared = partOf(NUMBERS.slice(20), 5);
    const { code, stdout } = await tasks('--compare', ...compared.map(String));
    expect(stdout.match(/^ok /gm)).toHaveLength(2 * compared.length);
    expect(code).toBe(0);
    const [, , , , help, , , documentation] = (/^\| all \|.*$/m.exec(stdout)?.[0] ?? '')
      .split('|')
      .map((cell) => Number(cell.replaceAll(',', '')));
    expect(documentation).toBeGreaterThan(Number(help));
  });

  it('fail for an agent that does nothing or too much, or logs on a wrong date', async () => {
    const { code, stdout } = await tasks('--run', 'cat > seen.txt', ...CHOSEN);
    expect(stdout).toContain(`\n0 of ${CHOSEN.length}\n`);
    expect(code).toBe(1);
    const first = Number(CHOSEN[0]);
    expect(await readFile(join(directory, String(first), 'seen.txt'), 'utf8')).toBe(
      `${TASKS[first - 1]?.prompt}\n\nUse the command svc, which is on the PATH and signed in. Read .agents/skills/svc/SKILL.md first. Do only what the task asks.\n`,
    );
    const besides = await tasks('--run', `${SOLUTIONS['log-hours']}; svc worklogs add 5 ABC-9 "Something else"`, '1');
    expect(besides.stdout).toContain('/worklogs: 2 created, not 1.');
    const otherwise = await tasks('--run', 'svc worklogs add 90 ABC-12 "Reviewed the import"', '1');
    expect(otherwise.stdout).toMatch(/date of \d+ is "[\d-]+", not "[\d-]+"\./);
  });
});

describe('the solutions of the agent tasks', () => {
  // A flag that nobody could have read of would make the set a test of guessing.
  it('use only flags that the skill or the help of the command names', async () => {
    const skill = (await machine.svc(['skill', 'show'])).stdout;
    for (const [name, script] of Object.entries(SOLUTIONS)) {
      for (const [, line = ''] of script.matchAll(/(?:^|\$\(|\s)(svc (?:[^|\n;)'"]|'[^']*'|"[^"]*")+)/g)) {
        const words = splitWords(line.replace(/ (?:>|\|\|).*$/, '').trim()).slice(1);
        const help = (await machine.svc([...words, '--help'])).stdout;
        expect(help, `${name}: ${line}`).toMatch(/\nUsage:\n {2}svc /);
        for (const flag of words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=', 1)[0] ?? word))
          expect(`${skill}\n${help}`, `${name}: ${line}`).toContain(flag);
      }
    }
  });
});
