import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Deps, Network, Output } from '../../src/deps.ts';

/** A svc run in this process that a test can kill: its open resources, and the number of its steps. */
interface Life {
  readonly killAt: number;
  readonly counts: Counted;
  steps: number;
  isDead: boolean;
  readonly databases: Set<DatabaseSync>;
  /** The requests on their way. The service receives them even if their sender ends. */
  readonly underWay: Set<Promise<unknown>>;
}

/** The counted steps: all of them, or only those that store something in a database for good. */
type Counted = 'step' | 'write';

const lives = new AsyncLocalStorage<Life>();

/** The error in a killed run. */
class Killed extends Error {}

/**
 * Runs svc in this process, and kills it just before its n-th step. A step concerns a database, a file, the network or the output.
 * The kill closes all open resources without a commit, as the operating system does after kill -9. Nothing that the run does later has an
 * effect. Resolves when the service has received all sent requests.
 * @param killAt n, from 1. Undefined for no kill.
 * @param counts the steps that n counts. Default: all.
 * @returns undefined after a kill.
 */
export async function runKillable<T>(
  killAt: number | undefined,
  run: (around: (deps: Deps) => Deps) => Promise<T>,
  counts: Counted = 'step',
): Promise<T | undefined> {
  const life: Life = {
    killAt: killAt ?? Number.POSITIVE_INFINITY,
    counts,
    steps: 0,
    isDead: false,
    databases: new Set(),
    underWay: new Set(),
  };
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

function step(life: Life, isWrite = false): void {
  if (!life.isDead) {
    if (isWrite || life.counts === 'step') life.steps += 1;
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

/** Wraps stderr. Printing is not a step, because it changes nothing. A killed run prints nothing. */
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

/**
 * Counts a step before each call of a SQLite method within {@link runKillable}. A query by `all` is no step, because it changes nothing.
 */
function watch(owner: object, method: string): void {
  const original: unknown = Reflect.get(owner, method);
  if (typeof original !== 'function') throw new Error(`There is no ${method} to watch.`);
  Reflect.set(owner, method, function watched(this: unknown, ...args: unknown[]): unknown {
    const life = lives.getStore();
    if (life !== undefined) {
      if (this instanceof DatabaseSync) life.databases.add(this);
      const isWrite = method !== 'prepare' && changesFile(this, args);
      if (isWrite || method !== 'all') step(life, isWrite);
    }
    const result: unknown = Reflect.apply(original, this, args);
    if (method === 'prepare' && this instanceof DatabaseSync) owners.set(result as StatementSync, this);
    return result;
  });
}

/** The database of each statement. */
const owners = new WeakMap<StatementSync, DatabaseSync>();

/** Returns true for a call that stores something for good. Within a transaction, only its end does. */
function changesFile(callee: unknown, [first]: readonly unknown[]): boolean {
  const database = callee instanceof StatementSync ? owners.get(callee) : (callee as DatabaseSync);
  const sql = callee instanceof StatementSync ? callee.sourceSQL : String(first);
  return (database?.isTransaction ? /^\s*(?:COMMIT|END)\b/i : /^\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b/i).test(sql);
}

watch(DatabaseSync.prototype, 'exec');
watch(DatabaseSync.prototype, 'prepare');
watch(StatementSync.prototype, 'run');
watch(StatementSync.prototype, 'all');
DatabaseSync.prototype.close = function closeOnce(this: DatabaseSync): void {
  const life = lives.getStore();
  if (life?.isDead) {
    // A killed run has opened the database, and never uses it.
    if (this.isOpen && !life.databases.has(this)) close.call(this);
    return;
  }
  life?.databases.delete(this);
  close.call(this);
};
