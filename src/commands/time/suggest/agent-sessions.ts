import type { Files } from '../../../deps.ts';
import type { Needs } from '../../../session/context.ts';
import { type TimeBlock, timestampIn } from '../../../time/blocks.ts';
import type { Interval } from '../../../time/calendar.ts';
import { plainLine } from '../../../values/hidden-characters.ts';
import { isPlainObject, type PlainObject, parsedJson } from '../../../values/json.ts';
import { pathIn } from '../../../values/paths.ts';
import { counted } from '../../../values/text.ts';
import { keysIn } from '../target.ts';

/** The longest pause in a session, in milliseconds. During a longer pause, neither the person nor the agent was at work. */
const LONGEST_PAUSE = 15 * 60_000;
/** The longest line that svc reads, in characters. Lines with pictures and tool results are long. */
const LONGEST_LINE = 16 * 1024 * 1024;
const LARGEST_FILE = 1024 * 1024 * 1024;

type Place = Pick<TimeBlock, 'source' | 'path' | 'branch'>;

/** A line of a log. `message` is the text of a person’s message, and undefined for every other line. */
interface Line {
  readonly at: number;
  readonly place: Place;
  readonly message: string | undefined;
}

/**
 * Reads the next line of a session. Undefined for a line that shows no work, such as a line without a time. A string is the reason why svc
 * leaves the line out.
 */
type LineReader = (line: PlainObject) => Line | string | undefined;

/**
 * Reads the session logs of coding agents in the home directory. The contents stay on this machine. `attended` is the time from each
 * message of a person to the next message within 15 minutes. `agents` is all time in which the agents wrote to their logs. `leftOut` lists
 * the logs that svc could not read in full.
 */
export async function readAgentSessions({ files, system }: Needs<'files' | 'system'>, range: Interval) {
  const [from, until] = [range.start - LONGEST_PAUSE, range.end + LONGEST_PAUSE];
  const messages: Line[] = [];
  const agents: TimeBlock[] = [];
  const leftOut = new Map<string, number>();
  const leave = (why: string) => void leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
  const logs = [
    [await filesBelow(files, pathIn(system.home, '.claude', 'projects'), 1), () => readClaudeLine],
    [await filesBelow(files, pathIn(system.home, '.codex', 'sessions'), 3), codexReader],
  ] as const;
  for (const [paths, createReader] of logs) {
    for (const path of paths) {
      const found = await files.stat(path).catch(() => undefined);
      if (found === undefined || found.changedAt < from) continue;
      if (found.size > LARGEST_FILE) leave('larger than 1 GiB');
      else await readLog(path, createReader()).catch(() => leave('not a readable file'));
    }
  }
  return { attended: attendedTime(messages), agents, leftOut: [...leftOut].map(([why, count]) => `${counted(count, 'log')} (${why})`) };

  async function readLog(path: string, read: LineReader): Promise<void> {
    const reasons = new Set<string>();
    let last: TimeBlock | undefined;
    for await (const text of completeLines(files, path)) {
      const content = text === undefined ? undefined : parsedJson(text);
      const line = text?.trim() === '' ? undefined : isPlainObject(content) ? read(content) : 'lines that svc cannot read';
      if (typeof line === 'string') reasons.add(line);
      if (typeof line !== 'object' || line.at < from || line.at > until) continue;
      if (line.message !== undefined) messages.push(line);
      const end = Math.max(line.at, last?.end ?? 0);
      const isNext = last !== undefined && end - last.end <= LONGEST_PAUSE;
      if (last !== undefined && isNext) agents[agents.length - 1] = last = { ...last, end };
      if (isNext && last?.path === line.place.path && last?.branch === line.place.branch) continue;
      last = { ...blockOf(line, end), isAgent: true };
      agents.push(last);
    }
    for (const why of reasons) leave(why);
  }
}

/** A person attends one session at a time. The time after a message therefore ends at the next message in any session. */
function attendedTime(messages: readonly Line[]): TimeBlock[] {
  const inOrder = messages.toSorted((one, other) => one.at - other.at);
  return inOrder.flatMap((line, index) => {
    const end = inOrder[index + 1]?.at ?? line.at;
    return end - line.at > LONGEST_PAUSE ? [] : [blockOf(line, end)];
  });
}

function blockOf({ at, place, message = '' }: Line, end: number): TimeBlock {
  return { ...place, start: at, end, isAgent: false, text: '', words: keysIn(message) };
}

