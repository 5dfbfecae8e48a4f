/** The launcher loads this script, and the script runs the adjacent bundle. The script imports only adjacent files to stay small. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { launch } from './launch.ts';

const nodeRequire = createRequire(__filename);

launch(join(__dirname, 'main.cjs'), {
  // The bundle is ASCII, and Node reads latin1 fastest.
  read: (file) => readFileSync(file, 'latin1'),
  // The package contains keytar, so that npm installs nothing else (scripts/bundle.ts).
  outside: (id) => nodeRequire(id === 'keytar' ? './keytar' : id),
});
