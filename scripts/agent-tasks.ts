/**
 * Gives an agent forty tasks with svc, each with its own sandbox, and checks the results.
 *
 *     npm run agent-tasks -- --list                    lists the tasks
 *     npm run agent-tasks -- --start 3                 prepares agent-tasks/3 and runs its sandbox until Ctrl-C
 *     npm run agent-tasks -- --check 3                 checks the result while the sandbox runs
 *     npm run agent-tasks -- --run 'my-agent' 1 2 3    gives these tasks (default: all) to a command, and checks them
 *     npm run agent-tasks -- --reference               does the same with the scripts of agent-tasks/solutions.ts
 *     npm run agent-tasks -- --compare                 solves the last twenty tasks with svc and with curl, and prints a table
 *
 * The command gets the task on standard input and in the variable `TASK`. It runs in the task’s directory, which contains svc, its sign-in
 * and the skill.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readDocumentation } from './agent-tasks/documentation.ts';
import { RAW_SOLUTIONS } from './agent-tasks/raw-solutions.ts';
import { SOLUTIONS } from './agent-tasks/solutions.ts';
import type { Task } from './agent-tasks/task.ts';
import { checkTaskSetup, measureRoom, openTaskSetup, tokensOf } from './agent-tasks/task-setup.ts';
import { TASKS } from './agent-tasks/tasks.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean' },
    start: { type: 'string' },
    check: { type: 'string' },
    run: { type: 'string' },
    reference: { type: 'boolean' },
    compare: { type: 'boolean' },
    minutes: { type: 'string', default: '10' },
    into: { type: 'string', default: 'agent-tasks' },
    svc: { type: 'string', default: fileURLToPath(new URL('../bin/svc.js', import.meta.url)) },
  },
});

/** The general instructions that an agent gets in addition to its task. */
const INSTRUCTIONS =
  'Use the command svc, which is on the PATH and signed in. Read .agents/skills/svc/SKILL.md first. Do only what the task asks.';

if (values.list) for (const [index, { name, prompt }] of TASKS.entries()) console.log(`${index + 1}  ${name}: ${prompt}`);
else if (values.start !== undefined) await start(numberOf(values.start));
else if (values.check !== undefined) {
  const number = numberOf(values.check);
  process.exitCode = report(number, await checkTaskSetup(taskOf(number), directoryOf(number))) ? 0 : 1;
} else if (values.compare) await compareAll(positionals.map(numberOf));
else if (values.run !== undefined || values.reference) await runAll(positionals.map(numberOf));
else {
  console.error('Give one of --list, --start <n>, --check <n>, --run <command>, --reference or --compare.');
  process.exitCode = 2;
}

async function start(number: number): Promise<void> {
  const setup = await openTaskSetup(taskOf(number), directoryOf(number), values.svc);
  console.log(`${taskOf(number).prompt}\n\n${INSTRUCTIONS}\n`);
  console.log(`Where it works:  ${setup.directory}   (first: . ./env.sh)`);
  console.log(`Then, in another terminal: npm run agent-tasks -- --check ${number}`);
  console.log('Ctrl-C ends the sandbox.');
  await once(process, 'SIGINT');
  await setup.close();
}

async function runAll(numbers: readonly number[]): Promise<void> {
  const chosen = numbers.length === 0 ? TASKS.map((_, index) => index + 1) : numbers;
  let passed = 0;
  let printed = 0;
  for (const number of chosen) {
    const task = taskOf(number);
    const setup = await openTaskSetup(task, directoryOf(number), values.svc);
    try {
      const ended = await give(task, setup.directory, setup.env);
      const faults = await checkTaskSetup(task, setup.directory);
      if (report(number, ended === undefined ? faults : [ended, ...faults])) passed += 1;
      const { commands, tokens } = await measureRoom(setup.directory);
      printed += tokens;
      console.log(`           commands: ${commands.length}, tokens of output: ${tokens}`);
    } finally {
      await setup.close();
    }
  }
  console.log(`\nTokens of output: ${printed}\n${passed} of ${chosen.length}`);
  process.exitCode = passed === chosen.length ? 0 : 1;
}

/** One way to solve a task: its requests or commands, the tokens that they print, and those of what an agent reads before. */
interface Way {
  readonly commands: number;
  readonly printed: number;
  readonly read: number;
}

