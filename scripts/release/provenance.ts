import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** Where files came from. */
export interface Origin {
  readonly repository: string;
  readonly commit: string;
  readonly version: string;
  readonly nodeVersion: string;
  /** Text of the lockfile: which dependencies went in. */
  readonly lockfile: string;
  /** ISO 8601. */
  readonly builtAt: string;
}

/**
 * A statement of which files were built from what, in the form of in-toto with a SLSA provenance predicate. Nobody signs it: it tells what
 * to build again and compare. What npm has is signed by npm's own provenance, of the workflow that publishes.
 */
export async function provenance(files: readonly string[], origin: Origin): Promise<string> {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: await Promise.all(files.map(async (file) => ({ name: basename(file), digest: { sha256: sha256(await readFile(file)) } }))),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'scripts/release.ts',
        externalParameters: { version: origin.version },
        internalParameters: { node: origin.nodeVersion },
        resolvedDependencies: [
          { uri: origin.repository, digest: { gitCommit: origin.commit } },
          { name: 'package-lock.json', digest: { sha256: sha256(origin.lockfile) } },
        ],
      },
      runDetails: { builder: { id: 'a person, with scripts/release.ts' }, metadata: { finishedOn: origin.builtAt } },
    },
  };
  return `${JSON.stringify(statement, undefined, 2)}\n`;
}

/** A line for each file, as `sha256sum --check` reads it. */
export async function checksums(files: readonly string[]): Promise<string> {
  const lines = await Promise.all(files.map(async (file) => `${sha256(await readFile(file))}  ${basename(file)}\n`));
  return lines.join('');
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
