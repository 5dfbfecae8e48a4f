import { NetworkError, UnavailableError, UsageError } from '../../../errors.ts';
import type { Needs } from '../../../session/context.ts';
import { inSequence, type TimeBlock, timestampIn } from '../../../time/blocks.ts';
import type { Interval } from '../../../time/calendar.ts';
import { without } from '../../../time/intervals.ts';
import { plainLine } from '../../../values/hidden-characters.ts';
import { isPlainObject, type PlainObject, parsedJson } from '../../../values/json.ts';
import { counted } from '../../../values/text.ts';
import { union } from '../../../values/union.ts';
import { keysIn } from '../target.ts';
import { localPath, shownName } from './agent-sessions.ts';

/** The events of one ActivityWatch watcher on one machine. */
interface Bucket {
  readonly type: unknown;
  readonly hostname: unknown;
  readonly events: readonly unknown[];
}

const API = 'http://127.0.0.1:5600/api/0';
const MOST_BYTES = 128 * 1024 * 1024;
const TYPES: ReadonlySet<unknown> = new Set(['afkstatus', 'currentwindow', 'app.editor.activity']);
/**
 * The longest pause in the work of an editor or a window, in milliseconds. During such a pause, the person possibly reads without pressing
 * a key.
 */
const PAUSE = 5 * 60_000;
/** The longest event that svc reads, in seconds: a week. Longer events count as unreadable. */
const LONGEST_EVENT = 7 * 24 * 3600;

/**
 * Reads the buckets of the ActivityWatch on this machine. svc requests only the days in the range.
 *
 * @throws UnavailableError if ActivityWatch does not answer, or if svc cannot read the answer.
 */
export async function requestBuckets(context: Needs<'network' | 'requestTimeoutMs' | 'signal'>, range: Interval) {
  const { network, signal } = context;
  const timeoutMs = await context.requestTimeoutMs();
  const hint = 'Start ActivityWatch, or give an export of its buckets: --activitywatch-file aw-buckets-export.json';
  const unusable = (why: string, cause?: unknown) => new UnavailableError(`ActivityWatch at ${API} ${why}.`, { hint, cause });
  const ask = async (path: string): Promise<unknown> => {
    const request = { method: 'GET', url: `${API}${path}`, headers: { accept: 'application/json' }, timeoutMs, signal };
    const response = await network.request(request).catch((error: unknown) => {
      throw error instanceof NetworkError ? unusable('does not answer', error) : error;
    });
    if (response.status === 200) return parsedJson(await response.text(MOST_BYTES));
    await response.discard();
    throw unusable(`answered with HTTP ${response.status}`);
  };
  const info = await ask('/info');
  const version = isPlainObject(info) ? info['version'] : undefined;
  const isKnown = /^v?0\.\d/.test(String(version));
  const leftOut = isKnown ? [] : [`ActivityWatch ${plainLine(version, 20) || 'without a version'}`];
  const times = new URLSearchParams({ start: new Date(range.start).toISOString(), end: new Date(range.end).toISOString(), limit: '-1' });
  const buckets: Bucket[] = [];
  for (const { id, ...bucket } of isKnown ? bucketsIn(await ask('/buckets/')) : []) {
    const events = await ask(`/buckets/${encodeURIComponent(id)}/events?${times}`);
    if (!Array.isArray(events)) throw unusable('gave events that svc cannot read');
    buckets.push({ ...bucket, events });
  }
  return { buckets, leftOut };
}

/** Reads the buckets of an export file of ActivityWatch. @throws UsageError for any other file. */
export function bucketsOfExport(text: string, path: string): readonly Bucket[] {
  const content = parsedJson(text);
  const { buckets } = isPlainObject(content) ? content : {};
  const found = bucketsIn(buckets);
  if (isPlainObject(buckets) && found.every((bucket): bucket is Bucket & { id: string } => Array.isArray(bucket.events))) return found;
  throw new UsageError(`--activitywatch-file: ${path} is not an export of ActivityWatch.`, {
    hint: 'In ActivityWatch, open Raw Data, then: Export all buckets as JSON',
  });
}

function bucketsIn(list: unknown) {
  const all = Object.entries(isPlainObject(list) ? list : {}).map(
    ([id, bucket]) => ({ id, ...(isPlainObject(bucket) ? bucket : {}) }) as PlainObject,
  );
  return all.flatMap(({ id, type, hostname, events }) => (TYPES.has(type) ? [{ id: String(id), type, hostname, events }] : []));
}

/**
 * Finds the time at work in buckets. Each machine has its own keyboard. `away` is the time in which the person was at none of the
 * keyboards.
 */
export function readBuckets(buckets: readonly Bucket[], range: Interval) {
  const editors: TimeBlock[] = [];
  const windows: TimeBlock[] = [];
  const away: Interval[] = [];
  const present: Interval[] = [];
  const leftOut: string[] = [];
  let unreadable = 0;
  for (const [hostname, own] of Map.groupBy(buckets, (bucket) => bucket.hostname)) {
    const eventsOf = (type: string) => own.filter((bucket) => bucket.type === type).flatMap(({ events }) => events.flatMap(readEvent));
    const keyboard = eventsOf('afkstatus');
    const absent = union(keyboard.filter(({ data }) => data['status'] === 'afk'));
    const there = union(keyboard.filter(({ data }) => data['status'] === 'not-afk'));
    const edited = eventsOf('app.editor.activity').map((event) => blockOf(event, 'editor'));
    // Only a window title with exactly one work item key names the work.
    const titled = eventsOf('currentwindow')
      .map((event) => blockOf(event, 'window'))
      .filter(({ words }) => words.length === 1);
    away.push(...absent);
    present.push(...there);
    editors.push(...without(inSequence(edited, PAUSE), absent));
    windows.push(...without(inSequence(titled, PAUSE), without([range], there)));
    if (titled.length > 0 && keyboard.length === 0)
      leftOut.push(`the windows of ${shownName(hostname) ?? 'a machine without a name'}, which records no time at the keyboard`);
  }
  if (unreadable > 0) leftOut.push(counted(unreadable, 'unreadable event'));
  return { editors, windows, away: without(union(away), union(present)), leftOut };

  function readEvent(event: unknown): WatchedEvent[] {
    const { timestamp, duration, data } = isPlainObject(event) ? event : {};
    const at = timestampIn(timestamp);
    const isReadable =
      at !== undefined && typeof duration === 'number' && duration >= 0 && duration <= LONGEST_EVENT && isPlainObject(data);
    if (!isReadable) unreadable += 1;
    const [start, end] = isReadable ? [Math.max(at, range.start), Math.min(at + duration * 1000, range.end)] : [0, 0];
    return isReadable && end > start ? [{ start, end, data }] : [];
  }
}

type WatchedEvent = Interval & { readonly data: PlainObject };

function blockOf({ start, end, data }: WatchedEvent, source: 'editor' | 'window'): TimeBlock {
  const path = localPath(data['project']) ?? localPath(data['file']);
  const text = path === undefined ? (shownName(data['project']) ?? '') : '';
  return { start, end, source, isAgent: false, text, path, branch: shownName(data['branch']), words: keysIn(plainLine(data['title'])) };
}
