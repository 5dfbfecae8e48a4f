import { createRequire } from 'node:module';
import type { Plugin } from 'rolldown';
import { forwarding } from './lazy-built-ins.ts';

const require = createRequire(import.meta.url);

/**
 * What libraries load at once but svc needs later or not at all is replaced. docs/contributing/performance.md has what each costs;
 * test/launch has the list of what a command may load, which fails when a library finds another way, and of what the libraries use
 * of what is replaced.
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

/** Modules, Node's own for the most part, as far as a library uses them: by library and module, what is bundled in their place. */
export const BUILT_INS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  undici: {
    // The real one loads what colours its messages, stderr included.
    'node:assert': `
      const assert = (value, message) => {
        if (!value) throw message instanceof Error ? message : new Error(message ?? 'undici: an assertion failed');
      };
      module.exports = assert;`,
    // Asked for the largest header, where this is Node's default, and whether a body is a server's request.
    'node:http': `module.exports = { maxHeaderSize: 16 * 1024, IncomingMessage: class IncomingMessage {} };`,
  },
  // The sandbox speaks HTTP/1.1. What would come of HTTP/2 is told by its class, and node:http2 takes a tenth of the sandbox's start.
  '@hono': {
    'node:http2': 'export class Http2ServerRequest {}\nexport const constants = {};',
  },
  // It is given ASCII and letters of private use alone (src/output/grid.ts), each a column wide.
  'cli-table3': {
    'string-width': 'module.exports = (text) => text.length;',
  },
  commander: {
    // For commands that are programs of their own, which svc has none of.
    'node:child_process': forwarding('node:child_process'),
    'node:fs': forwarding('node:fs'),
    'node:path': forwarding('node:path'),
    'node:process': 'export default globalThis.process;',
  },
};

const REF_PARSER = '@apidevtools/json-schema-ref-parser/dist/lib';
const unused = (name: string) => () => `export default () => { throw new Error('svc was built without ${name}.'); };`;
const empty = () => 'export default {};';

/** Files of libraries. */
const PARTS: Readonly<Record<string, (path: string) => string>> = {
  // svc speaks HTTP/1.1: the other client would load node:http2, some ten milliseconds, before it is asked for.
  'undici/lib/dispatcher/client-h2.js': () => `module.exports = () => { throw new Error('svc was built without HTTP/2.'); };`,
  // svc hands the parser of references what it has read itself, and asks it for one part after the other: it neither reads, fetches, bundles
  // nor dereferences.
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
  // Of PostgreSQL's client one connection is taken, whose address svc has read, and whose values stay texts; of COPY the way in.
  'pg/lib/native/index.js': unused('the native client'),
  'pg-pool/index.js': () => 'module.exports = class Pool {};',
  'pg-connection-string/index.js': unused('addresses as one text'),
  'pg-types/index.js': () => 'module.exports = { getTypeParser: () => String };',
  'pg-cloudflare/dist/empty.js': empty,
  'pg-copy-streams/copy-to.js': unused('COPY TO'),
  'pg-copy-streams/copy-both.js': unused('COPY BOTH'),
  // svc has styles of its own.
  '@colors/colors/safe.js': () => 'module.exports = {};',
  // Tables that are computed at each start: computed here, once.
  'undici/lib/llhttp/constants.js': (path) => `module.exports = ${JSON.stringify(require(path))};`,
};
