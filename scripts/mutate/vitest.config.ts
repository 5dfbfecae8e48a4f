import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base from '../../vitest.config.ts';

const order = (process.env['SVC_MUTATE_ORDER'] ?? '').split(',');

/** The likeliest to notice comes first; vitest would begin with the slowest. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (file: TestSpecification) => order.findIndex((path) => file.moduleId.endsWith(`/${path}`));
    return [...files].sort((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  // The installed packages are shared with the project; what vite keeps beside them is not.
  cacheDir: '.vite',
  test: {
    ...base.test,
    // None of these tests needs svc bundled.
    globalSetup: [],
    setupFiles: process.env['SVC_MUTATE_REACHED'] === undefined ? [] : ['scripts/mutate/reached.setup.ts'],
    // Hardly a source differs from one run to the next.
    fsModuleCache: true,
    fsModuleCachePath: '.vite/modules',
    // A process for each test file would cost more than the tests.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    sequence: { sequencer: InOrder },
  },
});
