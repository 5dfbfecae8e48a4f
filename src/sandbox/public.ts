// The exports of `import … from 'svc/sandbox'`. The package contains their types in public-types.d.cts, which is made from these
// files.
export { parseFault } from './http/fault-text.ts';
export { readKnobs } from './knobs.ts';
export { startSandbox } from './start.ts';
