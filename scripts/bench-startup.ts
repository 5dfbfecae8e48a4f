/**
 * Measures how long svc takes to start, compared with bare Node (`node -e 0`). The script divides each run of a command by a run of bare
 * Node next to it. A busy machine therefore hardly affects the result. Prints medians.
 *
 *     node scripts/bench-startup.ts [--runs 30] [--standalone <executable>]
 *
 * Also measures processor time and memory of `svc me`, if bash and GNU time are installed.
 *
 * Uses the built dist, a temporary home directory and a local sandbox. Measures gh too if it is installed, and the keychain if
 * scripts/with-keyring.sh works. Never uses your own keychain.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Cost, processCost } from './bench/process-cost.ts';

/** The exit code of scripts/with-keyring.sh if a program is missing. */
const NO_KEYRING = 69;

const hasKeyring = process.env['SVC_KEYRING_SESSION'] === 'started';
if (!hasKeyring && process.platform === 'linux') {
  const again = spawnSync(join(import.meta.dirname, 'with-keyring.sh'), [process.execPath, ...process.argv.slice(1)], { stdio: 'inherit' });
  if (again.status !== NO_KEYRING) process.exit(again.status ?? 1);
}

const { values } = parseArgs({ options: { runs: { type: 'string', default: '30' }, standalone: { type: 'string' } } });
const runs = Number(values.runs);
const root = fileURLToPath(new URL('..', import.meta.url));
const node = process.execPath;
const svc = join(root, 'bin', 'svc.js');
const home = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const base = {
  PATH: process.env['PATH'],
  HOME: home,
  SVC_TOKEN_STORE: 'file',
  SVC_BROWSER: `"${node}" --no-warnings "${join(root, 'scripts', 'approve.ts')}"`,
};

/** The environment of a sign-in whose tokens are in the keychain. */
const withKeychain = {
  ...base,
  SVC_TOKEN_STORE: 'keychain',
  SVC_CONFIG_DIR: join(home, 'keychain'),
  DBUS_SESSION_BUS_ADDRESS: process.env['DBUS_SESSION_BUS_ADDRESS'],
  XDG_RUNTIME_DIR: process.env['XDG_RUNTIME_DIR'],
};

/** The environment of a sign-in with an imported API spec. */
const withDescription = { ...base, SVC_CONFIG_DIR: join(home, 'described') };

interface Subject {
  readonly name: string;
  readonly command: readonly string[];
  /** The environment variables. Default: `base`. */
  readonly env?: NodeJS.ProcessEnv;
  /** The limit for the median: a ratio to another subject, or a number of milliseconds more. */
  readonly bound?: { readonly to: string } & ({ readonly ratio: number } | { readonly more: number });
}

const BARE = 'bare Node';
const FETCH = 'a script with fetch';

/** The highest processor time of `svc me`, as a ratio to bare Node: 50 ms to 23 ms. */
const CPU_OF_BARE = 50 / 23;
/** The highest memory use of `svc me`, in MiB. */
const PEAK_MIB = 50;

