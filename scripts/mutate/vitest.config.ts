import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base from '../../vitest.config.ts';

const order = (process.env['SVC_MUTATE_ORDER'] ?? '').split(',');

/** Runs test files in the given order. By default, vitest starts with the slowest. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (file: TestSpecification) => order.findIndex((path) => file.moduleId.endsWith(`/${path}`));
    return [...files].sort((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  // The copy shares the installed packages with the project, but not vite’s cache.
  cacheDir: '.vite',
  test: {
    ...base.test,
    // None of these tests needs a bundled svc.
    globalSetup: [],
    setupFiles: process.env['SVC_MUTATE_REACHED'] === undefined ? [] : ['scripts/mutate/reached.setup.ts'],
    // Few sources differ between two runs.
    fsModuleCache: true,
    fsModuleCachePath: '.vite/modules',
    // A separate process per test file would take longer than the tests.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    sequence: { sequencer: InOrder },
  },
});
