import { type ErrorDetails, exitCodeOf, SvcError } from '../errors.ts';
import { escapeUnsafe, neutraliseLine } from './neutralise.ts';
import { wrap } from './wrap.ts';

export interface ErrorTextOptions {
  readonly format: 'text' | 'json';
  readonly color: boolean;
  /** Columns of the terminal, so that what went wrong and what to do break between words; undefined where nothing is to be broken. */
  readonly width?: number | undefined;
}

/**
 * A failure as it goes to stderr, with its line break. Text: what went wrong, what to do, what the service said. JSON: one object on one line
 * with `message`, `hint`, `exit_code`, always, and the details by their own names; of these what is unknown is left out.
 */
export function renderError(error: unknown, options: ErrorTextOptions): string {
  const { message, hint, details } = describe(error);
  if (options.format === 'text') return errorLines(message, hint, details, options);
  const code = exitCodeOf(error);
  return `${escapeUnsafe(JSON.stringify({ message, hint: hint || usualHint(code), exit_code: code, ...details }))}\n`;
}

/** What to do where a failure does not say: a program that reads it has something to go by, whichever it is. */
function usualHint(code: number): string {
  return USUAL_HINTS[code] ?? 'Run the command again; with --debug it shows each request and its answer.';
}

const USUAL_HINTS: Readonly<Record<number, string>> = {
  2: 'See the command with --help, then mend the line; nothing was sent.',
  3: 'Look for it: list the records, or see svc resources for what this organisation has.',
  4: 'Sign in with svc login; in scripts set SVC_HOST and SVC_TOKEN.',
  5: 'Use a sign-in or token that may do it, or ask an administrator.',
  6: 'Read the record again, and decide anew.',
  7: 'Try again later, or wait longer with --max-wait.',
  8: 'Try again later; svc doctor says whether something is wrong on this side.',
  9: 'Mend what the message names, and send it again.',
  10: 'See the output for what failed and why.',
};

interface Described {
  readonly message: string;
  readonly hint: string | undefined;
  readonly details: ErrorDetails;
}

/** Anything that is not svc's own error is a mistake in svc, and says so. */
function describe(error: unknown): Described {
  if (error instanceof SvcError)
    return { message: oneLine(error.message), hint: error.hint && oneLine(error.hint), details: error.details };
  const what = error instanceof Error ? error.message || error.name : String(error);
  if (isSystemError(error)) {
    return {
      message: oneLine(`The operating system refused: ${what}`),
      hint: 'Check that the path is right, that you may write there, and that there is room.',
      details: {},
    };
  }
  return {
    message: oneLine(`Something went wrong inside svc: ${what}`),
    hint: 'Run the command again with --debug to see where, and report it if it stays.',
    details: {},
  };
}

/** A file, a pipe or a program that the machine would not give: nothing is wrong inside svc. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function oneLine(text: string): string {
  return neutraliseLine(text).trim();
}

function errorLines(message: string, hint: string | undefined, details: ErrorDetails, { color, width }: ErrorTextOptions): string {
  const facts = serviceFacts(details);
  const lines = [
    `${paint('svc:', RED, color)} ${broken(message, 'svc: '.length, width)}`,
    ...(hint === undefined || hint === '' ? [] : [`  ${broken(hint, 2, width)}`]),
    ...(details.lines ?? []).map((line) => `  - ${oneLine(line)}`),
    ...(details.resume === undefined ? [] : [`  Go on with: ${oneLine(details.resume)}`]),
    ...(details.request === undefined ? [] : [paint(`  ${oneLine(details.request)}`, DIM, color)]),
    ...(facts === '' ? [] : [paint(`  ${broken(facts, 2, width)}`, DIM, color)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** A sentence in lines no wider than the terminal, under its own beginning. */
function broken(text: string, indent: number, width: number | undefined): string {
  return width === undefined ? text : wrap(text, Math.max(width - indent, 24)).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** `validation-failed (422), code date_format, parameter date, request 01J…`. */
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

// Two codes, rather than chalk: the last line of defence loads nothing.
const RED = '31';
const DIM = '2';

function paint(text: string, code: string, color: boolean): string {
  return color ? `\u001b[${code}m${text}\u001b[0m` : text;
}
