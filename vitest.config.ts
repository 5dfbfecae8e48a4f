import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // This file changes a real keychain, so only scripts/with-keyring.sh runs it, in a keychain of its own.
    exclude: [...configDefaults.exclude, ...(process.env['SVC_KEYRING_SESSION'] === 'started' ? [] : ['test/auth/keychain-real.test.ts'])],
    // Bundles svc once, and gives the run a temporary directory that goes with it.
    globalSetup: ['test/support/bundle.ts'],
    // Tests run real processes and real sockets on machines of two cores; a hang is what this is for, not slowness.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // With more room for new objects, V8 collects garbage less often. This saves a tenth of the processor time.
    execArgv: ['--max-semi-space-size=64'],
    // A worker keeps what it loaded for the next file: what a test changes it puts back, and a third of the processor time was loading.
    isolate: false,
    expect: { poll: { timeout: 30_000 } },
    // Most of a test's time is waiting for processes, so a worker a core is worth it, where one less is the default.
    maxWorkers: availableParallelism(),
    reporters: ['default', './test/support/skip-reporter.ts'],
  },
});
