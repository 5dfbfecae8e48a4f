/**
 * Replaces vitest, whose binaries fit only the machine of the tests, for Node on Windows. Contains the functions that
 * test/auth/fixtures/store-contract.ts uses.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict';

const tests: [name: string, run: () => Promise<void>][] = [];

export function test(name: string, run: () => Promise<void>): void {
  tests.push([name, run]);
}

export function expect(actual: unknown) {
  return {
    toBeUndefined: () => strictEqual(actual, undefined),
    toBe: (expected: unknown) => strictEqual(actual, expected),
    toEqual: (expected: unknown) => deepStrictEqual(actual, expected),
  };
}

/** Runs the tests in order, each after `before`. Prints one line each: `ok <name>`, or `not ok <name>: <why>`. */
export async function runTests(before: () => Promise<void>): Promise<void> {
  for (const [name, run] of tests) {
    try {
      await before();
      await run();
      console.log(`ok ${name}`);
    } catch (error) {
      console.log(`not ok ${name}: ${error instanceof Error ? error.stack : error}`);
    }
  }
}
