import { defineConfig } from 'vitest/config';
import tests from './vitest.config.ts';

/** svc on the Windows build of Node, under Wine. `npm run test:windows`. */
export default defineConfig({
  ...tests,
  test: {
    include: ['test/windows/*.wine.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'forks',
    reporters: ['verbose', './test/support/skip-reporter.ts'],
  },
});
