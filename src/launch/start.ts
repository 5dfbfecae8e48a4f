/** The launcher loads this file, which runs the bundle beside it. It imports only its neighbours, so that it is small. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { launch } from './launch.ts';

const nodeRequire = createRequire(__filename);

launch(join(__dirname, 'main.cjs'), {
  // The bundle is ASCII, which is read fastest so.
  read: (file) => readFileSync(file, 'latin1'),
  // The package holds keytar, so that npm installs nothing else (scripts/bundle.ts).
  outside: (id) => nodeRequire(id === 'keytar' ? './keytar' : id),
});
