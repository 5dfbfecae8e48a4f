// Lists every test that did not run. With SVC_TEST_SKIPS=refused, as in CI, a skipped test makes the run fail.
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => `${relative(process.cwd(), module.moduleId)}: ${test.fullName}`),
    );
    if (skipped.length === 0) return;
    const isRefused = process.env['SVC_TEST_SKIPS'] === 'refused';
    const heading = `${skipped.length} skipped${isRefused ? ', and CI refuses skipped tests (SVC_TEST_SKIPS=refused)' : ''}:`;
    process.stderr.write(`\n${[heading, ...skipped.map((line) => `  ${line}`)].join('\n')}\n`);
    if (isRefused) process.exitCode = 1;
  }
}
