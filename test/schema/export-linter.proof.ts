import { expect, it } from 'vitest';
import { lintApiSpec } from '../support/api-spec-linter.ts';
import { createMachine } from '../support/svc.ts';
import { compiled, DOCUMENTS, exported } from './exported-documents.ts';

/** Returns the errors and warnings for everything that a strict linter requires, except summaries, which an API spec can lack. */
const problemsOf = (source: string) =>
  lintApiSpec(source, { extends: ['recommended'], rules: { 'operation-summary': 'off', 'no-unused-components': 'error' } });

it.each(DOCUMENTS)('an independent linter finds no error in the exported API spec of the document %s', async (_, read) => {
  expect(await problemsOf(exported(await compiled(await read())))).toEqual([]);
});

it('an independent linter finds no error in the API spec that svc exports without an import', async () => {
  const machine = await createMachine();
  const { stdout } = await machine.svc(['schema', 'export', '--host', 'acme.test']);
  expect(await problemsOf(stdout)).toEqual([]);
  await machine.remove();
});

it('an independent linter finds an error in an API spec without a version', async () => {
  expect(await problemsOf('{"openapi":"3.1.0","info":{"title":"Wrong"},"paths":{}}')).toContainEqual(expect.stringContaining('version'));
});
