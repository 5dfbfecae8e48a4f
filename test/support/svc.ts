import { randomBytes } from 'node:crypto';
import { glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Clock, type Deps, type Keychain, KeychainUnavailable, type Output } from '../../src/deps.ts';
import { InterruptedError } from '../../src/errors.ts';
import { run } from '../../src/run.ts';
import type { Sandbox } from '../../src/sandbox/start.ts';
import { systemClock } from '../../src/system/clock.ts';
import { nodeFiles } from '../../src/system/files.ts';
import { createNetwork } from '../../src/system/network.ts';
import { createPrograms } from '../../src/system/programs.ts';
import { runPrinted } from './run-printed.ts';
import { startTenant, type TenantOptions } from './tenant/start-tenant.ts';
import { visit } from './visit.ts';

type Answer = string | boolean | ((shown: string) => Promise<string>);

/** The result of a command line. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** The typed or piped input. */
  readonly stdin?: string;
  /** The width of the terminal of stdout. Undefined for a pipe. */
  readonly terminal?: number;
  /** The height of that terminal. Default: high enough for all output. */
  readonly rows?: number;
  /**
   * The answers of a person at the terminal, in order. stdin and stderr are then a terminal. Some answers follow from the output. At a
   * prompt, false means Ctrl-C, and no answer means Ctrl-D.
   */
  readonly answers?: readonly Answer[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The zone of the machine’s clock. Default: Europe/Amsterdam. */
  readonly timeZone?: string;
  /** The current time: milliseconds since 1970. Default: the machine’s clock. */
  readonly now?: number;
  /** True to end each wait at once. The clock, which may start at `now`, then moves forward. */
  readonly hurried?: boolean;
  readonly signal?: AbortSignal;
  /** Receives each piece of stderr. */
  readonly onStderr?: (text: string) => void;
  /** Receives each piece of stdout. May throw the errors of a stream, such as `OutputClosed`. */
  readonly onStdout?: (text: string) => void;
  /** Simulates the browser that the person chose. Default: the system’s browser, which approves. */
  readonly browser?: (url: string, configured?: string) => Promise<void>;
  /** Simulates the system’s browser. */
  readonly systemBrowser?: (url: string) => Promise<void>;
  /** Simulates an editor with its arguments and input. Returns its exit code. */
  readonly program?: Deps['programs']['run'];
  /** Simulates a pager with its input, and its end. */
  readonly pager?: Deps['programs']['page'];
  /** Changes the outside world that svc receives. */
  readonly around?: (deps: Deps) => Deps;
  /** Receives the arguments of a background process, and returns its end. svc starts no process. */
  readonly onStartSelf?: (argv: readonly string[]) => unknown;
}

/** A person’s account on a machine with an empty home directory. svc runs in this process over real sockets and files. */
export interface Machine {
  readonly home: string;
  /** Runs `svc <argv>`. */
  svc(argv: readonly string[], options?: RunOptions): Promise<Result>;
  remove(): Promise<void>;
}

interface MachineOptions {
  readonly keychain?: Keychain;
  readonly env?: Readonly<Record<string, string>>;
}

/** Creates a machine without a keychain, in the zone Europe/Amsterdam. */
export async function createMachine(options: MachineOptions = {}): Promise<Machine> {
  const machine = await emptyMachine(options);
  return {
    ...machine,
    async svc(argv, runOptions) {
      const result = await machine.svc(argv, runOptions);
      await runHints(machine.home, undefined, argv, { ...result, sent: [] }, runOptions);
      return result;
    },
  };
}

