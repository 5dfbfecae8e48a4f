import type { Interrupts } from '../deps.ts';
import { type EndingSignal, InterruptedError } from '../errors.ts';

const SIGNALS: readonly EndingSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

interface SignalSource {
  readonly pid: number;
  on(signal: EndingSignal, listener: () => void): unknown;
  removeAllListeners(signal: EndingSignal): unknown;
  kill(pid: number, signal: EndingSignal): unknown;
}

/** Work that still runs so long after an interrupt hangs: a keychain call that waits for an unlock window, for one. */
const GRACE_MS = 2_000;

/**
 * Turns the first signal into an abort, delayed while {@link Interrupts.defer} runs. The signal itself ends a process that does
 * not end soon after, or gets a second one. `process.exit` would wait for a blocked call of a native addon.
 *
 * During deferred work a second signal counts only when it comes as late as that. Pressing Ctrl-C twice in a row must not lose a
 * sign-in. A person must be able to end work that hangs.
 *
 * @param now A clock that never jumps, in milliseconds.
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
    // Not waited for: it goes off only in a process that something else keeps alive.
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
      // Node calls listeners between turns of the loop, and there are no turns now. Without listeners the system acts.
      for (const name of SIGNALS) source.removeAllListeners(name);
      try {
        return work();
      } finally {
        listen();
      }
    },
  };
}
