import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type OutputChunk } from 'rolldown';
import { lazyBuiltIns } from './lazy-built-ins.ts';
import { leanLibraries } from './lean-libraries.ts';
import { noticesOf } from './notices.ts';
import { thinSourceMap } from './thin-source-map.ts';

/**
 * Bundles svc into a directory. The launcher loads `start.cjs`, which loads `main.cjs` and `chunks/`. The chunks follow the dynamic
 * imports, so that a command loads only what it runs. Each file has a source map. `sandbox.cjs` contains `svc-cli/sandbox` and shares these
 * chunks, and `sandbox.d.cts` contains its types.
 *
 * @param start module that becomes `start.cjs`.
 * @returns the files that `start.cjs` loads, with their modules.
 */
export async function bundle(directory: string, start = 'src/launch/start.ts'): Promise<readonly OutputChunk[]> {
  const { output } = await build(options({ main: 'src/main.ts', sandbox: 'src/sandbox/public.ts' }, directory, true));
  const chunks = output.filter((file) => file.type === 'chunk');
  assertNoCircle(chunks);
  const { output: started } = await build(options({ start }, directory, false));
  const modules = [...chunks, ...started].flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
  await writeFile(join(directory, 'THIRD-PARTY-NOTICES.txt'), await noticesOf([...modules, ...(await addKeytar(directory))]));
  await copyFile('src/sandbox/public-types.d.cts', join(directory, 'sandbox.d.cts'));
  await nameBuild(join(directory, 'start.cjs'), chunks);
  const maps = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.map'));
  await Promise.all(maps.map((name) => thin(join(directory, name))));
  return chunks;
}

/** The systems whose keychain addon the package contains, as keytar names its prebuilt addons. */
const KEYCHAIN_SYSTEMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64'];

/**
 * Copies keytar with its prebuilt addons into `keytar/` of the bundle. The published package therefore has no dependencies, and npm runs no
 * install script.
 * @returns the packages whose code the copy contains, for the notices. The addons contain code of node-addon-api.
 */
async function addKeytar(directory: string): Promise<readonly string[]> {
  const { resolve: find } = createRequire(import.meta.url);
  const keytar = dirname(find('keytar/package.json'));
  const files = ['package.json', 'lib/keytar.js', ...KEYCHAIN_SYSTEMS.map((system) => `prebuilds/${system}/keytar.node`)];
  for (const file of files) {
    const copy = join(directory, 'keytar', file);
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(join(keytar, file), copy);
  }
  return [join(keytar, 'package.json'), find('node-addon-api/package.json')];
}

async function thin(map: string): Promise<void> {
  await writeFile(map, thinSourceMap(await readFile(map, 'utf8')));
}

/**
 * Returns the bundler’s options. The format is CommonJS, which Node loads faster than ES modules. The bundle leaves out keytar, because
 * keytar loads a native addon (`addKeytar`).
 * @param split true to split shared code into chunks. Otherwise the bundle is a single file.
 */
function options(input: Readonly<Record<string, string>>, directory: string, split: boolean): BuildOptions {
  return {
    input,
    platform: 'node',
    external: ['keytar'],
    preserveEntrySignatures: 'allow-extension',
    // A module that has static and dynamic imports is loaded with the first static import.
    checks: { ineffectiveDynamicImport: false },
    transform: {
      target: 'node22.19',
      // This makes undici leave out its experimental parser, which loads its own WebAssembly.
      define: { esbuildDetection: 'true' },
    },
    plugins: [leanLibraries(), lazyBuiltIns()],
    output: {
      dir: directory,
      format: 'cjs',
      exports: 'named',
      // Code that src/launch loads can only use `require`.
      dynamicImportInCjs: false,
      minify: true,
      // Error messages contain the names of classes.
      keepNames: true,
      // V8 scans ASCII faster, because each character is one byte.
      charset: 'ascii',
      // Only `--debug` reads the source maps (src/system/source-trace.ts), so the bundle has no reference to them.
      sourcemap: 'hidden',
      sourcemapExcludeSources: true,
      // The source map has paths as in the repository, such as `src/run.ts`.
      sourcemapPathTransform: (source, map) => relative('.', resolve(dirname(map), source)),
      entryFileNames: '[name].cjs',
      chunkFileNames: 'chunks/[name].cjs',
      // The groups of modules that commands load together. They are: everything that all commands need (main.cjs), help, running a command,
      // and a stored API spec. Each group includes its imports, except modules that `svc-cli/sandbox` shares. The catalog’s rules and
      // the checks of stored files are separate, because commands without an API spec need them too. The bundler splits all other modules.
      codeSplitting: split && {
        groups: [
          { name: 'promises', test: /^\0lazy:node:\w+\/promises$/, priority: 3 },
          { name: 'crypto', test: /^\0lazy:node:crypto$/, priority: 3 },
          { name: 'always', test: /\/src\/(main|run)\.ts$/, priority: 2 },
          { name: 'help', test: /\/src\/cli\/help\.ts$/, priority: 1 },
          { name: 'context', test: /\/src\/session\/create-context\.ts$/, priority: 1 },
          { name: 'rules', test: /\/src\/catalog\/rules\.ts$/, priority: 1 },
          { name: 'shape', test: /\/src\/values\/shape\.ts$/, priority: 1 },
          { name: 'described', test: /\/src\/session\/stored-catalog\.ts$/ },
        ],
      },
    },
  };
}

/** Fails if files import each other, because one would then run before its imports exist. */
function assertNoCircle(chunks: readonly OutputChunk[]): void {
  const imports = new Map(chunks.map((chunk) => [chunk.fileName, chunk.imports]));
  const sound = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) throw new Error(`Files must not import each other: ${[...path, name].join(' → ')}`);
    if (sound.has(name)) return;
    for (const next of imports.get(name) ?? []) visit(next, [...path, name]);
    sound.add(name);
  };
  for (const name of imports.keys()) visit(name, []);
}

/** Names the bundle after a digest of its content. svc stores compiled code by this name, because it only fits one bundle. */
async function nameBuild(start: string, chunks: readonly OutputChunk[]): Promise<void> {
  const digest = createHash('sha256');
  for (const { fileName, code } of chunks) digest.update(`${fileName}\n${code}\n`);
  const text = await readFile(start, 'utf8');
  if (!text.includes('SVC_BUILD')) throw new Error('start.cjs has no placeholder for the name of the build.');
  await writeFile(start, text.replace('SVC_BUILD', digest.digest('hex').slice(0, 16)));
}
