import { UsageError } from '../../../errors.ts';
import { type TimeBlock, timestampIn } from '../../../time/blocks.ts';
import { plainLine } from '../../../values/hidden-characters.ts';
import { isPlainObject, parsedJson } from '../../../values/json.ts';
import { keysIn } from '../target.ts';
import { localPath, shownName } from './agent-sessions.ts';

const HINT =
  'Write a JSON object on each line: {"start":"2026-11-23T09:00:00+01:00","end":"2026-11-23T10:30:00+01:00","text":"Review","where":"ABC-12"}';

/**
 * Reads blocks, one JSON object for each line.
 *
 * @throws UsageError for a line that svc cannot read, because the time of the line would be missing.
 */
export function readBlocks(text: string, home: string): readonly TimeBlock[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const block = readBlock(line, home);
    if (typeof block === 'object') return [block];
    throw new UsageError(`--blocks: line ${index + 1} ${block}.`, { hint: HINT });
  });
}

/** Reads a block, or returns the reason why svc cannot read the block. */
function readBlock(line: string, home: string): TimeBlock | string {
  const block = parsedJson(line);
  if (!isPlainObject(block)) return 'is not a JSON object';
  const [start, end] = [timestampIn(block['start']), timestampIn(block['end'])];
  if (start === undefined || end === undefined) return `has no ${start === undefined ? 'start' : 'end'} with a date, a time and an offset`;
  if (end <= start) return 'does not end after its start';
  const { text = '', where = '' } = block;
  if (typeof text !== 'string' || typeof where !== 'string') return 'has a field "text" or "where" that is not a string';
  const [shown, place] = [plainLine(text, 200), placeOf(where.trim(), home)];
  if (place === undefined) return 'has a field "where" that is not an absolute path, a branch or a key';
  if (shown === '' && where.trim() === '') return 'has neither a field "text" nor a field "where"';
  return { ...place, start, end, source: 'block', isAgent: false, text: shown, words: keysIn(shown) };
}

/** Reads where the work was: a path, a key such as `ABC-12`, or the name of a branch. Undefined for another text. */
function placeOf(where: string, home: string): Pick<TimeBlock, 'path' | 'branch' | 'key'> | undefined {
  if (where === '') return {};
  if (/^[A-Za-z][A-Za-z0-9]*-\d+$/.test(where)) return { key: where.toUpperCase() };
  const path = localPath(where.replace(/^~(?=\/)/, () => home));
  if (path !== undefined) return { path };
  const branch = /^[^\s~./\\][^\s\\]*$/.test(where) ? shownName(where) : undefined;
  return branch === undefined ? undefined : { branch };
}
