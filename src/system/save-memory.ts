import { setEngineFlags } from './engine-flags.ts';

/**
 * The young generation grows no more: else it grows, and garbage piles up in it before anybody looks. And functions that have run less
 * than eight times by now are left to the quick compilers: that is what runs once a page, which V8 would optimise all at once
 * at page 400, for 8 MB that it does not give back.
 */
const FRUGAL = ['--semi-space-growth-factor=1', '--invocation-count-for-maglev=1000000'];

/** V8's own values. */
const AS_ALWAYS = ['--semi-space-growth-factor=2', '--invocation-count-for-maglev=400'];

let isFrugal = false;

/** See `System.saveMemory`. What it gives and costs is in docs/performance.md. */
export function saveMemory(): void {
  if (isFrugal) return;
  isFrugal = true;
  setEngineFlags(FRUGAL);
  // Compiled code is kept for the next run when this one is over, and is only good under the flags it is made with.
  process.prependOnceListener('exit', () => setEngineFlags(AS_ALWAYS));
}
