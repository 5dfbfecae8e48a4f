/**
 * The launcher loads this file, which runs the bundle beside it. It imports only its neighbours, so that it is small: Node loads
 * it the ordinary way.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { launch } from './launch.ts';

launch(join(__dirname, 'main.cjs'), {
  // The bundle is ASCII, which is read fastest so.
  read: (file) => readFileSync(file, 'latin1'),
  outside: createRequire(__filename),
});
