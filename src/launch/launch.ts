import { codeDirectory } from './code-directory.ts';
import { keepCode } from './kept-code.ts';
import { type BundlePlace, createLoader } from './loader.ts';

/** The build replaces this by a digest of the whole bundle (scripts/bundle.ts). */
const BUILD = 'SVC_BUILD';

/** Runs the bundle, with V8's compiled code kept from one run to the next. */
export function launch(main: string, place: BundlePlace): void {
  const { env, argv, platform, version, arch } = process;
  const build = `${BUILD}-${version}-${arch}`;
  const kept = env['NODE_DISABLE_COMPILE_CACHE'] ? undefined : keepCode(codeDirectory(env, platform), build, kindOf(argv));
  if (kept !== undefined) process.once('exit', () => kept.save());
  createLoader(kept, place)(main);
}

/** Help runs other functions of the same files than the command itself. */
function kindOf(argv: readonly string[]): string {
  return argv.some((word) => word === '--help' || word === '-h' || word === 'help') ? 'help' : 'run';
}
