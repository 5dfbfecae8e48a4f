import { appendFileSync } from 'node:fs';
import { cp, lstat, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { LoggedRequest, Sandbox } from '../../src/sandbox/start.ts';
import { type Hint, hintsIn, misunderstood, wordsOf } from './printed-commands.ts';

/**
 * Only parsed: a command that waits, that changes the sign-in at the service, that has a place for a value, or that reads every resource and
 * so spends the rate limit of the test.
 */
const ONLY_PARSED =
  /^svc (sandbox|login|logout|auth refresh|export)\b|^svc sync( --(to|host) ('[^']*'|\S+))*$| (--follow|--exec)\b|[<[]\w[^>]*[>\]]|…/;

/** Commands that write in the home alone, which is a copy here, and commands that read. Others get `--dry-run`. */
const NOT_DRY =
  /^svc (config|alias|history|skill|sync|sql|changes|schema|policy|token|auth|doctor|limits|status|resources|commands|week|report|check|billing unbilled|help|completion|export|open|me)\b|^svc outbox( drop.*| list.*)?$|^svc ([a-z-]+ ){1,2}(edit|list|ls|get|status|who|used|calendar|burn|burndown)\b| --help\b/;

/** Exit codes of a state in which no command is answered: no sign-in, no permission, a rate limit, a failing service. */
const NO_ANSWER: readonly number[] = [4, 5, 7, 8];

/** Commands whose exit code is about what they found. */
const JUDGES = /^svc (doctor|check)\b/;

/** What svc says where a command is right, and a person has to be there for it. */
const FOR_A_PERSON = /cannot ask you to approve|needs a terminal|standard input is no place|There is no file/;

/** A command of one record: its id. */
const OF_RECORD =
  /^svc (?:[a-z-]+ ){1,3}?(?:get|edit|update|delete|transition|open|download)(?: --host \S+)? (\d+|[A-Z][A-Z0-9]*-\d+)(?= |$)/;

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line that ended, and what it printed. */
interface Printed extends Result {
  readonly argv: readonly string[];
  /** What was piped in. */
  readonly stdin: string | undefined;
  /** Whether stdout was a terminal, and so text. */
  readonly isForPerson: boolean;
  /** The requests that it sent. */
  readonly sent: readonly LoggedRequest[];
}

/** Who sits there while a hint runs. */
interface Person {
  readonly answers?: readonly never[];
  readonly stdin: string;
  readonly program: (command: string, args: readonly string[]) => Promise<number>;
  readonly browser: (url: string) => Promise<void>;
}

type RunIn = (home: string, argv: readonly string[], person: Person) => Promise<Result>;

/** What became of a command that svc printed. */
interface Outcome {
  /** `parsed`, or the exit code. */
  readonly outcome: string;
  readonly shown: string;
  /** Why the hint is wrong. */
  readonly wrong?: string | undefined;
}

/**
 * Runs the commands that svc printed, as printed, in the state that they were printed in: a copy of the home, and the service as it is. A
 * command that would write at the service gets `--dry-run`, and must print a request. A file of tests runs a hint once for each sentence.
 * The log of requests stays as it was. Does nothing unless SVC_TEST_HINTS names a file.
 *
 * @param sandbox The service. Without one, and for another host, commands are only parsed.
 * @param runIn Runs a command line as the one before, in another home.
 * @throws Error for a hint that is wrong, see docs/contributing/tests.md.
 */
export async function runPrinted(home: string, sandbox: Sandbox | undefined, printed: Printed, runIn: RunIn): Promise<void> {
  const { argv, stdout, stderr, isForPerson } = printed;
  const report = process.env['SVC_TEST_HINTS'];
  if (report === undefined || argv.includes('--help') || argv.includes('-h') || ['help', 'api', 'commands'].includes(argv[0] ?? '')) return;
  // The detail view of a resource names its commands, without their arguments.
  for (const hint of hintsIn(argv[0] === 'resources' ? '' : stdout, stderr, isForPerson)) {
    const { command, line } = hint;
    const key = `${shape(command, home)} in: ${shape(line, home)}${command.startsWith('svc undo') ? ` after: ${argv.slice(0, 2).join(' ')}` : ''}`;
    const [, host] = /--host (\S+)/.exec(command) ?? [];
    const isHere = sandbox !== undefined && (host === undefined || sandbox.origin.endsWith(`//${host}`));
    // A hint that was only parsed runs where there is a service. Each file of tests stands alone, in whichever process it runs.
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

/** Hints that ran already in this process. */
const seen = new Set<string>();

/** A text without what differs from run to run. */
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
    // The socket of a terminal is no part of the state.
    await cp(home, copy, { recursive: true, filter: async (path) => !(await lstat(path)).isSocket() });
    const words = wordsOf(command).map((word) => word.replaceAll(home, copy));
    const isDry = !NOT_DRY.test(command);
    const person: Person = {
      // The editor and the browser of a person who only looks.
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

/** A command that was run, and what it did. */
interface Ran extends Hint {
  readonly isDry: boolean;
  readonly typed: Result;
  readonly printed: Printed;
  /** `GET /api/v2/worklogs/5`: what it sent. */
  readonly requests: readonly string[];
  /** What it said that it would send. */
  readonly described: readonly string[];
  /** Drafts that an editor opened, and addresses that a browser did. */
  readonly opened: readonly string[];
  /** Whether there is a personal access token, which a delete needs. */
  readonly hasToken: () => Promise<boolean>;
}

async function whyWrong(ran: Ran): Promise<string | undefined> {
  const { command, line, typed, printed } = ran;
  const { code, stdout, stderr } = typed;
  // svc has carried this command out: its record may be gone, such as a timer that was stopped.
  if (line.startsWith('The same without questions:') && printed.code === 0 && code === 3) return undefined;
  if (JUDGES.test(command) && code === 1) return undefined;
  if (code !== 0) {
    const isUnanswered = code === 7 || (NO_ANSWER.includes(code) && printed.code !== 0);
    return isUnanswered || (code === 2 && FOR_A_PERSON.test(stderr)) ? undefined : `It exits ${code}.`;
  }
  return (
    otherRecord(ran) ??
    (await otherWrite(ran)) ??
    (ran.isDry && !ran.described.some(isWrite) && !/unconfirmed/.test(stderr) && !/^Usage:$/m.test(stdout)
      ? 'It would send nothing.'
      : undefined)
  );
}

/** A hint about a local database names the database that was used. */
function otherPlace(command: string, argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => word === '--to' || word === '--db');
  const file = argv[at + 1];
  if (at < 0 || file === undefined || !/^svc (sync|sql|changes)\b/.test(command) || command.includes(file)) return undefined;
  return `It does not name ${file}.`;
}

/** A hint about a record acts on a record that svc has named. */
function otherRecord({ command, typed, printed, requests, described, opened }: Ran): string | undefined {
  if (/ (?:get|edit|update|delete|transition) last\b/.test(command)) return 'It does not name its record, and the last one changes.';
  const [, id] = OF_RECORD.exec(command) ?? [];
  if (id === undefined || command.startsWith('svc open')) return undefined;
  const named = [printed.argv.join(' '), printed.stdout, printed.stderr.replaceAll(command, ''), ...printed.sent.map(({ path }) => path)];
  const isNamed = (text: string) => new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(text);
  if (!named.some(isNamed)) return `svc did not name ${id}.`;
  return [...requests, ...described, ...opened, typed.stdout].some(isNamed) ? undefined : `It does not act on ${id}.`;
}

/** An undo acts on what was written last, or on the entry that it names. */
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
