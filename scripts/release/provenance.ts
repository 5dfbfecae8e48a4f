import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The origin of released files. */
export interface Origin {
  readonly repository: string;
  readonly commit: string;
  readonly version: string;
  readonly nodeVersion: string;
  /** The content of the lockfile, which lists all dependencies. */
  readonly lockfile: string;
  /** The time of the build in ISO 8601. */
  readonly builtAt: string;
}

/**
 * Returns an in-toto statement with a SLSA provenance predicate, which describes how the script built the files.
 * The statement has no signature. It names the inputs of a second build for a comparison. npm signs its own provenance for the npm package.
 */
export async function provenance(directory: string, files: readonly string[], origin: Origin): Promise<string> {
  const subject: object[] = [];
  for (const name of files) subject.push({ name, digest: { sha256: sha256(await readFile(join(directory, name))) } });
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
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

/** Returns one line per file of a directory, in the format of `sha256sum --check`. */
export async function checksums(directory: string, files: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const file of files) lines.push(`${sha256(await readFile(join(directory, file)))}  ${file}\n`);
  return lines.join('');
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
