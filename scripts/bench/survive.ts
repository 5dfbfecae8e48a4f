import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../../src/sandbox/http/faults.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { runTimed } from './run-timed.ts';
import type { Figure, Settings } from './settings.ts';

const ROWS = 2_000;
const DAY = '2031-01-01';

/**
 * Imports 2,000 rows, kills svc twice, and drops 5 percent of the connections. Half of the drops happen after the service has done the
 * work.
 */
export async function benchImport({ svc, directory }: Settings): Promise<Figure[]> {
  const sandbox = await startSandbox({ limits: 'off' });
  try {
    const env = environment(sandbox, directory);
    const file = join(directory, 'rows.csv');
    const rows = Array.from({ length: ROWS }, (_, index) => `${DAY},15,row ${index}\n`);
    await writeFile(file, `date,minutes,description\n${rows.join('')}`);
    sandbox.setFaults(
      Array.from({ length: ROWS }, (_, index): Fault => ({ method: 'POST', skip: 19, drop: index % 2 === 0 ? 'before' : 'after' })),
    );
    const command = [...svc, 'worklogs', 'import', file];
    for (const count of [600, 1_400]) await runAndKill(command, env, () => sandbox.requests.length >= count);
    const last = await runTimed(command, { env });
    sandbox.setFaults([]);
    const listed = join(directory, 'listed.ids');
    await runTimed([...svc, 'worklogs', 'list', '--date', DAY, '--fields', 'description', '--output', 'tsv'], { env, file: listed });
    const records = (await readFile(listed, 'utf8')).split('\n').slice(1, -1);
    return [
      { name: `records after importing ${ROWS} rows with two kills`, value: records.length, digits: 0, atLeast: ROWS, atMost: ROWS },
      { name: 'different records among these', value: new Set(records).size, digits: 0, atLeast: ROWS },
      { name: 'exit code of the last run', value: last.code ?? -1, digits: 0, atMost: 0 },
    ];
  } finally {
    await sandbox.close();
  }
}

/** Compares a killed and resumed export with an uninterrupted export. */
export async function benchExport({ svc, directory }: Settings): Promise<Figure[]> {
  const sandbox = await startSandbox({ limits: 'off' });
  try {
    const env = environment(sandbox, directory);
    const killed = join(directory, 'killed');
    await runAndKill([...svc, 'export', killed, 'worklogs'], env, () => sandbox.requests.length >= 20);
    await runTimed([...svc, 'export', killed, 'worklogs'], { env });
    const asked = sandbox.requests.length;
    await runTimed([...svc, 'export', join(directory, 'whole'), 'worklogs'], { env });
    const whole = sandbox.requests.length - asked;
    const [one, other] = await Promise.all(['killed', 'whole'].map((name) => digest(join(directory, name, 'worklogs.ndjson'))));
    return [
      { name: 'a resumed export equals an uninterrupted one (1: yes)', value: Number(one === other), digits: 0, atLeast: 1 },
      // Allowed: the current page, the page requested in advance, discovery, and the user.
      { name: 'requests that the interruption cost', value: asked - whole, digits: 0, atMost: 4 },
    ];
  } finally {
    await sandbox.close();
  }
}

function environment(sandbox: Sandbox, directory: string) {
  return { HOME: directory, SVC_TOKEN: sandbox.tokens[0]?.value ?? '', SVC_HOST: new URL(sandbox.origin).host };
}

/** Starts a command, and kills it as soon as `enough` returns true. */
async function runAndKill(command: readonly string[], env: NodeJS.ProcessEnv, enough: () => boolean): Promise<void> {
  const run = runTimed(command, {
    env,
    measured: false,
    onStart: async (child) => {
      while (!enough()) await pause(2);
      child.kill('SIGKILL');
    },
  });
  await run;
}

async function digest(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