async function emptyMachine(options: MachineOptions = {}): Promise<Machine> {
  const home = await mkdtemp(join(tmpdir(), 'svc-test-'));
  return {
    home,
    svc: (argv, runOptions = {}) => runOn(home, options, argv, runOptions),
    // A background process of a shell may still write there.
    remove: () => rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

/** Removes the stored rate limits of all hosts, as if the last window were over. */
export async function forgetLimits(home: string): Promise<void> {
  await rm(join(home, '.cache', 'svc', 'limits'), { recursive: true, force: true });
}

/** Removes the stored refusals, which svc remembers for a day. */
async function forgetRefusals(home: string): Promise<void> {
  for await (const file of glob('.cache/**/refused.json', { cwd: home })) await rm(join(home, file));
}

/** A machine, and a sandbox with its sign-in. */
export interface SignedIn extends Machine {
  readonly sandbox: Sandbox;
  /** The host: `127.0.0.1:<port>`. */
  readonly host: string;
}

/** Signs in through the browser and approves everything. The request log is then empty. */
export async function signedIn(options: TenantOptions & { readonly personalToken?: boolean } = {}): Promise<SignedIn> {
  const sandbox = await startTenant({ approve: true, ...options });
  const machine = await emptyMachine();
  const host = new URL(sandbox.origin).host;
  const login = await machine.svc(['login', host]);
  if (login.code !== 0) throw new Error(login.stderr);
  if (options.personalToken) {
    const set = await machine.svc(['token', 'set'], { stdin: sandbox.tokens[0]?.value ?? '' });
    if (set.code !== 0) throw new Error(set.stderr);
  }
  sandbox.requests.length = 0;
  let known = JSON.stringify(sandbox.interpretations);
  return {
    ...machine,
    async svc(argv, runOptions) {
      // The service has changed, so svc forgets the refusals of the earlier service.
      if (JSON.stringify(sandbox.interpretations) !== known) await forgetRefusals(machine.home);
      known = JSON.stringify(sandbox.interpretations);
      const before = sandbox.requests.length;
      const result = await machine.svc(argv, runOptions);
      await runHints(machine.home, sandbox, argv, { ...result, sent: sandbox.requests.slice(before) }, runOptions);
      return result;
    },
    sandbox,
    host,
    async remove() {
      await sandbox.close();
      await machine.remove();
    },
  };
}

/** Runs the commands that svc printed, if SVC_TEST_HINTS is set. The directory, the zone and the time stay the same. */
export async function runHints(
  home: string,
  sandbox: Sandbox | undefined,
  argv: readonly string[],
  result: Result & { readonly sent: Sandbox['requests'] },
  { stdin, terminal, env, cwd, timeZone, now }: RunOptions = {},
): Promise<void> {
  await runPrinted(home, sandbox, { ...result, argv, stdin, isForPerson: terminal !== undefined }, (copy, line, options) => {
    const again = {
      ...options,
      ...(line.includes('--dry-run') ? {} : { terminal }),
      cwd: cwd?.replaceAll(home, copy),
      timeZone,
      now,
      hurried: now === undefined,
    };
    const given = Object.fromEntries(Object.entries(again).filter(([, value]) => value !== undefined));
    return runOn(copy, {}, line, { ...given, env: { EDITOR: 'an-editor', ...env } });
  });
}

async function runOn(home: string, machine: MachineOptions, argv: readonly string[], options: RunOptions): Promise<Result> {
  const stdout = capture(options.terminal, options.onStdout, options.rows);
  const stderr = capture(options.answers === undefined ? undefined : 100, options.onStderr);
  const answers = [...(options.answers ?? [])];
  const chosen = options.browser === undefined ? undefined : { SVC_BROWSER: 'chosen' };
  const env = { HOME: home, ...chosen, ...machine.env, ...options.env };
  const programs = createPrograms({ PATH: process.env['PATH'], ...env }, process.platform);
  const prompts: Deps['prompts'] = {
    confirm: async (question) => answer(question, 'boolean'),
    secret: async (question) => answer(question, 'string'),
    line: async (question) => answer(question, 'string'),
    async typed(prompt) {
      const next = answers.shift();
      await stderr.write(prompt);
      if (next === false) throw new InterruptedError('Interrupted.');
      return typeof next === 'function' ? next(stderr.text()).then(String) : next === undefined ? undefined : String(next);
    },
    async pick(question, choices, _, more) {
      const chosen = await answer<string>([question, ...choices.map(({ name }) => name)].join('\n  '), 'string');
      const fits = ({ name }: { readonly name: string }) => name.includes(chosen);
      const found = choices.find(fits) ?? (await more?.(chosen))?.find(fits);
      if (found === undefined) throw new Error(`There is no choice ${chosen}.`);
      return found.value;
    },
  };
  const deps: Deps = {
    clock: options.hurried
      ? hurriedClock(options.now)
      : options.now === undefined
        ? systemClock
        : { ...systemClock, now: () => options.now ?? 0 },
    stdio: {
      stdin: Object.assign(Readable.from([Buffer.from(options.stdin ?? '')]), { isTTY: options.answers !== undefined }),
      stdout,
      stderr,
    },
    env,
    system: {
      platform: 'linux',
      arch: 'x64',
      nodeVersion: process.versions.node,
      pid: process.pid,
      cwd: options.cwd ?? home,
      home,
      accountHome: home,
      userName: 'ada',
      machineName: 'desk',
      timeZone: options.timeZone ?? 'Europe/Amsterdam',
      version: '0.0.0-test',
      installedIn: '/home/ada/svc',
      releases: 'https://forge.example/svc/svc/releases',
      packageName: 'svc-cli',
      randomBytes: (size) => randomBytes(size),
      saveMemory: () => undefined,
      traceOf: async ({ stack = '' }) => stack,
    },
    files: nodeFiles('linux'),
    keychain: async () => {
      if (machine.keychain !== undefined) return machine.keychain;
      throw new KeychainUnavailable('This machine has no keychain.');
    },
    browser: {
      async open(url, configured) {
        if (options.browser !== undefined) return options.browser(url, configured);
        if (options.systemBrowser !== undefined) return options.systemBrowser(url);
        await visit(url);
      },
    },
    network: createNetwork({ env }),
    interrupts: {
      signal: options.signal ?? new AbortController().signal,
      defer: (work) => work(),
      lend: (work) => work(),
      letGo: (work) => work(),
    },
    programs: {
      async run(command, args, input) {
        if (options.program === undefined) throw new Error(`Nothing here runs ${command}.`);
        return options.program(command, args, input);
      },
      async page(command, input, signal) {
        if (options.pager === undefined) throw new Error(`Nothing here shows pages with ${command}.`);
        return options.pager(command, input, signal);
      },
      git: programs.git,
      sshKeygen: programs.sshKeygen,
      async startSelf(argv) {
        return { ended: Promise.resolve(options.onStartSelf?.(argv)).then(() => undefined) };
      },
      async runSelf(argv, input) {
        const { answers: _, ...rest } = options;
        const ended = await runOn(home, machine, argv, { ...rest, stdin: input });
        await stdout.write(ended.stdout);
        await stderr.write(ended.stderr);
      },
    },
    prompts,
    plainPrompts: prompts,
  };

  async function answer<T extends string | boolean>(question: string, type: 'boolean' | 'string'): Promise<T> {
    const given = answers.shift();
    const next = typeof given === 'function' ? await given(stderr.text()) : given;
    if (typeof next !== type) throw new Error(`Nobody expected the question: ${question}`);
    await stderr.write(`? ${question}\n`);
    return next as T;
  }

  const code = await run(argv, options.around?.(deps) ?? deps);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Creates a clock whose waits end at once. @param now start of the wall clock in milliseconds since 1970. Default: the machine’s clock. */
function hurriedClock(now?: number): Clock {
  let skipped = 0;
  return {
    ...systemClock,
    now: () => (now ?? systemClock.now()) + skipped,
    monotonic: () => systemClock.monotonic() + skipped,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      skipped += ms;
    },
  };
}

function capture(columns: number | undefined, onText: ((text: string) => void) | undefined, rows?: number): Output & { text(): string } {
  const decoder = new TextDecoder();
  let text = '';
  return {
    isTTY: columns !== undefined,
    columns,
    rows,
    async write(piece) {
      const decoded = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
      text += decoded;
      onText?.(decoded);
    },
    text: () => text,
  };
}