/** Solves tasks with svc and with curl, and prints a table in Markdown. */
async function compareAll(numbers: readonly number[]): Promise<void> {
  const chosen = numbers.length === 0 ? TASKS.slice(20).map((_, index) => index + 21) : numbers;
  const rows: (readonly [name: string, svc: Way, raw: Way])[] = [];
  let whole = 0;
  for (const number of chosen) {
    const task = taskOf(number);
    const withSvc = await openTaskSetup(task, directoryOf(number), values.svc);
    const raw = await openTaskSetup(task, `${directoryOf(number)}-raw`, values.svc, true);
    try {
      const documentation = await readDocumentation(raw.place);
      whole = tokensOf(documentation.whole);
      const solve = async ({ directory, env }: typeof raw, script: string | undefined) => {
        const ended = await give(task, directory, env, `set -eu\n${script ?? 'exit 1'}`);
        const faults = await checkTaskSetup(task, directory);
        if (!report(number, ended === undefined ? faults : [ended, ...faults])) process.exitCode = 1;
        return measureRoom(directory);
      };
      const [svc, http] = [await solve(withSvc, SOLUTIONS[task.name]), await solve(raw, RAW_SOLUTIONS[task.name])];
      const helps = new Set(await Promise.all(svc.commands.map((line) => helpOf(line, withSvc.env))));
      const requests = http.commands.flatMap((line) => (line.startsWith('api ') ? [line.slice(4)] : []));
      rows.push([
        task.name,
        { commands: svc.commands.length, printed: svc.tokens, read: tokensOf([...helps].join('')) },
        { commands: http.commands.length, printed: http.tokens, read: tokensOf(documentation.partFor(requests)) },
      ]);
    } finally {
      await withSvc.close();
      await raw.close();
    }
  }
  const cells = ({ commands, printed, read }: Way) => [commands, printed, read].map((count) => count.toLocaleString('en'));
  const sum = (ways: readonly Way[]): Way => ({
    commands: ways.reduce((total, { commands }) => total + commands, 0),
    printed: ways.reduce((total, { printed }) => total + printed, 0),
    read: ways.reduce((total, { read }) => total + read, 0),
  });
  console.log('\n| task | svc: commands | output | help | HTTP: requests | answers | documentation |\n|---|---|---|---|---|---|---|');
  for (const [name, svc, raw] of rows) console.log(`| \`${name}\` | ${[...cells(svc), ...cells(raw)].join(' | ')} |`);
  console.log(`| all | ${[...cells(sum(rows.map(([, svc]) => svc))), ...cells(sum(rows.map(([, , raw]) => raw)))].join(' | ')} |`);
  console.log(`\nTokens of the whole API spec: ${whole.toLocaleString('en')}`);
}

/** Returns the help of a command as it was typed: `svc labels delete 3`. */
async function helpOf(line: string, env: Readonly<Record<string, string>>): Promise<string> {
  const words = line.split(' ').slice(1);
  const verbs = words.slice(0, words[0] === 'undo' || words[0] === 'apply' || words[0] === 'history' ? 1 : 2);
  const child = spawn(process.execPath, [values.svc, ...verbs, '--help'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text(child.stdout);
}

/** Gives a task to the command or to its reference solution. Returns an error message if the command fails. */
async function give(
  task: Task,
  directory: string,
  env: Readonly<Record<string, string>>,
  script = values.run ?? `set -eu\n${SOLUTIONS[task.name] ?? 'exit 1'}`,
): Promise<string | undefined> {
  const prompt = `${task.prompt}\n\n${INSTRUCTIONS}\n`;
  const timeout = Number(values.minutes) * 60_000;
  const child = spawn('sh', ['-c', script], {
    cwd: directory,
    env: { ...process.env, ...env, TASK: prompt },
    stdio: ['pipe', 'ignore', 'pipe'],
    timeout,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2000);
  });
  child.stdin.on('error', () => undefined).end(prompt);
  const [code, signal] = await once(child, 'close');
  return code === 0 ? undefined : `It ended with ${code ?? signal}: ${stderr.trim()}`;
}

function report(number: number, faults: readonly string[]): boolean {
  console.log(`${faults.length === 0 ? 'ok    ' : 'failed'} ${String(number).padStart(2)}  ${taskOf(number).name}`);
  for (const fault of faults) console.log(`           ${fault}`);
  return faults.length === 0;
}

function directoryOf(number: number): string {
  return resolve(values.into, String(number));
}

function taskOf(number: number): Task {
  const task = TASKS[number - 1];
  if (task === undefined) throw new Error(`There is no task ${number}. The tasks are 1 to ${TASKS.length}.`);
  return task;
}

function numberOf(text: string): number {
  taskOf(Number(text));
  return Number(text);
}
