import { Readable } from 'node:stream';
import type { Deps, Output } from '../../src/deps.ts';
import { run } from '../../src/run.ts';
import { nodeFiles } from '../../src/system/files.ts';
import { listenForInterrupts } from '../../src/system/interrupts.ts';
import { HOME } from './disk.ts';
import { simulatedKeychain } from './keychain.ts';
import { type Cause, end, type Life, lives, operation, step } from './life.ts';
import { isStored, type Machine } from './machine.ts';
import { simulatedNetwork } from './network.ts';
import { BEGINNING } from './service.ts';

/** How a process ended. */
export interface Ended {
  /** The exit code. Undefined if the process was killed. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** The times of the start and the end, in simulated milliseconds. */
  readonly began: number;
  readonly ended: number;
  /** What happened to the requests of the process. */
  readonly causes: ReadonlySet<Cause>;
}

export interface Start {
  readonly name: string;
  readonly argv: readonly string[];
  readonly stdin?: string | undefined;
  /** The number of the step before which the process is killed. */
  readonly killAt?: number | undefined;
  /** The milliseconds after which somebody presses Ctrl-C. */
  readonly interruptAfter?: number | undefined;
}

/** Starts svc. Resolves when the process has ended in any way. */
export function startProcess(machine: Machine, start: Start): Promise<Ended> {
  const { scenario, running } = machine;
  const { timeline, trace } = scenario;
  const life: Life = {
    name: start.name,
    scenario,
    killAt: start.killAt ?? Number.POSITIVE_INFINITY,
    steps: 0,
    isDead: false,
    onDeath: new Set(),
    pending: 0,
    isRotating: false,
    causes: new Set(),
    databases: new Set(),
    openFiles: new Set(),
  };
  const out = { stdout: '', stderr: '' };
  const began = timeline.now;
  trace(life.name, `svc ${start.argv.join(' ')}`);
  running.add(life);

  return new Promise((resolve) => {
    const over = (code: number | undefined) => {
      if (!running.delete(life)) return;
      trace(life.name, code === undefined ? 'is no more' : `exit ${code}`);
      resolve({ code, ...out, began, ended: timeline.now, causes: life.causes });
    };
    const interrupts = new Map<string, () => void>();
    const signals = {
      pid: 1,
      on: (name: string, listener: () => void) => void interrupts.set(name, listener),
      removeAllListeners: () => undefined,
      // A process that does not end by itself is ended by the signal.
      kill: () => {
        trace(life.name, 'ended by the signal');
        end(life);
      },
    };
    life.onDeath.add(() => {
      if (machine.running.has(life) && life.isRotating) {
        if (!isStored(machine)) machine.lostPairs += 1;
        else machine.hasLoosePair ||= scenario.disk.isLoose;
      }
      over(undefined);
    });
    lives.run(life, () => {
      const deps = depsOf(machine, life, start, out, signals);
      void run(start.argv, deps).then(
        (code) => leave(code),
        (error: unknown) => {
          if (life.isDead) return;
          out.stderr += `THROWN ${String((error as Error).stack)}`;
          leave(-1);
        },
      );
    });
    /** Ends a finished process when nothing is pending. If a call of the keychain hangs, ends it immediately. */
    const leave = (code: number) => {
      if (life.isDead) return;
      if (life.pending > 0 && (machine.userKeychain.unanswered.get(life) ?? 0) === 0) return void timeline.after(1, () => leave(code));
      over(code);
      end(life);
    };
    if (start.interruptAfter !== undefined)
      timeline.after(start.interruptAfter, () => {
        if (life.isDead) return;
        trace(life.name, 'Ctrl-C');
        lives.run(life, () => interrupts.get('SIGINT')?.());
      });
  });
}

type Signals = Parameters<typeof listenForInterrupts>[0];

