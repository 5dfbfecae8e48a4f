import { setFlagsFromString } from 'node:v8';

/** V8's own value, since before Node 22. */
const DEFAULT_BUDGET = 13_000_000;
const NEVER = 1_000_000_000;

/**
 * Runs `make` so that the WebAssembly it compiles stays with V8's quick compiler.
 *
 * undici's HTTP parser is one large function, and reading the headers of a single answer is enough for V8 to optimise it:
 * 30 ms on another thread, which the end of the process waits for. Unoptimised it is as fast as a service needs.
 *
 * The value is put back at once, since code that V8 keeps between runs is only good under the flags it was made with.
 */
export function withoutTierUp<T>(make: () => T): T {
  setFlagsFromString(`--wasm-tiering-budget=${NEVER}`);
  try {
    return make();
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${DEFAULT_BUDGET}`);
  }
}
