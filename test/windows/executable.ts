import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { executableParts } from '../../scripts/standalone/parts.ts';
import { unsignedNode } from '../../scripts/standalone/signature.ts';
import { installTools } from '../support/locked-tools.ts';

/** The text in Node that postject changes, so that Node looks for a bundle. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Makes `svc.exe` with the parts of the release’s executable, and a Node that starts under Wine. Node 26 writes bundles in a form that an
 * older Node can’t read. Node for Linux in the same version therefore writes the bundle, and postject adds the bundle to Node for Windows.
 *
 * @param nodes the paths of Node for Windows and for Linux, in one version.
 */
export async function makeExecutable(directory: string, nodes: { readonly windows: string; readonly linux: string }): Promise<string> {
  const [work, output] = [join(directory, 'parts'), join(directory, 'svc.exe')];
  await mkdir(work, { recursive: true });
  const settings = { ...(await executableParts(work, 'win32-x64')), output: 'bundle.blob' };
  await writeFile(join(work, 'sea.json'), JSON.stringify(settings));
  execFileSync(nodes.linux, ['--experimental-sea-config', 'sea.json'], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  await unsignedNode(nodes.windows, output);
  const postject = join(await installTools('postject'), 'node_modules/postject/dist/cli.js');
  execFileSync(process.execPath, [postject, output, 'NODE_SEA_BLOB', join(work, 'bundle.blob'), '--sentinel-fuse', FUSE], {
    stdio: 'ignore',
  });
  return output;
}
