import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type Place, prepare, type Snapshot, snapshot } from './service.ts';
import { Outcome, type Task } from './task.ts';

const run = promisify(execFile);

/** The surroundings of one task: a directory with svc, the skill and the task’s files, and a separate sandbox. */
export interface TaskSetup {
  readonly directory: string;
  /** Additional environment variables: the sign-in, and a PATH on which svc comes first. */
  readonly env: Readonly<Record<string, string>>;
  readonly place: Place;
  /** Stops the sandbox. */
  close(): Promise<void>;
}

/** The data that a check needs. It stays in the directory until the check. */
interface StoredTask {
  readonly place: Place;
  readonly before: Snapshot;
  readonly began: number;
}

const STORED = 'task.json';

/**
 * Starts a sandbox, creates the task’s directory, and runs the setup commands of the task.
 *
 * @param directory path of the directory, whose contents are deleted first.
 * @param svc path of the svc launcher.
 * @param isRaw adds the programs of a solution without svc: `api`, `kept` and `show`.
 */
export async function openTaskSetup(task: Task, directory: string, svc: string, isRaw = false): Promise<TaskSetup> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(join(directory, 'bin'), { recursive: true });
  const wrapper = join(directory, 'bin', 'svc');
  await writeFile(wrapper, wrapperOf(`'${process.execPath}' '${svc}'`, join(directory, SEEN)));
  await chmod(wrapper, 0o755);
  const own = { SVC_CONFIG_DIR: join(directory, 'config'), SVC_TOKEN_STORE: 'file' };
  const path = `${join(directory, 'bin')}:${process.env['PATH']}`;
  const sandbox = spawn(process.execPath, [svc, 'sandbox', '--limits', 'off', '--output', 'json'], {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface({ input: sandbox.stdout }), 'line')) as [string];
    const place: Place = JSON.parse(line);
    const env = { ...own, PATH: path, SVC_HOST: place.host, SVC_KEEP_BEFORE: '1', SVC_TOKEN: place.tokens[0]?.value ?? '' };
    const typed = (argv: readonly string[]) => run(wrapper, argv, { cwd: directory, env: { ...process.env, ...env } });
    await typed(['skill', 'install', '--project']);
    for (const [index, argv] of (task.setup ?? []).entries()) {
      if (isRaw) await writeFile(join(directory, 'bin', `kept-${index}.json`), JSON.stringify(await snapshot(place, [])));
      await typed(argv);
    }
    if (isRaw) await writeRawPrograms(place, directory);
    for (const [name, text] of Object.entries(task.files ?? {})) await writeFile(join(directory, name), text);
    await writeFile(join(directory, 'task.txt'), `${task.prompt}\n`);
    await writeFile(
      join(directory, 'env.sh'),
      Object.entries(env)
        .map(([name, value]) => `export ${name}='${value}'\n`)
        .join(''),
    );
    const stored: StoredTask = { place, before: await snapshot(place, task.watch ?? []), began: Date.now() };
    await writeFile(join(directory, STORED), JSON.stringify(stored));
    await rm(join(directory, SEEN), { force: true });
    await prepare(place, task.faults ?? []);
    return { directory, env, place, close: () => end(sandbox) };
  } catch (error) {
    await end(sandbox);
    throw error;
  }
}

/** The file with the output of svc during the task. A line with `$` precedes the output of each command. */
const SEEN = 'bin/seen';

/** Returns a script that runs svc and also records its output. */
function wrapperOf(svc: string, seen: string): string {
  return `#!/bin/sh
one='${seen}'.$$
${svc} "$@" > "$one" 2> "$one.err"
code=$?
cat "$one"
cat "$one.err" >&2
{ echo "$ svc $*"; cat "$one" "$one.err"; } >> '${seen}'
rm "$one" "$one.err"
exit $code
`;
}

/** The programs of a solution without svc. Each records what it prints, as the script of svc does. */
async function writeRawPrograms({ base_url: base, tokens }: Place, directory: string): Promise<void> {
  const seen = join(directory, SEEN);
  const programs = {
    api: `method=$1 path=$2 filter=; shift 2
if [ "\${1:-}" = --jq ]; then filter=$2; shift 2; fi
printf '\\n$ api %s %s\\n' "$method" "$path" >> '${seen}'
curl -sS -g -X "$method" -H 'Authorization: Bearer ${tokens[0]?.value}' -H 'Content-Type: application/json' "$@" "${base}$path" |
  if [ -n "$filter" ]; then jq -r "$filter"; else cat; fi | tee -a '${seen}'`,
    kept: `echo "$ kept $*" >> '${seen}'
jq ".\\"$2\\"[\\"$3\\"]" '${directory}/bin/kept-'"$1.json" | tee -a '${seen}'`,
    show: `echo "$ show $1" >> '${seen}'
tee -a '${seen}' < "$1"`,
  };
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(directory, 'bin', name), `#!/bin/sh\n${text}\n`);
    await chmod(join(directory, 'bin', name), 0o755);
  }
}

/** The commands of a task as typed, and about how many tokens they printed. */
export async function measureRoom(directory: string): Promise<{ readonly commands: readonly string[]; readonly tokens: number }> {
  const text = await readFile(join(directory, SEEN), 'utf8').catch(() => '');
  const commands = text.split('\n').flatMap((line) => (/^\$ (?:svc|api|kept|show) /.test(line) ? [line.slice(2)] : []));
  return { commands, tokens: tokensOf(text) };
}

/** Estimates the tokens of a text: a token has some four characters. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

async function end(sandbox: ChildProcess): Promise<void> {
  if (sandbox.exitCode !== null || sandbox.signalCode !== null) return;
  const ended = once(sandbox, 'exit');
  sandbox.kill('SIGINT');
  await ended;
}

/** Checks the result of a task while its sandbox still runs. Returns one line per error. */
export async function checkTaskSetup(task: Task, directory: string): Promise<readonly string[]> {
  const { place, before, began }: StoredTask = JSON.parse(await readFile(join(directory, STORED), 'utf8'));
  const answer = await readFile(join(directory, 'answer.txt'), 'utf8').catch(() => '');
  await prepare(place, []);
  return task.check(new Outcome(before, await snapshot(place, task.watch ?? []), answer, began));
}
