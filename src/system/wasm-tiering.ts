import { setEngineFlags } from './engine-flags.ts';

/** Not when a function is called first: that would be under the flags of then. */
const QUICK_COMPILER_ONLY = ['--no-wasm-lazy-compilation', '--no-wasm-dynamic-tiering', '--no-wasm-tier-up'];

/** V8's own settings. */
const AS_ALWAYS = ['--wasm-lazy-compilation', '--wasm-dynamic-tiering', '--wasm-tier-up'];

/**
 * Runs `make` so that the WebAssembly it compiles stays with V8's quick compiler, for good.
 *
 * undici's HTTP parser is one large function, and reading the headers of a single answer is enough for V8 to optimise it:
 * 30 ms and 8 MB on another thread, which the end of the process waits for. Unoptimised it is as fast as a service needs.
 *
 * The flags are put back at once, since code that V8 keeps between runs is only good under the flags it was made with.
 */
export function withoutTierUp<T>(make: () => T): T {
  setEngineFlags(QUICK_COMPILER_ONLY);
  try {
    return make();
  } finally {
    setEngineFlags(AS_ALWAYS);
  }
}
