import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InjectedBug } from './injected-bugs.ts';

/** Injects a bug into this process: replaces the text when Node loads the file. The file itself does not change. */
export function inject({ file, find, put }: InjectedBug): void {
  const wanted = pathToFileURL(join(import.meta.dirname, '../../src', file)).href;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (url !== wanted) return loaded;
      const parts = String(loaded.source).split(find);
      if (parts.length !== 2) throw new RangeError(`src/${file} has this ${parts.length - 1} times, not once: ${find}`);
      return { ...loaded, source: parts.join(put) };
    },
  });
}
