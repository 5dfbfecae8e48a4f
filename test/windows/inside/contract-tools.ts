/**
 * In place of vitest, whose own binaries are of the machine that runs the tests: what test/auth/fixtures/store-contract.ts uses of it, for the
 * Node of Windows.
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

/** Runs them one after the other, each after `before`. A line for each: `ok <name>`, or `not ok <name>: <why>`. */
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