function depsOf(machine: Machine, life: Life, start: Start, out: { stdout: string; stderr: string }, signals: Signals): Deps {
  const { scenario, userKeychain } = machine;
  const { timeline, random, secrets } = scenario;
  const began = timeline.now;
  const output = (name: 'stdout' | 'stderr'): Output => ({
    isTTY: false,
    columns: undefined,
    rows: undefined,
    async write(text) {
      step(life, `${name}: ${String(text).slice(0, 400)}`);
      out[name] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
    },
  });
  const unasked = (question: string) => Promise.reject(new Error(`Nobody is there to answer: ${question}`));
  const prompts: Deps['prompts'] = { confirm: unasked, secret: unasked, line: unasked, typed: unasked, pick: unasked };
  return {
    clock: {
      now: () => Math.floor(BEGINNING + timeline.now + scenario.clockOffset),
      monotonic: () => timeline.now - began,
      sleep: (ms, signal) => sleep(life, ms, signal),
    },
    stdio: {
      stdin: Object.assign(Readable.from([Buffer.from(start.stdin ?? '')]), { isTTY: false }),
      stdout: output('stdout'),
      stderr: output('stderr'),
    },
    env: { HOME, ...machine.env },
    system: {
      platform: 'linux',
      arch: 'x64',
      nodeVersion: process.versions.node,
      pid: 1,
      cwd: HOME,
      home: HOME,
      accountHome: HOME,
      userName: 'ada',
      machineName: 'desk',
      timeZone: 'Europe/Amsterdam',
      version: '0.0.0-simulated',
      installedIn: `${HOME}/svc`,
      releases: 'https://forge.example/svc/svc/releases',
      packageName: 'svc-cli',
      randomBytes: (size) => Uint8Array.from({ length: size }, () => secrets.integer(0, 255)),
      saveMemory: () => undefined,
      traceOf: async ({ stack = '' }) => stack,
    },
    files: nodeFiles('linux'),
    keychain: async () => simulatedKeychain(life, userKeychain),
    browser: {
      open: async (url) => {
        await operation(life, 'open the browser', 1, () => undefined);
        timeline.after(50 + 500 * random.next(), () => void browse(machine, url));
      },
    },
    network: simulatedNetwork(life, machine),
    interrupts: listenForInterrupts(signals, () => timeline.now),
    programs: {
      run: () => unasked('a program'),
      page: () => unasked('a pager'),
      git: () => unasked('a program'),
      sshKeygen: () => unasked('a program'),
      startSelf: async () => ({ ended: Promise.resolve() }),
      runSelf: () => unasked('svc'),
    },
    prompts,
    plainPrompts: prompts,
  };
}

function sleep(life: Life, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    try {
      step(life, `sleep ${Math.round(ms)}`);
    } catch {
      return undefined;
    }
    life.pending += 1;
    const finish = (then: () => void) => {
      signal?.removeEventListener('abort', onAbort);
      life.pending -= 1;
      if (!life.isDead) then();
    };
    const callOff = life.scenario.timeline.after(ms, () => finish(resolve));
    const onAbort = () => {
      callOff();
      finish(() => reject(signal?.reason));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    return undefined;
  });
}

/** Simulates the person’s browser: follows redirects, keeps cookies and approves. */
async function browse({ scenario, service }: Machine, first: string): Promise<void> {
  const cookies: string[] = [];
  let url = first;
  for (let hops = 0; hops < 10; hops++) {
    const at = new URL(url);
    scenario.trace('browser', `${at.origin === service.origin ? 'service' : 'svc'} ${at.pathname.slice(0, 9)}`);
    let next: string | null | undefined;
    if (at.origin === service.origin) {
      const answer = await service.arriving({ method: 'GET', url, headers: {}, timeoutMs: 1 })();
      next = answer.headers['location'];
    } else {
      const listener = scenario.listeners.get(Number(at.port));
      const page = await listener?.({ url: at.pathname + at.search, headers: { host: at.host, cookie: cookies.join('; ') } });
      const cookie = page?.headers['set-cookie']?.split(';', 1)[0];
      if (cookie !== undefined) cookies.push(cookie);
      next = page?.headers['location'];
    }
    if (!next) return;
    url = new URL(next, url).href;
  }
}
