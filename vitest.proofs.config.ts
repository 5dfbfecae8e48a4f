import { defineConfig } from 'vitest/config';
import tests from './vitest.config.ts';

/** The longer proofs: many processes, every step killed, all readings of the documentation. `npm run test:proofs`. */
export default defineConfig({
  ...tests,
  // Some measure the memory of their own process.
  test: {
    ...tests.test,
    isolate: true,
    execArgv: [],
    include: ['test/**/*.proof.ts'],
    // Only by hand: no package of a distribution has Citus (docs/contributing/citus.md), and DuckDB and ClickHouse take 615 MB.
    exclude: [
      '**/node_modules/**',
      ...(process.env['SVC_TEST_CITUS'] === undefined ? ['test/database/citus.proof.ts'] : []),
      ...(process.env['SVC_TEST_DUCKDB'] === undefined ? ['test/docs/warehouse.proof.ts'] : []),
    ],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
