import { dirname, isAbsolute, join, resolve } from 'node:path';
import { Script } from 'node:vm';
import { type CodeCache, openCodeCache } from './code-cache.ts';

/**
 * Returns the directory for compiled code, within the cache directory of src/config/paths.ts. Never uses the shared temporary directory,
 * where another user could place code. Undefined if the environment names no directory.
 */
export function codeDirectory(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string | undefined {
  const { SVC_CONFIG_DIR: own, LOCALAPPDATA: local, XDG_CACHE_HOME: xdg, HOME: home } = env;
  if (own) return resolve(own, 'cache', 'code');
  if (platform === 'win32') return local ? join(local, 'svc', 'cache', 'code') : undefined;
  if (xdg && isAbsolute(xdg)) return join(xdg, 'svc', 'code');
  return home ? join(home, '.cache', 'svc', 'code') : undefined;
}

interface BundlePlace {
  read(file: string): string;
  outside(id: string): unknown;
}

interface Module {
  readonly exports: object;
}

type Wrapped = (exports: object, require: (id: string) => unknown, module: Module, file: string, directory: string) => void;

const HEAD = '(function (exports, require, module, __filename, __dirname) { ';

/**
 * Creates a loader for CommonJS files that import each other by relative paths. The loader works like `require`, but uses the code cache.
 * @returns a function that loads a file once and returns its exports.
 */
function createLoader(codeCache: CodeCache | undefined, place: BundlePlace): (file: string) => unknown {
  const modules = new Map<string, Module>();

  function load(file: string): unknown {
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module: Module = { exports: {} };
    modules.set(file, module);
    const directory = dirname(file);
    const require = (id: string) => (id.startsWith('.') ? load(join(directory, id)) : place.outside(id));
    compile(file)(module.exports, require, module, file, directory);
    return module.exports;
  }

  function compile(file: string): Wrapped {
    const source = `${HEAD}${place.read(file)}\n})`;
    const cachedData = codeCache?.find(file);
    // The offset makes lines and columns in stack traces match the file and its source map.
    const script = new Script(source, { filename: file, columnOffset: -HEAD.length, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected) codeCache?.add(file, script);
    return script.runInThisContext() as Wrapped;
  }

  return load;
}

/** The digest of the whole bundle. The build replaces this placeholder (scripts/bundle.ts). */
const BUILD = 'SVC_BUILD';

export function launch(main: string, place: BundlePlace): void {
  const { env, argv, platform, version, arch } = process;
  const build = `${BUILD}-${version}-${arch}`;
  const codeCache = env['NODE_DISABLE_COMPILE_CACHE'] ? undefined : openCodeCache(codeDirectory(env, platform), build, kindOf(argv));
  if (codeCache !== undefined) process.once('exit', () => codeCache.save());
  createLoader(codeCache, place)(main);
}

/** Returns the kind of a run. Help calls other functions of the same files than the command itself. */
function kindOf(argv: readonly string[]): string {
  return argv.some((word) => word === '--help' || word === '-h' || word === 'help') ? 'help' : 'run';
}
