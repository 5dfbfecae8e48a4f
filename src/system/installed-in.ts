import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Returns the directory that contains `bin/svc` or `bin/svc.js`, without links. Returns the directory that contains `src` if svc runs from
 * source.
 */
export function installedIn(): string {
  const isExecutable = process.getBuiltinModule('node:sea').isSea();
  const program = isExecutable ? process.execPath : process.argv[1];
  return dirname(dirname(realpathSync(program ?? process.execPath)));
}
