import { defineConfig } from 'vitest/config';
import tests from './vitest.config.ts';

/** The longer proofs: many processes, every step killed, all readings of the documentation. `npm run test:proofs`. */
export default defineConfig({
  ...tests,
  test: { ...tests.test, include: ['test/**/*.proof.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
});