/** Reads a line of Claude Code. Lines of the type `user` are also tool results, notes of the program and messages between agents. */
function readClaudeLine(line: PlainObject): Line | string | undefined {
  const { type, version, message, origin, promptSource = 'typed', entrypoint = 'cli' } = line;
  const at = timestampIn(line['timestamp']);
  if (at === undefined || (type !== 'user' && type !== 'assistant')) return undefined;
  if (!/^[12]\.\d/.test(String(version))) return unknownVersion('Claude Code', version);
  const place = { source: 'Claude Code', path: localPath(line['cwd']), branch: shownName(line['gitBranch']) };
  const isMarked = ['isSidechain', 'isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly'].some((name) => line[name] === true);
  const isTyped =
    /^(?:typed|queued|suggestion_accepted)$/.test(String(promptSource)) &&
    !/^sdk\b/.test(String(entrypoint)) &&
    (!isPlainObject(origin) || origin['kind'] === 'human');
  const content =
    type === 'user' && isTyped && !isMarked && line['toolUseResult'] === undefined && isPlainObject(message) && message['content'];
  const parts: readonly unknown[] = typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : [];
  const isMessage = parts.length > 0 && parts.every((part) => isPlainObject(part) && part['type'] !== 'tool_result');
  const text = parts.map((part) => (isPlainObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('\n');
  return { at, place, message: isMessage && !WRITTEN_BY_PROGRAM.test(text) ? text : undefined };
}

const WRITTEN_BY_PROGRAM =
  /^\s*(?:<(?:local-command-\w+|bash-std(?:out|err)|task-notification|system-reminder|teammate-message)[ >]|\[Request interrupted by user|Caveat: )/;

/**
 * Reads the lines of Codex. The first line has the version, the directory and the branch. Only the sessions of `cli` and `vscode` have
 * messages of a person.
 */
function codexReader(): LineReader {
  let place: Place | undefined;
  let hasPerson = false;
  let unknown = 'Codex without a version';
  return ({ type, payload, timestamp }) => {
    if (!isPlainObject(payload)) return place === undefined ? unknown : undefined;
    const {
      cli_version: version,
      source = payload['originator'] === 'codex_exec' ? 'exec' : 'cli',
      git,
      kind = 'plain',
      message,
    } = payload;
    if (type === 'session_meta' && place === undefined) {
      unknown = unknownVersion('Codex', version);
      hasPerson = source === 'cli' || source === 'vscode';
      const branch = isPlainObject(git) ? shownName(git['branch']) : undefined;
      if (/^0\.\d/.test(String(version))) place = { source: 'Codex', path: localPath(payload['cwd']), branch };
    }
    if (place === undefined) return unknown;
    if (type === 'turn_context' && payload['cwd'] !== undefined) place = { ...place, path: localPath(payload['cwd']) };
    const at = timestampIn(timestamp);
    const isMessage = hasPerson && type === 'event_msg' && payload['type'] === 'user_message' && kind === 'plain';
    return at === undefined ? undefined : { at, place, message: isMessage && typeof message === 'string' ? message : undefined };
  };
}

function unknownVersion(program: string, version: unknown = 'without a version'): string {
  return `${program} ${plainLine(String(version), 20)}`;
}

/**
 * Returns the text if the text is an absolute path of this machine, otherwise undefined. svc refuses a network path (`\\server`), because
 * Windows would sign in to that server.
 */
export function localPath(text: unknown): string | undefined {
  const path = plainLine(text, 1000);
  return path === text && /^(?:\/(?!\/)|[A-Za-z]:[\\/])/.test(path) ? path : undefined;
}

export function shownName(text: unknown): string | undefined {
  return plainLine(text, 200) || undefined;
}

async function filesBelow(files: Pick<Files, 'list'>, directory: string, levels: number): Promise<string[]> {
  const paths = (await files.list(directory).catch(() => [])).map((name) => pathIn(directory, name));
  return (
    await Promise.all(paths.map((path) => (path.endsWith('.jsonl') ? [path] : levels > 0 ? filesBelow(files, path, levels - 1) : [])))
  ).flat();
}

/**
 * Yields the lines of a file, and undefined for a line that is too long. Leaves out a last line without a line break, because the agent is
 * possibly still writing that line.
 */
async function* completeLines(files: Pick<Files, 'readPlain'>, path: string): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for await (const piece of files.readPlain(path)) {
    for (const [index, text] of decoder.decode(piece, { stream: true }).split('\n').entries()) {
      if (index > 0) {
        yield length > LONGEST_LINE ? undefined : parts.join('');
        parts = [];
        length = 0;
      }
      length += text.length;
      if (length <= LONGEST_LINE) parts.push(text);
    }
  }
}
