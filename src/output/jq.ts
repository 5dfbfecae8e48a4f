import { SvcError, UsageError } from '../errors.ts';
import { parseJson } from '../values/json.ts';
import { prettyJson } from './json-writer.ts';
import { neutraliseText } from './neutralise.ts';
import { loadStyles } from './styles.ts';

export interface JqOptions {
  readonly color: boolean;
  /** Whether to indent JSON and neutralise control characters, for a terminal. */
  readonly pretty: boolean;
  /** Runs a function that blocks the process (default: calls it). */
  readonly alone?: <T>(run: () => T) => T;
}

/**
 * Runs a jq expression on JSON text, with jq itself (compiled to WebAssembly). Prints as `gh --jq` does: strings bare, other values as JSON, a line each.
 *
 * @returns what jq prints, each result with its line break; `''` when there is none.
 * @throws UsageError when the expression does not compile or fails on this input, with jq's own words.
 * @throws SvcError when the input needs more than the 256 MiB that jq has here.
 */
export async function runJq(json: string, expression: string, options: JqOptions): Promise<string> {
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  // `--` ends the options: an expression may begin with a minus.
  const { alone = (run) => run() } = options;
  const { stdout, stderr, exitCode } = attempt(() => alone(() => jq.raw(json, expression, ['-c', '--'])));
  if (exitCode !== 0) throw new UsageError(`jq: ${reason(stderr)}`, { hint: HINT });
  const styles = await loadStyles(options.color);
  const results = stdout === '' ? [] : stdout.replace(/\n$/, '').split('\n');
  return results
    .map((result) => {
      // Each result is one line: jq escapes line breaks in strings.
      if (!result.startsWith('"') && !options.pretty && !options.color) return `${result}\n`;
      const value = parseJson(result);
      if (typeof value !== 'string') return `${prettyJson(value, styles, options.pretty ? 'indented' : 'line')}\n`;
      return `${options.pretty ? neutraliseText(value) : value}\n`;
    })
    .join('');
}

/**
 * Compiles a jq expression without running it, so that an error in it shows before the first request.
 *
 * @throws UsageError with jq’s message if it does not compile.
 */
export async function checkJq(expression: string): Promise<void> {
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  // Empty input has no value to run it on.
  const { stderr, exitCode } = jq.raw('', expression, ['-c', '--']);
  if (exitCode !== 0) throw new UsageError(`--jq: ${reason(stderr)}`, { hint: HINT });
}

const HINT = 'The expression is in the language of jq 1.8: https://jqlang.org/manual/';

/** Reports the RuntimeError of WebAssembly without memory. */
function attempt<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw new SvcError('The built-in jq ran out of memory on this much JSON.', {
      hint: 'Use --output ndjson and pipe it to jq, which then sees one record at a time.',
      cause,
    });
  }
}

/** Returns jq’s message on one line, without its name and the file position. */
function reason(stderr: string): string {
  const lines = stderr.trim().split('\n');
  const [first = ''] = lines.filter((line) => /^jq: error|^jq: /.test(line));
  return (first || lines[0] || 'it failed without saying why.')
    .replace(/^jq: /, '')
    .replace(/ at <top-level>, line \d+, column (\d+):?$/, ' (column $1).');
}
