// The exports of `import … from 'svc-cli/sandbox'`. The package contains their types in public-types.d.cts, which a
// script generates from these files.
export { parseFault } from './http/faults.ts';
export { readInterpretations } from './interpretations.ts';
export { startSandbox } from './start.ts';
