import { UsageError } from '../errors.ts';
import { quote } from './quote.ts';

/**
 * Reads a wait of svc itself (`--timeout`, `--max-wait`): `30s`, `5m`, `1h`, `250ms`, `1m30s`, `1.5m`; a bare number is in seconds.
 *
 * @returns whole milliseconds, from 0 to 2,147,483,647 (the most that a timer takes).
 * @throws UsageError for anything else.
 */
export function parseTimespan(text: string): number {
  const typed = text.trim().toLowerCase();
  const spelled = /^\d+(\.\d+)?$/.test(typed) ? `${typed}s` : typed;
  if (!WHOLE.test(spelled)) throw refused(text);
  const parts = spelled.replace(/\s+/g, '').match(PART) ?? [];
  const total = parts.reduce((sum, part) => sum + milliseconds(part, text), 0);
  if (total > LONGEST) throw refused(text);
  return total;
}

const WHOLE = /^(?:\d+(?:\.\d+)?\s*(?:ms|s|m|h)\s*)+$/;
const PART = /\d+(?:\.\d+)?(?:ms|s|m|h)/g;
const LONGEST = 2 ** 31 - 1;
/** Returns exact milliseconds, without floating-point errors: `1.001s` is 1001 ms. */
function milliseconds(part: string, text: string): number {
  const [, before = '', after = '', unit] = /^(\d+)(?:\.(\d+))?([a-z]+)$/.exec(part) ?? [];
  const size = unit === 'h' ? 3_600_000n : unit === 'm' ? 60_000n : unit === 's' ? 1_000n : 1n;
  const scaled = BigInt(before + after) * size;
  const scale = 10n ** BigInt(after.length);
  if (scaled % scale !== 0n) throw refused(text);
  return Number(scaled / scale);
}

function refused(text: string): UsageError {
  return new UsageError(`${quote(text)} is not a span of time svc can wait.`, {
    hint: 'Write 30s, 5m, 1h, 250ms, or a number of seconds.',
  });
}
