import { type ErrorDetails, exitCodeOf, SvcError } from '../errors.ts';
import { escapeUnsafe, neutraliseLine } from './neutralise.ts';
import { wrap } from './wrap.ts';

export interface ErrorTextOptions {
  readonly format: 'text' | 'json';
  readonly color: boolean;
  /** The width of the terminal in columns. svc breaks lines between words. Undefined means no line breaks. */
  readonly width?: number | undefined;
}

/** Returns an error as text that ends with a line break. JSON is one line with `message`, `hint`, `exit_code` and the known details. */
export function renderError(error: unknown, options: ErrorTextOptions): string {
  const { message, hint, details } = describe(error);
  if (options.format === 'text') return errorLines(message, hint, details, options);
  const code = exitCodeOf(error);
  return `${escapeUnsafe(JSON.stringify({ message, hint: hint || usualHint(code), exit_code: code, ...details }))}\n`;
}

function usualHint(code: number): string {
  return USUAL_HINTS[code] ?? 'Run the command again with --debug, which shows each request and its answer.';
}

const USUAL_HINTS: Readonly<Record<number, string>> = {
  2: 'Correct the command; --help shows its arguments. svc sent nothing.',
  3: 'Find the record in the list of the resource. svc resources lists the resources of this organisation.',
  4: 'Sign in with svc login. In scripts, set SVC_HOST and SVC_TOKEN.',
  5: 'Use a sign-in or token with the right permission, or ask an administrator.',
  6: 'Read the record again. Repeat the change only if you still want the change.',
  7: 'Try again later, or wait longer with --max-wait.',
  8: 'Try again later. svc doctor checks your computer and your connection.',
  9: 'Correct the named part, and send the request again.',
  10: 'The output shows what failed and why.',
};

function describe(error: unknown) {
  if (error instanceof SvcError)
    return { message: oneLine(error.message), hint: error.hint && oneLine(error.hint), details: error.details };
  const what = error instanceof Error ? error.message || error.name : String(error);
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    return {
      message: oneLine(`The operating system reported an error: ${what}`),
      hint: 'Check the path, your permissions and the free disk space.',
      details: {},
    };
  }
  return {
    message: oneLine(`Something went wrong inside svc: ${what}`),
    hint: 'Run the command again with --debug to see the place in svc. If the error remains, report the error.',
    details: {},
  };
}

function oneLine(text: string): string {
  return neutraliseLine(text).trim();
}

function errorLines(message: string, hint: string | undefined, details: ErrorDetails, { color, width }: ErrorTextOptions): string {
  const facts = serviceFacts(details);
  const lines = [
    `${paint('svc:', RED, color)} ${broken(message, 'svc: '.length, width)}`,
    ...(hint ? [`  ${broken(hint, 2, width)}`] : []),
    ...(details.lines ?? []).map((line) => `  - ${oneLine(line)}`),
    ...(details.resume === undefined ? [] : [`  Resume with: ${oneLine(details.resume)}`]),
    ...(details.request === undefined ? [] : [paint(`  ${oneLine(details.request)}`, DIM, color)]),
    ...(facts === '' ? [] : [paint(`  ${broken(facts, 2, width)}`, DIM, color)]),
  ];
  return `${lines.join('\n')}\n`;
}

function broken(text: string, indent: number, width: number | undefined): string {
  return width === undefined ? text : wrap(text, Math.max(width - indent, 24)).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** Returns the service’s facts about an error: `validation-failed (422), code date_format, parameter date, request 01J…`. */
function serviceFacts({ type, status, code, parameter, reason, retry_after: seconds, request_id: id }: ErrorDetails): string {
  const parts = [
    type === undefined ? status && `status ${status}` : `${type}${status === undefined ? '' : ` (${status})`}`,
    code && `code ${code}`,
    parameter && `parameter ${parameter}`,
    reason && `reason ${reason}`,
    seconds !== undefined && `retry after ${seconds}s`,
    id && `request ${id}`,
  ];
  return oneLine(parts.filter(Boolean).join(', '));
}

// svc writes the colour codes itself, so that printing an error does not load chalk.
const RED = '31';
const DIM = '2';

function paint(text: string, code: string, color: boolean): string {
  return color ? `\u001b[${code}m${text}\u001b[0m` : text;
}
