import type { Plugin } from 'rolldown';

/**
 * Built-in modules of Node that load slowly and that most runs of svc never use. An import returns functions that load the module on their
 * first call. docs/contributing/performance.md lists the cost of each module.
 */
const LAZY = ['node:child_process', 'node:crypto', 'node:fs/promises', 'node:timers/promises'];

/**
 * Bundler plugin that loads these built-in modules on demand, for svc’s own code. Only functions can be imported; the build fails for
 * anything else.
 */
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

/**
 * Returns the code of a module with the functions of a built-in module. Each function loads the module when it is called. The default
 * export has all functions.
 */
export function forwarding(builtIn: string): string {
  const names = Object.entries(process.getBuiltinModule(builtIn) ?? {})
    .filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name))
    .map(([name]) => name);
  return [
    ...names.map((name) => `export const ${name} = (...args) => process.getBuiltinModule('${builtIn}').${name}(...args);`),
    `export default { ${names.join(', ')} };`,
  ].join('\n');
}
