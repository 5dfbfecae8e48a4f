/** The package has no types. */
declare module '@bcoe/v8-coverage' {
  import type { Profiler } from 'node:inspector';

  interface ProcessCoverage {
    readonly result: readonly Profiler.ScriptCoverage[];
  }

  export function mergeProcessCovs(coverages: readonly ProcessCoverage[]): ProcessCoverage;
}
