import { SvcError, UsageError } from '../errors.ts';
import { parseJson } from '../values/json.ts';
import { prettyJson } from './json-writer.ts';
import { neutraliseText } from './neutralise.ts';
import { loadStyles } from './styles.ts';

export interface JqOptions {
  readonly color: boolean;
  /** True to indent JSON and make control characters visible, for a terminal. */
  readonly pretty: boolean;
  readonly alone?: <T>(run: () => T) => T;
}

/**
 * Runs a jq expression on JSON text, using jq itself (compiled to WebAssembly). The results have the form of `gh --jq`: strings without
 * quotes, and other values as JSON.
 *
 * @returns the output of jq, with a line break after each result. An empty string if there are no results.
 * @throws UsageError with jq’s message if the expression does not compile or fails on this input.
 * @throws SvcError if the input needs more than the 256 MiB of memory that jq has here.
 */
export async function runJq(json: string, expression: string, options: JqOptions): Promise<string> {
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  // `--` ends the options, because an expression can start with a minus sign.
  const { alone = (run) => run() } = options;
  const { stdout, stderr, exitCode } = attempt(() => alone(() => jq.raw(json, expression, ['-c', '--'])));
  if (exitCode !== 0) throw new UsageError(`jq: ${reason(stderr)}`, { hint: HINT });
  const styles = await loadStyles(options.color);
  const results = stdout === '' ? [] : stdout.replace(/\n$/, '').split('\n');
  return results
    .map((result) => {
      // Each result is one line, because jq escapes line breaks in strings.
      if (!result.startsWith('"') && !options.pretty && !options.color) return `${result}\n`;
      const value = parseJson(result);
      if (typeof value !== 'string') return `${prettyJson(value, styles, options.pretty ? 'indented' : 'line')}\n`;
      return `${options.pretty ? neutraliseText(value) : value}\n`;
    })
    .join('');
}

/**
 * Compiles a jq expression without running it. svc can then report an error before the first request.
 *
 * @throws UsageError with jq’s message if the expression does not compile.
 */
export async function checkJq(expression: string): Promise<void> {
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  // With empty input, jq compiles the expression but has no value to run it on.
  const { stderr, exitCode } = jq.raw('', expression, ['-c', '--']);
  if (exitCode !== 0) throw new UsageError(`--jq: ${reason(stderr)}`, { hint: HINT });
}

/**
 * Returns the top-level fields that a jq expression reads from records. For example, `due_date` in `.[].due_date`, in `map({id, due_date})`
 * and in the interpolation of a string. Leaves out a field that the expression reads in another way, such as with `getpath`.
 */
export function fieldsInJq(expression: string): readonly string[] {
  const paths = expression.matchAll(/(?:(?<![\w)"?\]$@.])|(?<=\.\[[^\]]*\]\??))\.(?:\["|")?([A-Za-z_]\w*)/g);
  const members = expression.matchAll(/[{,]\s*([A-Za-z_]\w*)\s*(?=[,}])/g);
  return [...new Set([...paths, ...members].map(([, name = '']) => name))];
}

const HINT = 'Use the language of jq 1.8: https://jqlang.org/manual/';

function attempt<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw new SvcError('The built-in jq has too little memory for this JSON.', {
      hint: 'Use --output ndjson and pipe the output to jq. jq then reads one record at a time.',
      cause,
    });
  }
}

function reason(stderr: string): string {
  const lines = stderr.trim().split('\n');
  const [first = ''] = lines.filter((line) => /^jq: error|^jq: /.test(line));
  return (first || lines[0] || 'the expression failed without a message.')
    .replace(/^jq: /, '')
    .replace(/ at <top-level>, line \d+, column (\d+):?$/, ' (column $1).');
}
