/**
 * Bundles src into dist: one entry, split into chunks along the dynamic imports, so that a command loads only what it
 * runs. keytar stays outside, since it brings native binaries.
 */
import { rm } from 'node:fs/promises';
import { build, type Plugin } from 'esbuild';

/**
 * svc speaks HTTP/1.1: undici's other client would load `node:http2`, some ten milliseconds, before it is asked for. In its
 * place stands a module that says so, should anything ever ask.
 */
const withoutHttp2: Plugin = {
  name: 'without-http2',
  setup(builder) {
    builder.onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/ }, () => ({
      contents: "module.exports = () => { throw new Error('svc was built without HTTP/2.'); };",
    }));
  },
};

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: { main: 'src/main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  external: ['keytar'],
  chunkNames: 'chunks/[name]-[hash]',
  minify: true,
  keepNames: true,
  legalComments: 'external',
  plugins: [withoutHttp2],
  // A bundled undici leaves out its experimental parser, which loads WebAssembly of its own.
  define: { esbuildDetection: 'true' },
  // Bundled CommonJS asks for Node's own modules through `require`, which an ES module does not have.
  banner: { js: "import{createRequire as __svcRequire}from'node:module';const require=__svcRequire(import.meta.url);" },
  logLevel: 'warning',
});