const sandbox = spawn(node, [svc, 'sandbox', '--approve', '--limits', 'off'], { env: base, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const { host, token } = await started();
  for (const env of [base, withDescription, ...(hasKeyring ? [withKeychain] : [])]) {
    const login = spawnSync(node, [svc, 'login', host], { env, encoding: 'utf8' });
    if (login.status !== 0) throw new Error(login.stderr);
  }
  const imported = spawnSync(node, [svc, 'schema', 'import', `http://${host}/api/v2/openapi.json`], {
    env: withDescription,
    encoding: 'utf8',
  });
  if (imported.status !== 0) throw new Error(imported.stderr);
  const script = join(home, 'fetch.mjs');
  writeFileSync(
    script,
    `const answer = await fetch('http://${host}/api/v2/me', { headers: { authorization: 'Bearer ${token}' } });\nconsole.log(await answer.text());\n`,
  );
  report(measure(subjects(script)));
  reportCosts();
} finally {
  const stopped = once(sandbox, 'exit');
  sandbox.kill('SIGINT');
  await stopped;
  rmSync(home, { recursive: true, force: true });
}

function subjects(fetchScript: string): Subject[] {
  const own = (name: string, start: readonly string[]): Subject[] => [
    { name: `${name} --version`, command: [...start, '--version'], bound: { to: BARE, ratio: 1.25 } },
    { name: `${name} --help`, command: [...start, '--help'], bound: { to: BARE, ratio: 1.6 } },
    { name: `${name} worklogs add --help`, command: [...start, 'worklogs', 'add', '--help'], bound: { to: BARE, ratio: 1.6 } },
    { name: `${name} me`, command: [...start, 'me'], bound: { to: FETCH, ratio: 0.75 } },
    {
      name: `${name} worklogs add --minutes 90`,
      command: [...start, 'worklogs', 'add', '--minutes', '90'],
      bound: { to: FETCH, ratio: 0.85 },
    },
  ];
  return [
    { name: BARE, command: [node, '-e', '0'] },
    { name: FETCH, command: [node, fetchScript] },
    ...(spawnSync('gh', ['--version']).status === 0 ? [{ name: 'gh --help', command: ['gh', '--help'] }] : []),
    ...own('svc', [node, svc]),
    ...own('described', [node, svc]).map((subject) => ({ ...subject, env: withDescription })),
    ...(hasKeyring
      ? [{ name: 'svc me, keychain store', command: [node, svc, 'me'], env: withKeychain, bound: { to: 'svc me', more: 15 } }]
      : []),
    ...(values.standalone === undefined ? [] : own('standalone', [values.standalone])),
  ];
}

/** Runs all subjects in turn. Returns the milliseconds of each run. */
function measure(all: readonly Subject[]): ReadonlyMap<Subject, readonly number[]> {
  const times = new Map(all.map((subject) => [subject, [] as number[]]));
  for (let round = -2; round < runs; round += 1) {
    for (const [subject, list] of times) {
      const ms = time(subject);
      // The first two rounds only fill caches.
      if (round >= 0) list.push(ms);
    }
  }
  return times;
}

function time({ name, command: [program = '', ...args], env = base }: Subject): number {
  const before = performance.now();
  const { status, error } = spawnSync(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ms = performance.now() - before;
  if (status !== 0) throw new Error(`${name} ended with ${status}. ${error?.message ?? ''}`);
  return ms;
}

function report(times: ReadonlyMap<Subject, readonly number[]>): void {
  const compare = (subject: Subject, to: string, how: (ms: number, other: number) => number) => {
    const yardstick = [...times].find(([{ name }]) => name === to)?.[1] ?? [];
    return median((times.get(subject) ?? []).map((ms, run) => how(ms, yardstick[run] ?? Number.NaN)));
  };
  const ratio = (subject: Subject, to: string) => compare(subject, to, (ms, other) => ms / other);
  const verdict = (subject: Subject): string => {
    const { bound } = subject;
    if (bound === undefined) return '';
    if ('ratio' in bound) return `${bound.ratio} of ${bound.to}: ${ratio(subject, bound.to) <= bound.ratio ? 'met' : 'MISSED'}`;
    const more = compare(subject, bound.to, (ms, other) => ms - other);
    return `${bound.more} ms more than ${bound.to}: ${more <= bound.more ? 'met' : 'MISSED'} (${more.toFixed(1)})`;
  };
  console.log(`Node ${process.versions.node}, ${runs} runs, medians\n`);
  console.log(`${''.padEnd(38)}${'ms'.padStart(7)}${'of bare'.padStart(9)}${'of fetch'.padStart(10)}   bound`);
  for (const [subject, list] of times) {
    const columns = [
      median(list).toFixed(1).padStart(7),
      ratio(subject, BARE).toFixed(2).padStart(9),
      ratio(subject, FETCH).toFixed(2).padStart(10),
    ];
    console.log(`${subject.name.padEnd(38)}${columns.join('')}   ${verdict(subject)}`);
  }
}

/** Prints processor time and memory of `svc me`. Other programs affect these figures less than the elapsed time. */
function reportCosts(): void {
  const costs: { readonly bare: Cost; readonly me: Cost }[] = [];
  for (let run = 0; run < runs; run += 1) {
    const [bare, me] = [processCost([node, '-e', '0'], base), processCost([node, svc, 'me'], base)];
    if (bare === undefined || me === undefined) return;
    costs.push({ bare, me });
  }
  const row = (name: string, figure: (cost: Cost) => number, isMet: (value: number, ratio: number) => boolean, bound: string) => {
    const [bare, me] = [costs.map((pair) => figure(pair.bare)), costs.map((pair) => figure(pair.me))];
    const ratio = median(me.map((value, run) => value / (bare[run] ?? Number.NaN)));
    const columns = [bare, me].flatMap((list) => [median(list), Math.min(...list)]).map((value) => value.toFixed(1).padStart(9));
    console.log(`${name}${columns.join('')}${ratio.toFixed(2).padStart(9)}   ${bound}: ${isMet(median(me), ratio) ? 'met' : 'MISSED'}`);
  };
  console.log(
    `\n${'What svc me costs'.padEnd(20)}${['bare', 'least', 'svc me', 'least', 'of bare'].map((head) => head.padStart(9)).join('')}   bound`,
  );
  row(
    'processor time, ms  ',
    ({ cpuMs }) => cpuMs,
    (_, ratio) => ratio <= CPU_OF_BARE,
    `${CPU_OF_BARE.toFixed(2)} of bare`,
  );
  row(
    'peak memory, MiB    ',
    ({ peakMiB }) => peakMiB,
    (value) => value <= PEAK_MIB,
    `${PEAK_MIB} MiB`,
  );
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Returns the host of the sandbox and a token, from the sandbox’s output. */
async function started(): Promise<{ readonly host: string; readonly token: string }> {
  let text = '';
  for await (const piece of sandbox.stdout) {
    text += String(piece);
    const host = /http:\/\/(\S+)/.exec(text)?.[1];
    const token = /pat_\w+/.exec(text)?.[0];
    if (host !== undefined && token !== undefined && text.includes('Ctrl-C')) {
      sandbox.stdout.resume();
      return { host, token };
    }
  }
  throw new Error('The sandbox ended before it was ready.');
}
