import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import type { KeptCode } from './kept-code.ts';

/** Access to the files of the bundle, and to their imports from outside. */
export interface BundlePlace {
  /** The text of a file. */
  read(file: string): string;
  /** Resolves anything but a relative path: a built-in module, keytar. */
  outside(id: string): unknown;
}

interface Module {
  readonly exports: object;
}

type Wrapped = (exports: object, require: (id: string) => unknown, module: Module, file: string, directory: string) => void;

/** On the file's first line. */
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';

/**
 * A loader of CommonJS files that import each other by relative paths: what `require` does, with compiled code that `kept`
 * has.
 *
 * @returns Loads a file, once, and gives its exports.
 */
export function createLoader(kept: KeptCode | undefined, place: BundlePlace): (file: string) => unknown {
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
    const cachedData = kept?.find(file);
    // Lines and columns in traces are the file's own, as its source map has them.
    const script = new Script(source, { filename: file, columnOffset: -HEAD.length, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected) kept?.add(file, script);
    return script.runInThisContext() as Wrapped;
  }

  return load;
}
