import { setEngineFlags } from './engine-flags.ts';

/**
 * Flags against growing memory. The young generation stops growing: otherwise garbage piles up in it before V8 collects it.
 * Functions that have run less than eight times by now stay with the quick compilers. Those run once a page. V8 would optimise
 * them all at once at page 400, for 8 MB that it does not give back.
 */
const FRUGAL = ['--semi-space-growth-factor=1', '--invocation-count-for-maglev=1000000'];

const AS_ALWAYS = ['--semi-space-growth-factor=2', '--invocation-count-for-maglev=400'];

let isFrugal = false;

export function saveMemory(): void {
  if (isFrugal) return;
  isFrugal = true;
  setEngineFlags(FRUGAL);
  // V8 keeps compiled code for the next run at the end of this one. That code is only good under the flags it is made with.
  process.prependOnceListener('exit', () => setEngineFlags(AS_ALWAYS));
}
