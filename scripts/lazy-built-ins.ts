import type { Plugin } from 'rolldown';

/**
 * Node's modules that cost milliseconds to load and that most runs of svc never call, though much of svc may: an import of
 * one gets functions that load it when they are called. docs/contributing/performance.md has what each costs.
 */
const LAZY = ['node:child_process', 'node:crypto', 'node:fs/promises', 'node:timers/promises'];

/** Makes the built-ins above lazy for svc's own code. Functions only: an import of anything else fails the build. */
export function lazyBuiltIns(): Plugin {
  return {
    name: 'lazy-built-ins',
    resolveId(id, importer) {
      return LAZY.includes(id) && importer !== undefined && !importer.includes('/node_modules/') ? `${PREFIX}${id}` : null;
    },
    load(id) {
      return id.startsWith(PREFIX) ? forwarding(id.slice(PREFIX.length)) : null;
    },
  };
}

const PREFIX = '\0lazy:';

/** A module that has the functions of a built-in, each of which loads it when it is called; its default export has them all. */
export function forwarding(builtIn: string): string {
  const names = Object.entries(process.getBuiltinModule(builtIn) ?? {})
    .filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name))
    .map(([name]) => name);
  return [
    ...names.map((name) => `export const ${name} = (...args) => process.getBuiltinModule('${builtIn}').${name}(...args);`),
    `export default { ${names.join(', ')} };`,
  ].join('\n');
}
