import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Deps, Network, Output } from '../../src/deps.ts';

/** One svc in this process that can be killed: what it has open, and how many things it has done to the world. */
interface Life {
  readonly killAt: number;
  steps: number;
  isDead: boolean;
  readonly databases: Set<DatabaseSync>;
  /** Requests that are on their way: the service sees them, whatever becomes of their sender. */
  readonly underWay: Set<Promise<unknown>>;
}

const lives = new AsyncLocalStorage<Life>();

/** Thrown where svc would be no more. */
class Killed extends Error {}

/**
 * Runs svc in this process as one that may die: right before the n-th thing it does to a database, a file, the network or its output,
 * all it has open is closed, uncommitted, as the operating system does after kill -9, and nothing that it does from then on has an
 * effect. Resolves when the service has seen all that was sent.
 *
 * @param killAt n, from 1; undefined: it lives.
 * @returns undefined when it was killed.
 */
export async function runKillable<T>(
  killAt: number | undefined,
  run: (around: (deps: Deps) => Deps) => Promise<T>,
): Promise<T | undefined> {
  const life: Life = { killAt: killAt ?? Number.POSITIVE_INFINITY, steps: 0, isDead: false, databases: new Set(), underWay: new Set() };
  try {
    const result = await lives.run(life, () => run((deps) => mortalDeps(deps, life)));
    return life.isDead ? undefined : result;
  } catch (error) {
    if (life.isDead) return undefined;
    throw error;
  } finally {
    await Promise.allSettled(life.underWay);
  }
}

function step(life: Life): void {
  if (!life.isDead) {
    life.steps += 1;
    if (life.steps < life.killAt) return;
    life.isDead = true;
    for (const database of life.databases) close.call(database);
    life.databases.clear();
  }
  throw new Killed('It was killed.');
}

function mortalDeps(deps: Deps, life: Life): Deps {
  return {
    ...deps,
    stdio: { ...deps.stdio, stdout: mortalOutput(deps.stdio.stdout, life), stderr: mortalOutput(deps.stdio.stderr, life) },
    files: mortalFiles(deps.files, life),
    network: mortalNetwork(deps.network, life),
  };
}

/** What is printed on stderr is seen or not, which changes nothing: so it is no step, but the dead print nothing. */
function mortalOutput(output: Output, life: Life): Output {
  return {
    isTTY: output.isTTY,
    rows: output.rows,
    columns: output.columns,
    async write(text) {
      step(life);
      await output.write(text);
    },
  };
}

function mortalFiles(files: Deps['files'], life: Life): Deps['files'] {
  return new Proxy(files, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        step(life);
        return Reflect.apply(member, target, args);
      };
    },
  });
}

function mortalNetwork(network: Network, life: Life): Network {
  return {
    warm: (...args) => network.warm(...args),
    close: () => network.close(),
    async request(request) {
      step(life);
      const sent = network.request(request);
      life.underWay.add(sent);
      const response = await sent;
      step(life);
      return response;
    },
  };
}

const { close } = DatabaseSync.prototype;

/** Puts a step in front of a method of SQLite, for whoever runs within {@link runKillable}. */
function watch(owner: object, method: string): void {
  const original: unknown = Reflect.get(owner, method);
  if (typeof original !== 'function') throw new Error(`There is no ${method} to watch.`);
  Reflect.set(owner, method, function watched(this: unknown, ...args: unknown[]): unknown {
    const life = lives.getStore();
    if (life !== undefined) {
      if (this instanceof DatabaseSync) life.databases.add(this);
      step(life);
    }
    return Reflect.apply(original, this, args);
  });
}

watch(DatabaseSync.prototype, 'exec');
watch(DatabaseSync.prototype, 'prepare');
watch(StatementSync.prototype, 'run');
DatabaseSync.prototype.close = function closeOnce(this: DatabaseSync): void {
  const life = lives.getStore();
  if (life?.isDead) {
    // Opened by the dead, and never used.
    if (this.isOpen && !life.databases.has(this)) close.call(this);
    return;
  }
  life?.databases.delete(this);
  close.call(this);
};
