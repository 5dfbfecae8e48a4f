import { builtInCatalog, type Catalog } from './catalog/index.ts';
import { GLOBAL_OPTIONS, type Globals, withJson } from './cli/globals.ts';
import { resolveCommand, strangeWord } from './cli/resolve.ts';
import type { CommandSpec } from './cli/spec.ts';
import { rootOf } from './commands/root.ts';
import { stateDirectory } from './config/paths.ts';
import { type Deps, OutputClosed } from './deps.ts';
import { exitCodeOf, InterruptedError, SvcError, UnavailableError } from './errors.ts';
import { allowsColor } from './output/styles.ts';
import type { Context } from './session/context.ts';
import { isOn } from './session/environment.ts';
import { type Guarded, guardTerminal } from './session/guard-terminal.ts';

/**
 * Runs one command line and returns its exit code. {@link reportFailure} prints an error of the command on stderr, and returns the exit
 * code of the error. No command ends the process itself.
 *
 * @param argv The words that a person typed after `svc`.
 */
export async function run(argv: readonly string[], realDeps: Deps): Promise<number> {
  const deps = guardTerminal(realDeps, argv);
  let context: Context | undefined;
  try {
    const isVersion = argv[0] === '--version' || argv[0] === '-V';
    const catalog = isVersion ? builtInCatalog() : await catalogFor(deps, argv);
    const makeContext: MakeContext = async (...command) => {
      context = (await import('./session/create-context.ts')).createContext(deps, catalog, ...command);
      return context;
    };
    const code = await runCommand(catalog, argv, deps, makeContext);
    await context?.resolveWrites();
    return code;
  } catch (error) {
    const code = await reportFailure(error, argv, realDeps);
    if (reportsWhatWasDone(error)) await context?.resolveWrites();
    return code;
  } finally {
    await context?.close();
    await deps.network.close();
  }
}

function reportsWhatWasDone(error: unknown): boolean {
  return error instanceof SvcError && !(error instanceof UnavailableError) && !(error instanceof InterruptedError);
}

/**
 * Creates the context of a command.
 *
 * @param line The words that a person typed after `svc`, with the alias replaced.
 * @param reads True for a command that only reads records.
 */
type MakeContext = (globals: Globals, line: readonly string[], reads: boolean) => Promise<Context>;

type Root = CommandSpec<Context>;

async function runCommand(catalog: Catalog, typed: readonly string[], deps: Guarded, makeContext: MakeContext): Promise<number> {
  const root = rootOf(catalog);
  const at = strangeWord(root, typed, GLOBAL_OPTIONS);
  const line = at === undefined ? { argv: typed } : await (await import('./session/aliases.ts')).unalias(deps, typed, at);
  if ('code' in line) return line.code;
  const unknown = strangeWord(root, line.argv, GLOBAL_OPTIONS);
  // The organisation’s API spec can lack a resource of the built-in catalog.
  if (unknown !== undefined) catalog.checkMissing?.(line.argv[unknown] ?? '');
  try {
    await runLine(root, line.argv, deps, makeContext);
  } catch (error) {
    if (catalog.described === undefined) throw error;
    throw await (await import('./session/explain-error.ts')).explainHidden(error, catalog, line.argv);
  }
  return 0;
}

async function runLine(root: Root, argv: readonly string[], deps: Guarded, makeContext: MakeContext): Promise<void> {
  const { stdout } = deps.stdio;
  if (argv[0] === '--version' || argv[0] === '-V') return stdout.write(`svc ${deps.system.version}\n`);
  const { path, spec, args, help } = await resolveCommand(root, argv, GLOBAL_OPTIONS);
  const showHelp = async () => {
    const { COLORED_HELP, PLAIN_HELP, renderHome } = await import('./cli/home.ts');
    const styles = allowsColor(stdout, argv.includes('--no-color'), deps.env) ? COLORED_HELP : PLAIN_HELP;
    if (path.length === 0 && !help) return stdout.write(renderHome(spec, styles));
    const { renderHelp } = await import('./cli/help.ts');
    await stdout.write(renderHelp(spec, path, GLOBAL_OPTIONS, Math.min(stdout.columns ?? 80, 120), styles));
  };
  if (help || spec.run === undefined) return showHelp();
  const { parseInput, withoutSecrets } = await import('./cli/parse.ts');
  const input = parseInput(spec, path, GLOBAL_OPTIONS, args);
  if (input.help) return showHelp();
  const globals = withJson(input.globals as Globals);
  if (globals.jq !== undefined || globals.fields !== undefined) await (await import('./session/print.ts')).checkOutputFlags(globals);
  const context = await makeContext(globals, withoutSecrets(argv, input.secrets), spec.showsGlobals?.includes('database') === true);
  if (globals.raw || globals.bom) await (await import('./session/print.ts')).checkCsvFlags(context);
  try {
    await spec.run(context, { args: input.args, options: input.options });
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw await (await import('./session/explain-error.ts')).completeError(context, error, root);
  }
  if (path[0] !== 'outbox') await context.printWaiting();
}

/** Prints an error on stderr, also an error that no code waited for. Returns the exit code. */
export async function reportFailure(error: unknown, argv: readonly string[], deps: Deps): Promise<number> {
  // The reader has closed the output (`svc … | head`).
  if (error instanceof OutputClosed) return 0;
  const { stderr } = guardTerminal(deps, argv).stdio;
  const { renderError } = await import('./output/error-text.ts');
  const text = renderError(error, {
    format: errorFormat(argv, deps.env),
    color: allowsColor(stderr, argv.includes('--no-color'), deps.env),
    width: stderr.columns,
  });
  await stderr.write(text + (await whereInSvc(error, argv, deps))).catch(() => undefined);
  return exitCodeOf(error);
}

/**
 * Returns the place of svc’s own bug in the source, for the person who fixes the bug. Returns an empty string without `--debug` or
 * `SVC_DEBUG`, and for an error that svc explains.
 */
async function whereInSvc(error: unknown, argv: readonly string[], { env, system }: Deps): Promise<string> {
  const debugging = argv.includes('--debug') || isOn(env['SVC_DEBUG']);
  if (!debugging || error instanceof SvcError || !(error instanceof Error)) return '';
  return `${await system.traceOf(error)}\n`;
}

/** Returns the format of errors. Reads the unparsed arguments, because svc also reports errors in the arguments themselves. */
function errorFormat(argv: readonly string[], env: Deps['env']): 'text' | 'json' {
  const at = argv.indexOf('--error-format');
  const given = at >= 0 ? argv[at + 1] : argv.find((word) => word.startsWith('--error-format='))?.split('=')[1];
  return (given ?? env['SVC_ERROR_FORMAT']) === 'json' ? 'json' : 'text';
}

/**
 * Returns the catalog for the imported API spec of the organisation in the command line. Without an imported API spec, returns the built-in
 * catalog after listing one directory.
 */
async function catalogFor(deps: Guarded, argv: readonly string[]): Promise<Catalog> {
  const builtIn = builtInCatalog();
  const stored = await deps.files.atOnce.list(`${stateDirectory(deps.env, deps.system)}/schema`).catch(() => []);
  if (stored.length === 0) return builtIn;
  return (await import('./session/stored-catalog.ts')).storedCatalog(deps, argv, builtIn);
}
