// What `import … from 'svc/sandbox'` gives. Its types are written into public-types.d.cts, which goes into the package with it.
export { parseFault } from './http/fault-text.ts';
export { readKnobs } from './knobs.ts';
export { startSandbox } from './start.ts';
