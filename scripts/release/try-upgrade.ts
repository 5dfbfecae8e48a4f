/**
 * Upgrades and downgrades svc in the middle of its work: node scripts/release/try-upgrade.ts <older svc> <newer svc>. The arguments are paths of
 * executables, or of `bin/svc.js`.
 *
 * The two versions take turns at an import, an export of the same records to the local database, and the journal, in one home directory. Each
 * is killed (SIGKILL) in the middle. At the end, the service has each row exactly once, and the older version still reads everything.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROWS = 300;
/** Three versions are killed, each after so many rows. The last one creates the rest. That takes six seconds, enough for a busy machine. */
const ROWS_PER_TURN = 60;
/** Each row takes so long that a kill comes in the middle. */
const SLOW = 'POST /worklogs delay=400ms x*';
const [older, newer] = process.argv.slice(2).map((path) => resolve(path));
if (older === undefined || newer === undefined) throw new Error('Give the paths of an older and of a newer svc.');

const home = await mkdtemp(join(tmpdir(), 'svc-upgrade-'));
const file = join(home, 'hours.csv');
const base = { HOME: home, PATH: process.env['PATH'] ?? '', SVC_TOKEN_STORE: 'file' };
const [sandboxProgram, sandboxArgs] = commandOf(newer, ['sandbox', '--output', 'json', '--limits', 'off', '--fault', SLOW]);
const sandbox = spawn(sandboxProgram, sandboxArgs, { env: base, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = (await once(createInterface({ input: sandbox.stdout }), 'line')) as [string];
  sandbox.stdout.resume();
  const { host, tokens }: { readonly host: string; readonly tokens: readonly { readonly value: string }[] } = JSON.parse(line);
  const env = { ...base, SVC_HOST: host, SVC_TOKEN: tokens[0]?.value ?? '' };
  const rows = Array.from({ length: ROWS }, (_, index) => `2026-01-05,${index + 1},upgrade ${index + 1},1`);
  await writeFile(file, ['date,minutes,description,project_id', ...rows, ''].join('\n'));

  const before = await total(env);
  for (const [turn, svc] of [older, newer, older].entries())
    await killAt(svc, env, ['worklogs', 'import', file], async () => (await total(env)) >= before + (turn + 1) * ROWS_PER_TURN);
  for (const svc of [older, newer]) {
    run(svc, env, 'worklogs', 'import', file);
    run(svc, env, 'sync', 'worklogs', 'projects', '--no-children');
  }
  const listed = run(newer, env, 'worklogs', 'list', '--from', '2026-01-05', '--to', '2026-01-05', '--output', 'json');
  const texts = (JSON.parse(listed) as readonly { readonly description: string }[])
    .map(({ description }) => description)
    .filter((description) => description.startsWith('upgrade '));
  if (texts.length !== ROWS || new Set(texts).size !== ROWS)
    throw new Error(`The service has ${texts.length} rows, ${new Set(texts).size} different, of ${ROWS}.`);
  const counts = [older, newer].map((svc) =>
    run(svc, env, 'sql', "select count(*) as n from worklogs where description like 'upgrade %'", '--output', 'json').trim(),
  );
  const journals = [older, newer].map((svc) => run(svc, env, 'history', '--output', 'json', '--limit', '5'));
  if (counts.some((count) => JSON.parse(count)[0].n !== ROWS) || journals[0] !== journals[1])
    throw new Error(`The versions read different state: ${counts}, ${journals}`);
  console.log(`3 kills between the two versions: ${ROWS} rows once each; both read the journal and the local database.`);
} finally {
  const ended = once(sandbox, 'exit');
  sandbox.kill('SIGINT');
  await ended;
  await rm(home, { recursive: true, force: true });
}

function commandOf(svc: string, argv: readonly string[]): [string, readonly string[]] {
  return svc.endsWith('.js') ? [process.execPath, [svc, ...argv]] : [svc, argv];
}

function run(svc: string, env: NodeJS.ProcessEnv, ...argv: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(...commandOf(svc, argv), { env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`${svc} ${argv.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** How many worklogs the service has. It is asked without svc, whose start takes longer than some rows. */
async function total({ SVC_HOST, SVC_TOKEN }: NodeJS.ProcessEnv): Promise<number> {
  const answer = await fetch(`http://${SVC_HOST}/api/v2/worklogs?with_total=1&per_page=1`, {
    headers: { authorization: `Bearer ${SVC_TOKEN}` },
  });
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}: ${await answer.text()}`);
  const { meta } = (await answer.json()) as { readonly meta: { readonly page: { readonly total: number } } };
  return meta.page.total;
}

/** Starts svc, and kills it as soon as `isTime`. @throws Error if svc ended first. */
async function killAt(svc: string, env: NodeJS.ProcessEnv, argv: readonly string[], isTime: () => Promise<boolean>): Promise<void> {
  const child = spawn(...commandOf(svc, argv), { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (child.exitCode === null && child.signalCode === null && !(await isTime()));
  child.kill('SIGKILL');
  const [code, signal] = await ended;
  if (signal !== 'SIGKILL') throw new Error(`${svc} ${argv.join(' ')} ended with ${code ?? signal} before it was killed.`);
}
