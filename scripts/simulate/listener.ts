import { EventEmitter } from 'node:events';
import { type Life, lives, type Page, type Visit } from './life.ts';

/** A server of `node:http`, as far as svc uses it, on the simulated loopback address. */
class SimulatedServer extends EventEmitter {
  readonly #life: Life;
  #port: number | undefined;

  constructor(life: Life) {
    super();
    this.#life = life;
  }

  listen(_where: object, then: () => void): this {
    const { scenario } = this.#life;
    this.#port = 49152 + scenario.listeners.size;
    scenario.listeners.set(this.#port, (request) => this.#receive(request));
    this.#life.pending += 1;
    scenario.timeline.after(1, () => void (this.#life.isDead || lives.run(this.#life, then)));
    return this;
  }

  address(): object | null {
    return this.#port === undefined ? null : { address: '127.0.0.1', family: 'IPv4', port: this.#port };
  }

  close(then?: (error?: Error) => void): this {
    const { scenario } = this.#life;
    if (this.#port !== undefined) {
      // The port is not reused, so that two listeners of a scenario can’t be confused.
      scenario.listeners.set(this.#port, undefined);
      this.#port = undefined;
      this.#life.pending -= 1;
    }
    scenario.timeline.after(0, () => void (this.#life.isDead || lives.run(this.#life, () => then?.())));
    return this;
  }

  closeAllConnections(): void {
    // The simulation has no connections that stay open.
  }

  /** Answers a request. Resolves to undefined if the listener has ended. */
  #receive(request: Visit): Promise<Page | undefined> {
    const life = this.#life;
    if (life.isDead) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      life.onDeath.add(() => resolve(undefined));
      const response = new SimulatedResponse((page) => {
        resolve(page);
        life.scenario.timeline.after(1, () => void (life.isDead || lives.run(life, () => response.emit('close'))));
      });
      lives.run(life, () => this.emit('request', { method: 'GET', ...request, socket: {} }, response));
    });
  }
}

class SimulatedResponse extends EventEmitter {
  destroyed = false;
  writableEnded = false;
  readonly #answer: (page: Page) => void;
  #head: Page = { status: 200, headers: {} };

  constructor(answer: (page: Page) => void) {
    super();
    this.#answer = answer;
  }

  writeHead(status: number, headers: Readonly<Record<string, string>>): void {
    this.#head = { status, headers };
  }

  end(): void {
    this.writableEnded = true;
    this.#answer(this.#head);
  }
}

/** Creates a server that only simulated browsers can reach. */
export function simulatedServer(life: Life): EventEmitter {
  return new SimulatedServer(life);
}
