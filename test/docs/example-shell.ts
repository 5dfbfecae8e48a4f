import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { splitWords } from '../../src/values/command-line.ts';
import { createMachine, type Result } from '../support/svc.ts';

/** A person’s machine on which a test types the commands of one document, and the organisations of the document. */
export interface ExampleShell {
  /** Returns a script with the hosts of sandboxes: `acme.example.com` becomes the address of a sandbox. */
  addressed(script: string): Promise<string>;
  /** Types a script. The script gets a personal access token on stdin. */
  type(script: string): Promise<Result>;
  remove(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Creates the shell.
 * @param bin returns a directory with the real `svc`, at the first script that needs a shell. A script that contains only svc commands runs
 * in this process, which is many times faster.
 */
export async function createExampleShell(bin: () => Promise<string>): Promise<ExampleShell> {
  const machine = await createMachine({ env: { SVC_TOKEN_STORE: 'file' } });
  const cwd = join(machine.home, 'work');
  await mkdir(cwd);
  const acme = await startSandbox({ approve: true, limits: 'off' });
  let beta: Promise<Sandbox> | undefined;
  const token = acme.tokens[0]?.value ?? '';
  for (const user of [1, 2]) await logToday(acme, token, user);
  await writeFile(join(cwd, 'token.txt'), token);
  for (const name of ['hours.csv', 'toggl.csv']) await writeFile(join(cwd, name), HOURS);
  await writeFile(join(cwd, 'worklogs.csv'), 'date,minutes,description\n2026-03-02,30,Imported\n');
  await writeFile(join(cwd, 'agents.json'), '{"allow":[{"resource":"worklogs","verbs":["create"]}]}');

  async function inShell(script: string): Promise<Result> {
    const env = {
      HOME: machine.home,
      PATH: `${await bin()}:${process.env['PATH']}`,
      SVC_TOKEN_STORE: 'file',
      SVC_BROWSER: `"${process.execPath}" --no-warnings "${join(root, 'scripts/approve.ts')}"`,
      TZ: 'Europe/Amsterdam',
    };
    return new Promise((resolve) => {
      const child = execFile('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd, env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
      });
      child.stdin?.on('error', () => undefined).end(token);
    });
  }

  async function here(lines: readonly (readonly string[])[]): Promise<Result> {
    let all: Result = { code: 0, stdout: '', stderr: '' };
    for (const argv of lines) {
      const { code, stdout, stderr } = await machine.svc(argv, { stdin: token, cwd });
      all = { code, stdout: all.stdout + stdout, stderr: all.stderr + stderr };
      if (code !== 0) break;
    }
    return all;
  }

  return {
    async addressed(script) {
      if (script.includes('beta.example.com')) beta ??= startSandbox({ approve: true, limits: 'off' });
      const other = beta === undefined ? '' : hostOf(await beta);
      return script
        .replaceAll('https://acme.example.com', acme.origin)
        .replaceAll(/acme\.example\.com|127\.0\.0\.1:4010/g, hostOf(acme))
        .replaceAll('beta.example.com', other);
    },
    type(script) {
      const lines = script.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
      const plain = lines.map(plainCommand);
      return plain.every((argv) => argv !== undefined) ? here(plain) : inShell(script);
    },
    async remove() {
      await Promise.all([acme.close(), beta?.then((sandbox) => sandbox.close()), machine.remove()]);
    },
  };
}

/** Logs an hour of this person today. On a Monday there would otherwise be no hours since `monday`. */
async function logToday({ baseUrl }: Sandbox, token: string, user: number): Promise<void> {
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' }).format();
  const { status } = await fetch(`${baseUrl}/worklogs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: user, project_id: 2, date, minutes: 60, description: 'Hours of today' }),
  });
  if (status !== 201) throw new Error(`The sandbox answered ${status}.`);
}

function hostOf({ origin }: Sandbox): string {
  return new URL(origin).host;
}

/** Matches commands that read or write files in the current directory. Such a command needs its own process. */
const FILES =
  /^svc (?:export|sync|apply|plan|completion|sandbox|policy set|\S+ (?:import|apply))\b|\s(?:--plan|--html|--ics|--git|--data|--input)\b|[\s=]@/;

/** Returns the arguments of a line that is a single svc command and needs no shell. Undefined for any other line. */
function plainCommand(line: string): string[] | undefined {
  const command = withoutRemark(line);
  const unquoted = command.replace(/'[^']*'/g, 'x').replace(/"[^"$`\\]*"/g, 'x');
  if (!/^svc /.test(command) || FILES.test(command) || /[|<>&;$`*?~(){}[\]\\'"!]/.test(unquoted)) return undefined;
  return splitWords(command).slice(1);
}

/** Returns a line without the remark at its end. */
export function withoutRemark(line: string): string {
  return line.replace(/ +#(?: .*)?$/, '').trimEnd();
}

const HOURS = `User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags
Sanne de Vries,sanne@example.com,,Web shop,,Toggl entry,Yes,2026-03-02,09:00:00,2026-03-02,10:30:00,01:30:00,
`;
