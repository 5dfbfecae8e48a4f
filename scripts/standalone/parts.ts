import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bundle } from '../bundle.ts';

/** The parts of the executable that are not Node, as `--build-sea` and `--experimental-sea-config` read them. */
interface ExecutableParts {
  readonly main: string;
  readonly disableExperimentalSEAWarning: true;
  readonly useCodeCache: false;
  readonly assets: Readonly<Record<string, string>>;
}

/** Bundles svc into a directory. Returns the parts of the executable for a system: the bundle, keytar and keytar’s native addon. */
export async function executableParts(directory: string, system: string): Promise<ExecutableParts> {
  await bundle(directory, 'src/launch/standalone.ts');
  const keytar = dirname(createRequire(import.meta.url).resolve('keytar/package.json'));
  const files = (await readdir(directory, { recursive: true }))
    .filter((name) => /\.cjs(\.map)?$/.test(name) && name !== 'start.cjs')
    .sort();
  return {
    // The executable stores this path, so it is relative: every build then stores the same one.
    main: 'start.cjs',
    disableExperimentalSEAWarning: true,
    useCodeCache: false,
    assets: {
      ...Object.fromEntries(files.map((name) => [name.replaceAll('\\', '/'), join(directory, name)])),
      'keytar.js': join(keytar, 'lib', 'keytar.js'),
      'keytar.node': join(keytar, 'prebuilds', system, 'keytar.node'),
    },
  };
}
