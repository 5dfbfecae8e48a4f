import type { Interrupts } from '../deps.ts';
import { type EndingSignal, InterruptedError } from '../errors.ts';

const SIGNALS: readonly EndingSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

interface SignalSource {
  readonly pid: number;
  on(signal: EndingSignal, listener: () => void): unknown;
  removeAllListeners(signal: EndingSignal): unknown;
  kill(pid: number, signal: EndingSignal): unknown;
}

/** The time after which svc ends unfinished work, in milliseconds. A keychain call may wait for an unlock window. */
const GRACE_MS = 2_000;

/**
 * Turns the first signal into an abort, after {@link Interrupts.defer} has finished. If the process does not end within two seconds, or
 * receives a second signal, the signal itself ends the process. `process.exit` would wait for a blocked native addon.
 * During deferred work, svc ignores a second signal within two seconds, so that a double Ctrl-C can’t lose a sign-in. A later second signal
 * ends work that hangs.
 * @param now a clock that never jumps, in milliseconds.
 */
export function listenForInterrupts(source: SignalSource, now: () => number = () => performance.now()): Interrupts {
  const controller = new AbortController();
  let deferring = 0;
  let lent = 0;
  let pending: EndingSignal | undefined;
  let pendingSince = 0;

  const die = (name: EndingSignal) => {
    source.removeAllListeners(name);
    source.kill(source.pid, name);
  };
  const abort = (name: EndingSignal) => {
    controller.abort(new InterruptedError(`Interrupted (${name}).`, { signal: name }));
    // The timer alone does not keep the process alive.
    setTimeout(() => die(name), GRACE_MS).unref();
  };
  const heed = (name: EndingSignal) => {
    if (name === 'SIGINT' && lent > 0) return;
    if (pending !== undefined) {
      if (deferring === 0 || now() - pendingSince >= GRACE_MS) die(name);
      return;
    }
    pending = name;
    pendingSince = now();
    if (deferring === 0) abort(name);
  };
  const listen = () => {
    for (const name of SIGNALS) source.on(name, () => heed(name));
  };
  listen();

  return {
    signal: controller.signal,
    async defer(work) {
      deferring += 1;
      try {
        return await work();
      } finally {
        deferring -= 1;
        if (deferring === 0 && pending !== undefined) abort(pending);
      }
    },
    async lend(work) {
      lent += 1;
      try {
        return await work();
      } finally {
        lent -= 1;
      }
    },
    letGo(work) {
      // Work that blocks the event loop prevents Node from calling listeners. Without listeners, the system handles the signal.
      for (const name of SIGNALS) source.removeAllListeners(name);
      try {
        return work();
      } finally {
        listen();
      }
    },
  };
}
