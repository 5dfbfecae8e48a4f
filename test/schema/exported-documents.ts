import { readFile } from 'node:fs/promises';
import { startSandbox } from '../../src/sandbox/start.ts';
import { compileDocument } from '../../src/schema/compile.ts';
import type { DescribedResource } from '../../src/schema/described.ts';
import { readDocument } from '../../src/schema/read-document.ts';
import { toOpenApi } from '../../src/schema/to-openapi.ts';
import { largeDocument } from './large-document.ts';

const OPTIONS = { title: 'Exported', version: '2', server: 'https://acme.test/api/v2' };

/** Compiles an API spec to resources. */
export async function compiled(text: string | Uint8Array): Promise<readonly DescribedResource[]> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const { nouns } = await compileDocument(await readDocument(bytes), 'test', '2026-06-01T12:00:00Z');
  // What is not there, and what is undefined, are one in a file.
  return JSON.parse(JSON.stringify(nouns)) as DescribedResource[];
}

/** Returns the API spec that svc exports for resources. */
export const exported = (nouns: readonly DescribedResource[]) =>
  JSON.stringify(
    toOpenApi(
      nouns.map((noun) => ({ noun })),
      OPTIONS,
    ),
  );

/** A document of a service as large as public ones, a tenth of it; the sandbox's; and one by hand. */
export const DOCUMENTS: readonly (readonly [string, () => Promise<string>])[] = [
  ['written by hand', () => readFile(new URL('documents/planning.yaml', import.meta.url), 'utf8')],
  ['of another service', async () => JSON.stringify(largeDocument(7))],
  ['of the sandbox', sandboxDocument],
];

async function sandboxDocument(): Promise<string> {
  const sandbox = await startSandbox({});
  const headers = { authorization: `Bearer ${sandbox.tokens[0]?.value}` };
  const answer = await fetch(`${sandbox.origin}/api/v2/openapi.json`, { headers });
  const text = await answer.text();
  await sandbox.close();
  return text;
}
