import { UsageError } from '../errors.ts';
import { quote } from './quote.ts';

/**
 * Reads yes or no: `true`, `false`, `yes`, `no`, `y`, `n`, in any case. A query needs the form of JSON, `String(value)`.
 *
 * @throws UsageError for anything else.
 */
export function parseBoolean(text: string): boolean {
  const value = WORDS.get(text.trim().toLowerCase());
  if (value === undefined)
    throw new UsageError(`${quote(text)} is neither yes nor no.`, { hint: 'Write true or false (yes and no will do).' });
  return value;
}

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['y', true],
  ['false', false],
  ['no', false],
  ['n', false],
]);
