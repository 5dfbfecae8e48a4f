import { appendFileSync } from 'node:fs';
import { cp, lstat, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { LoggedRequest, Sandbox } from '../../src/sandbox/start.ts';
import { type Hint, hintsIn, misunderstood, wordsOf } from './printed-commands.ts';

/**
 * Matches commands that the test only parses. Such a command waits, changes the sign-in, has a placeholder, or spends the test’s rate limit
 * on every resource.
 */
const ONLY_PARSED =
  /^svc (sandbox|login|logout|auth refresh|export)\b|^svc sync( --(to|host) ('[^']*'|\S+))*$| (--follow|--exec)\b|[<[]\w[^>]*[>\]]|…/;

/** Matches commands that write only in the copied home directory, and commands that read. Other commands get `--dry-run`. */
const NOT_DRY =
  /^svc (config|alias|history|skill|sync|sql|search|changes|schema|policy|token|auth|doctor|limits|status|resources|commands|week|report|check|close|billing unbilled|help|completion|export|open|me|plan)\b|^svc outbox( drop.*| list.*)?$|^svc ([a-z-]+ ){1,2}(edit|list|ls|get|status|who|used|calendar|capacity|suggest|burn|burndown)\b| --help\b/;

/** The exit codes of a state without success: no sign-in, no permission, a rate limit, a failing service. */
const NO_ANSWER: readonly number[] = [4, 5, 7, 8];

/** Matches commands whose exit code describes their findings. */
const JUDGES = /^svc (doctor|check|close)\b/;

/** Matches messages about a correct command that needs a person. */
const FOR_A_PERSON = /cannot ask you to approve|needs a terminal|standard input is no place|There is no file|needs --to <id\|name>/;

/** Matches a command about one record, and captures its id. */
const OF_RECORD =
  /^svc (?:[a-z-]+ ){1,3}?(?:get|edit|update|delete|transition|open|download)(?: --host \S+)? (\d+|[A-Z][A-Z0-9]*-\d+)(?= |$)/;

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line that has ended, and its output. */
interface Printed extends Result {
  readonly argv: readonly string[];
  /** The piped input. */
  readonly stdin: string | undefined;
  /** True if stdout was a terminal, and therefore text. */
  readonly isForPerson: boolean;
  /** The requests that the command sent. */
  readonly sent: readonly LoggedRequest[];
}

/** The person at the terminal while a hint runs. */
interface Person {
  readonly answers?: readonly never[];
  readonly stdin: string;
  readonly program: (command: string, args: readonly string[]) => Promise<number>;
  readonly browser: (url: string) => Promise<void>;
}

type RunIn = (home: string, argv: readonly string[], person: Person) => Promise<Result>;

/** The result of a command that svc printed. */
interface Outcome {
  /** The outcome: `parsed`, or the exit code. */
  readonly outcome: string;
  readonly shown: string;
  /** The reason why the hint is wrong. */
  readonly wrong?: string | undefined;
}

/**
 * Runs the commands that svc printed, unchanged, in the same state. The state is a copy of the home directory, and the current service.
 * A command that would write at the service gets `--dry-run`, and must print a request. A test file runs each hint once per sentence. The
 * request log stays unchanged. Does nothing unless SVC_TEST_HINTS names a file.
 * @param sandbox the service. Without a service, and for another host, the test only parses the commands.
 * @param runIn runs a command line like the one before, in another home directory.
 * @throws Error for a wrong hint, see docs/contributing/tests.md.
 */
export async function runPrinted(home: string, sandbox: Sandbox | undefined, printed: Printed, runIn: RunIn): Promise<void> {
  const { argv, stdout, stderr, isForPerson } = printed;
  const report = process.env['SVC_TEST_HINTS'];
  if (report === undefined || argv.includes('--help') || argv.includes('-h') || ['help', 'api', 'commands'].includes(argv[0] ?? '')) return;
  // The detail view of a resource names its commands without their arguments.
  for (const hint of hintsIn(argv[0] === 'resources' ? '' : stdout, stderr, isForPerson)) {
    const { command, line } = hint;
    const key = `${shape(command, home)} in: ${shape(line, home)}${command.startsWith('svc undo') ? ` after: ${argv.slice(0, 2).join(' ')}` : ''}`;
    const [, host] = /--host (\S+)/.exec(command) ?? [];
    const isHere = sandbox !== undefined && (host === undefined || sandbox.origin.endsWith(`//${host}`));
    // A hint that was only parsed runs again if there is a service. Each test file stands alone, in any process.
    const seenAs = `${expect.getState().testPath} ${isHere ? 'run' : 'parsed'} ${key}`;
    if (seen.has(seenAs)) continue;
    seen.add(seenAs);
    const why = (await misunderstood(command)) ?? otherPlace(command, argv);
    const { outcome, shown, wrong } =
      why !== undefined
        ? { outcome: 'misunderstood', shown: '', wrong: why }
        : !isHere || ONLY_PARSED.test(command)
          ? { outcome: 'parsed', shown: '', wrong: undefined }
          : await run(home, sandbox, printed, hint, runIn);
    const after = argv.join(' ').slice(0, 200);
    appendFileSync(report, `${JSON.stringify({ hint: key, outcome, wrong: wrong ?? null, command, line, after, shown })}\n`);
    if (wrong !== undefined)
      throw new Error(`svc printed a wrong hint: ${command}\n${wrong}\nIt printed: ${line}\nAfter: svc ${after}\n${shown}`);
  }
}

/** The hints that have run in this process. */
const seen = new Set<string>();

/** Returns a text without the parts that vary between runs. */
function shape(text: string, home: string): string {
  return text
    .replaceAll(home, '~')
    .replace(/\/tmp\/[^\s'"]+/g, '<file>')
    .replace(/(--cursor) \S+/g, '$1 <cursor>')
    .replace(/'[^']*'|"[^"]*"|“[^”]*”/g, '<text>')
    .replace(/\b[0-9a-f]{32,}\b/g, '<digest>')
    .replace(/\d+/g, '0');
}

async function run(home: string, sandbox: Sandbox, printed: Printed, { command, line }: Hint, runIn: RunIn): Promise<Outcome> {
  const before = sandbox.requests.length;
  const copy = await mkdtemp(join(tmpdir(), 'svc-printed-'));
  const opened: string[] = [];
  try {
    // The socket of a terminal is not part of the state.
    await cp(home, copy, { recursive: true, filter: async (path) => !(await lstat(path)).isSocket() });
    const words = wordsOf(command).map((word) => word.replaceAll(home, copy));
    const isDry = !NOT_DRY.test(command);
    const person: Person = {
      // The editor and the browser belong to a person who only reads.
      ...(/^svc [a-z- ]+ edit\b/.test(command) && { answers: [] }),
      program: async (_, args) => {
        opened.push(await readFile(args.at(-1) ?? '', 'utf8'));
        return 0;
      },
      browser: async (url) => void opened.push(url),
      stdin: words[0] === 'token' ? (sandbox.tokens[0]?.value ?? '') : (printed.stdin ?? ''),
    };
    const typed = await runIn(copy, isDry ? [...words, '--dry-run'] : words, person);
    const requests = sandbox.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    const described = [...typed.stdout.matchAll(/"method":"([A-Z]+)","(?:url":"https?:\/\/[^/"]+|path":")([^"]*)"/g)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    const shown = `${typed.stderr.slice(0, 500)}${typed.stdout.slice(0, 300)}`;
    const hasToken = async () => (await runIn(copy, ['token', 'status'], person)).code === 0;
    const wrong = await whyWrong({ hasToken, command, line, isDry, typed, printed, requests, described, opened });
    return { outcome: `exit ${typed.code}`, shown, wrong };
  } finally {
    sandbox.requests.length = before;
    await rm(copy, { recursive: true, force: true });
  }
}

/** A command that has run, and its effects. */
interface Ran extends Hint {
  readonly isDry: boolean;
  readonly typed: Result;
  readonly printed: Printed;
  /** The requests that the command sent: `GET /api/v2/worklogs/5`. */
  readonly requests: readonly string[];
  /** The requests that the command described. */
  readonly described: readonly string[];
  /** The drafts that an editor opened, and the addresses that a browser opened. */
  readonly opened: readonly string[];
  /** Returns true if a personal access token exists, which a delete needs. */
  readonly hasToken: () => Promise<boolean>;
}

async function whyWrong(ran: Ran): Promise<string | undefined> {
  const { command, line, typed, printed } = ran;
  const { code, stdout, stderr } = typed;
  // svc has already run this command. Its record may no longer exist, such as a stopped timer.
  if (line.startsWith('The same with your answers:') && printed.code === 0 && code === 3) return undefined;
  if (JUDGES.test(command) && code === 1) return undefined;
  // An example shows the form of a command. Its status may not be allowed next for the work item.
  if (line.includes('For example:') && code === 6) return undefined;
  if (code !== 0) {
    const isUnanswered = code === 7 || (NO_ANSWER.includes(code) && printed.code !== 0);
    return isUnanswered || (code === 2 && FOR_A_PERSON.test(stderr)) ? undefined : `It exits ${code}.`;
  }
  return (
    otherRecord(ran) ??
    (await otherWrite(ran)) ??
    (ran.isDry &&
    !ran.described.some(isWrite) &&
    !/unconfirmed|^First svc logs the hours/.test(stderr) &&
    !/^Usage:$|"action":"(?:create|update|delete)"/m.test(stdout)
      ? 'It would send nothing.'
      : undefined)
  );
}

/** Returns an error if a hint about a local database does not name the used database. */
function otherPlace(command: string, argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => word === '--to' || word === '--db');
  const file = argv[at + 1];
  if (at < 0 || file === undefined || !/^svc (sync|sql|changes)\b/.test(command) || command.includes(file)) return undefined;
  return `It does not name ${file}.`;
}

/** Returns an error if a hint about a record acts on a record that svc has not named. */
function otherRecord({ command, typed, printed, requests, described, opened }: Ran): string | undefined {
  if (/ (?:get|edit|update|delete|transition) last\b/.test(command)) return 'It does not name its record, and the last one changes.';
  const [, id] = OF_RECORD.exec(command) ?? [];
  if (id === undefined || command.startsWith('svc open')) return undefined;
  const named = [printed.argv.join(' '), printed.stdout, printed.stderr.replaceAll(command, ''), ...printed.sent.map(({ path }) => path)];
  const isNamed = (text: string) => new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(text);
  if (!named.some(isNamed)) return `svc did not name ${id}.`;
  return [...requests, ...described, ...opened, typed.stdout].some(isNamed) ? undefined : `It does not act on ${id}.`;
}

/** Returns an error if an undo acts on neither the last write nor the entry that it names. */
async function otherWrite({ command, printed, described, hasToken }: Ran): Promise<string | undefined> {
  if (!command.startsWith('svc undo')) return undefined;
  const written = printed.sent.map(({ method, path }) => `${method} ${path}`).filter(isWrite);
  const paths = written.map((request) => request.split(' ')[1] ?? '');
  const other = described.find((request) => !paths.some((path) => request.split(' ')[1]?.startsWith(path)));
  if (written.length > 0 && other !== undefined) return `It would send ${other}, after ${written.join(', ')}.`;
  const deletes = described.some((request) => request.startsWith('DELETE '));
  return deletes && !(await hasToken()) ? 'It deletes, and there is no personal access token.' : undefined;
}

function isWrite(request: string): boolean {
  return !request.startsWith('GET ');
}
