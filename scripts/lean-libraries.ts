import { createRequire } from 'node:module';
import type { Plugin } from 'rolldown';
import { forwarding } from './lazy-built-ins.ts';

const require = createRequire(import.meta.url);

/**
 * Bundler plugin that replaces parts of libraries that svc loads too early or never needs. docs/contributing/performance.md lists the cost
 * of each part. Tests in test/launch list what a command can load, and fail if a library loads more.
 */
export function leanLibraries(): Plugin {
  return {
    name: 'lean-libraries',
    resolveId(id, importer) {
      const library = libraryOf(importer);
      return library !== undefined && BUILT_INS[library]?.[id] !== undefined ? `${PREFIX}${library}/${id}` : null;
    },
    load(id) {
      if (id.startsWith(PREFIX)) {
        const [library = '', builtIn = ''] = id.slice(PREFIX.length).split('/');
        return BUILT_INS[library]?.[builtIn] ?? null;
      }
      const part = id.split('/node_modules/')[1];
      return part === undefined ? null : (PARTS[part]?.(id) ?? null);
    },
  };
}

const PREFIX = '\0lean:';

function libraryOf(file: string | undefined): string | undefined {
  return file?.split('/node_modules/')[1]?.split('/')[0];
}

/** The code that replaces modules for some libraries, by library and module. Most of these are modules of Node. */
export const BUILT_INS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  undici: {
    // Node’s assert module loads code that colours its messages.
    'node:assert': `
      const assert = (value, message) => {
        if (!value) throw message instanceof Error ? message : new Error(message ?? 'undici: an assertion failed');
      };
      module.exports = assert;`,
    // undici only needs the largest header size, for which this is Node’s default, and a class for server requests.
    'node:http': `module.exports = { maxHeaderSize: 16 * 1024, IncomingMessage: class IncomingMessage {} };`,
  },
  // The sandbox uses HTTP/1.1 only. Loading node:http2 would take a tenth of the sandbox’s start.
  '@hono': {
    'node:http2': 'export class Http2ServerRequest {}\nexport const constants = {};',
  },
  // cli-table3 receives only ASCII and private-use characters (src/output/grid.ts), and each character is one column wide.
  'cli-table3': {
    'string-width': 'module.exports = (text) => text.length;',
  },
  commander: {
    // commander needs these modules for commands in separate executables, which svc does not have.
    'node:child_process': forwarding('node:child_process'),
    'node:fs': forwarding('node:fs'),
    'node:path': forwarding('node:path'),
    'node:process': 'export default globalThis.process;',
  },
};

const REF_PARSER = '@apidevtools/json-schema-ref-parser/dist/lib';
const unused = (name: string) => () => `export default () => { throw new Error('svc was built without ${name}.'); };`;
const empty = () => 'export default {};';

/** Files of libraries that the bundle replaces. */
const PARTS: Readonly<Record<string, (path: string) => string>> = {
  // svc uses HTTP/1.1 only. This file would load node:http2, which takes about ten milliseconds.
  'undici/lib/dispatcher/client-h2.js': () => `module.exports = () => { throw new Error('svc was built without HTTP/2.'); };`,
  // svc only resolves references in documents that it has already read. svc therefore does not use the library to read, fetch, bundle or
  // dereference.
  [`${REF_PARSER}/resolve-external.js`]: () => 'export default () => Promise.resolve();',
  [`${REF_PARSER}/bundle.js`]: unused('bundling'),
  [`${REF_PARSER}/dereference.js`]: unused('dereferencing'),
  [`${REF_PARSER}/parse.js`]: unused('parsers'),
  ...Object.fromEntries(
    ['parsers/json', 'parsers/yaml', 'parsers/text', 'parsers/binary', 'resolvers/file', 'resolvers/http'].map((part) => [
      `${REF_PARSER}/${part}.js`,
      empty,
    ]),
  ),
  // svc uses a single PostgreSQL connection, parses the address itself and keeps values as texts. svc needs only COPY FROM, and no other
  // COPY.
  'pg/lib/native/index.js': unused('the native client'),
  'pg-pool/index.js': () => 'module.exports = class Pool {};',
  'pg-connection-string/index.js': unused('addresses as one text'),
  'pg-types/index.js': () => 'module.exports = { getTypeParser: () => String };',
  'pg-cloudflare/dist/empty.js': empty,
  'pg-copy-streams/copy-to.js': unused('COPY TO'),
  'pg-copy-streams/copy-both.js': unused('COPY BOTH'),
  // svc has its own styles.
  '@colors/colors/safe.js': () => 'module.exports = {};',
  // The library would calculate these tables at each start, so the build calculates them once.
  'undici/lib/llhttp/constants.js': (path) => `module.exports = ${JSON.stringify(require(path))};`,
};
