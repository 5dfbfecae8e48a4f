import type { Needs } from './context.ts';

/** The progress of files, on a line at the bottom of the terminal; draws nothing without one, and with `--quiet`. */
export interface TransferProgress {
  /** Adds transferred bytes; below zero where some must be transferred again. */
  add(bytes: number): void;
  /** Adds bytes to the expected total. */
  expect(bytes: number): void;
  end(): void;
}

/** Milliseconds between two drawings, and before the first. */
const INTERVAL = 200;
const PATIENCE = 1_000;

/** @param what The file's name, or `3 files`. */
export function startTransfer({ clock, statusLine }: Needs<'clock' | 'statusLine'>, what: string): TransferProgress {
  const started = clock.monotonic();
  let drawn = started + PATIENCE - INTERVAL;
  let done = 0;
  let total = 0;
  return {
    expect(bytes) {
      total += bytes;
    },
    add(bytes) {
      done += bytes;
      if (!statusLine.isThere) return;
      const now = clock.monotonic();
      if (now - drawn < INTERVAL) return;
      drawn = now;
      const rate = (done * 1000) / Math.max(now - started, 1);
      const left = total > done && rate > 0 ? `, ${Math.ceil((total - done) / rate)} s to go` : '';
      statusLine.show(`${what}: ${formatBytes(done)}${total > 0 ? ` of ${formatBytes(total)}` : ''}, ${formatBytes(rate)} a second${left}`);
    },
    end() {
      statusLine.clear();
    },
  };
}

/** `812 bytes`, `1.4 MB`: decimal, as disks and services count. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
