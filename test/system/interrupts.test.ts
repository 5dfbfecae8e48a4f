import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { listenForInterrupts } from '../../src/system/interrupts.ts';

/** A process that gets signals, and the clock it is listened to with. */
function createProcess() {
  const source = Object.assign(new EventEmitter(), { pid: 7, kill: vi.fn() });
  let now = 0;
  const interrupts = listenForInterrupts(source, () => now);
  return {
    interrupts,
    kill: source.kill,
    press: (signal = 'SIGINT') => source.emit(signal),
    advance(ms: number) {
      now += ms;
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s aborts the command with an InterruptedError', (signal) => {
  const { interrupts, press, kill } = createProcess();
  press(signal);
  expect(interrupts.signal.reason).toBeInstanceOf(InterruptedError);
  expect(kill).not.toHaveBeenCalled();
});

test('the signal itself ends a command that does not end within two seconds', () => {
  const { press, kill } = createProcess();
  press('SIGTERM');
  vi.advanceTimersByTime(1_999);
  expect(kill).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(kill).toHaveBeenCalledWith(7, 'SIGTERM');
});

test('a second signal ends the command at once', () => {
  const { press, kill } = createProcess();
  press();
  press();
  expect(kill).toHaveBeenCalledWith(7, 'SIGINT');
});

test('protected work runs to its end despite a quick second Ctrl-C, and then the interrupt takes effect', async () => {
  const { interrupts, press, kill, advance } = createProcess();
  const result = await interrupts.defer(async () => {
    press();
    advance(1_999);
    press();
    expect(interrupts.signal.aborted).toBe(false);
    return 'kept';
  });
  expect(result).toBe('kept');
  expect(kill).not.toHaveBeenCalled();
  expect(interrupts.signal.aborted).toBe(true);
});

test('a Ctrl-C two seconds after the first Ctrl-C ends protected work that hangs', async () => {
  const { interrupts, press, kill, advance } = createProcess();
  void interrupts.defer(() => new Promise(() => undefined));
  press();
  advance(2_000);
  press();
  expect(kill).toHaveBeenCalledWith(7, 'SIGINT');
});

test('an interrupt takes effect after the last of several protected steps', async () => {
  const { interrupts, press } = createProcess();
  const last = Promise.withResolvers<void>();
  const waiting = interrupts.defer(() => last.promise);
  await interrupts.defer(async () => press());
  expect(interrupts.signal.aborted).toBe(false);
  last.resolve();
  await waiting;
  expect(interrupts.signal.aborted).toBe(true);
});

test('Ctrl-C does not end svc while another program uses the terminal, but SIGTERM does', async () => {
  const { interrupts, press, kill } = createProcess();
  await interrupts.lend(async () => {
    press();
    press();
  });
  expect([interrupts.signal.aborted, kill.mock.calls]).toEqual([false, []]);
  const failing = interrupts.lend(async () => {
    press('SIGTERM');
    throw new Error('left');
  });
  await expect(failing).rejects.toThrow('left');
  expect(interrupts.signal.aborted).toBe(true);
  const other = createProcess();
  await other.interrupts.lend(async () => undefined);
  other.press();
  expect(other.interrupts.signal.aborted).toBe(true);
});
