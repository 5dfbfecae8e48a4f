import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Tests run real processes and real sockets on machines of two cores; a hang is what this is for, not slowness.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Most of a test's time is waiting for processes, so two at once are worth it on two cores, where one is the default.
    maxWorkers: 2,
    reporters: ['default'],
  },
});
