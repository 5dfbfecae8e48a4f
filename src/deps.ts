/**
 * The outside world. `main.ts` builds the real one from `src/system/`; a test passes its own. All that is slow or can fail is a function.
 */
export interface Deps {
  readonly clock: Clock;
  readonly stdio: Stdio;
  readonly env: Env;
  readonly system: System;
  readonly files: Files;
  /** Opens the operating system's keychain; rejects with {@link KeychainUnavailable} where there is none. */
  readonly keychain: () => Promise<Keychain>;
  readonly browser: Browser;
  readonly network: Network;
  readonly interrupts: Interrupts;
  readonly programs: Programs;
  readonly prompts: Prompts;
  /** The same questions as plain lines, without drawing over, for a person who hears the screen. */
  readonly plainPrompts: Prompts;
}

export type Env = Readonly<Record<string, string | undefined>>;

export interface Clock {
  /** Wall-clock time: milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds of a clock that never jumps; for measuring durations only. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; rejects with `signal.reason` if that aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Stdio {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
}

export interface Output {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** Resolves once the stream can take more. Rejects with {@link OutputClosed} when the reader has closed it (`| head`). */
  write(text: string | Uint8Array): Promise<void>;
}

/** Facts of the machine and the process that never change while svc runs. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly nodeVersion: string;
  readonly pid: number;
  readonly cwd: string;
  /** `$HOME`, or the system's answer where it is not set. */
  readonly home: string;
  /** The account's own home directory, independent of `$HOME`; the files of the OS user lie below it. */
  readonly accountHome: string;
  readonly userName: string;
  readonly timeZone: string;
  readonly version: string;
  /** `size` bytes from the system's secure random source. */
  randomBytes(size: number): Uint8Array;
  /** Frees memory instead of growing, at some cost in speed: for work of unknown length. */
  saveMemory(): void;
  /** An error's stack, with the files and lines of the source where a source map is there. */
  traceOf(error: Error): Promise<string>;
}

export interface Files {
  /** These block the process. For the few small files that every start reads: the code of the others takes longer to load. */
  readonly atOnce: Pick<Files, 'readText' | 'list' | 'stat'>;
  /** The file's text; undefined when there is no such file. Other failures reject with Node's error. */
  readText(path: string): Promise<string | undefined>;
  /**
   * Writes a file so that a reader sees the old text or the new, also after a crash. It writes a temporary file beside the file
   * (`.<name>.<random>.tmp`), flushes it, and renames it. Missing parent directories are made with mode 0700. `mode` defaults to 0600. A
   * symbolic link of that name is replaced, and its target is left alone.
   */
  writeAtomic(path: string, text: string, mode?: number): Promise<void>;
  /**
   * Writes in the same way, but keeps a symbolic link of that name. It replaces the link's target, which keeps its mode (a new file gets
   * 0600). Only for settings and shell files of the person, who may keep them elsewhere (dotfiles). Rejects for a link of another user.
   */
  writeThroughLink(path: string, text: string): Promise<void>;
  /** Flushes the file; makes a missing one (mode 0600) with its directories. Rejects for a link, and for no regular file. */
  append(path: string, text: string): Promise<void>;
  /** Cuts a file off after `size` bytes; creates a missing one, empty. Rejects as `append` does. */
  truncate(path: string, size: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A piece at a time, from the byte `from` on (default the first). Rejects with Node's error when the file is missing. */
  read(path: string, from?: number): AsyncIterable<Uint8Array>;
  /** The same, from the first byte, of a file that svc itself wrote: rejects for a symbolic link, and for what is no regular file. */
  readPlain(path: string): AsyncIterable<Uint8Array>;
  /**
   * Writes pieces into a file from the byte `from` on, and flushes it; never holds more than one of them. From 0 on it creates the file,
   * mode 0600, with its directories, and refuses an existing one (EEXIST). From a later byte on the file must exist, and a symbolic link is
   * refused. When the pieces end with a failure, the earlier ones stay.
   */
  writePieces(path: string, pieces: AsyncIterable<Uint8Array>, from: number): Promise<void>;
  /** Reserves a name for a file that is about to be moved there. Creates it, empty, mode 0600; false when the name is taken. */
  reserve(path: string): Promise<boolean>;
  /** Removes a file; false without one. After `now` the file stays removed in a power cut too; default `soon`. */
  remove(path: string, durability?: 'now' | 'soon'): Promise<boolean>;
  /** Names in a directory, sorted; empty when there is no such directory. */
  list(directory: string): Promise<string[]>;
  /** Permission bits (`0o777` mask), owner and size, and whether it is a regular file or a directory; undefined when it does not exist. */
  stat(path: string): Promise<FileFacts | undefined>;
  /** Takes all permissions from group and others. */
  close(path: string): Promise<void>;
  /** An entry on the way, links included, that somebody other than the person and the administrator can change. None on Windows. */
  weakness(path: string): Promise<{ readonly path: string; readonly why: string } | undefined>;
}

export interface FileFacts {
  readonly mode: number;
  readonly uid: number;
  readonly size: number;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

/** The operating system's secret store: entries named by service and account, each one string. */
export interface Keychain {
  /** The secret; undefined when there is none, and on some systems when the keychain is locked. */
  get(service: string, account: string): Promise<string | undefined>;
  set(service: string, account: string, secret: string): Promise<void>;
  delete(service: string, account: string): Promise<boolean>;
  /** The most bytes one entry holds (2,560 on Windows); undefined where there is no limit worth knowing. */
  readonly maxBytes: number | undefined;
  readonly name: string;
}

/** This machine has no keychain that svc can use; `message` says why, in words for a person. */
export class KeychainUnavailable extends Error {
  override readonly name = 'KeychainUnavailable';
}

/** The reader of an {@link Output} closed it (EPIPE). Not a failure: svc stops quietly. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

export interface Browser {
  /** Rejects when nothing could be started. A browser that starts and shows nothing is not detected. */
  open(url: string, configured?: string): Promise<void>;
}

export interface Interrupts {
  /** Aborts, with an `Interrupted` reason, at the first Ctrl-C (or SIGTERM, SIGHUP). */
  readonly signal: AbortSignal;
  /** An interrupt takes effect afterwards. For the few lines that must not stop half way (redeeming a single-use token). */
  defer<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` while another program has the terminal: Ctrl-C goes to that program. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work`, which blocks everything else for any time: a signal ends the process at once during it, as the system would. */
  letGo<T>(work: () => T): T;
}

/** `left`: the person left before the end. `missing`: it could not be started, and no text was read. */
export type Paged = 'shown' | 'left' | 'missing';

/** A program without a path is searched in the entries of PATH, without relative ones and the current directory. */
export interface Programs {
  /** In the terminal, split as a shell splits words, without a shell. Its stdin is `input` if given, else the terminal's. */
  run(commandLine: string, extraArgs: readonly string[], input?: AsyncIterable<string>): Promise<number>;
  /**
   * Shows text with a pager in the terminal, until the person leaves it. The pager takes a piece of `input` before the next one is read,
   * but for a kilobyte or so. Nobody waits for a piece that is under way when the person leaves.
   *
   * @param signal Ends the pager.
   */
  page(commandLine: string, input: AsyncIterable<string>, signal: AbortSignal): Promise<Paged>;
  /**
   * Starts another svc with these arguments, apart from this process, and does not wait for it. Nobody sees its output or its exit code.
   *
   * @returns A promise that resolves when the other svc has ended in any way; waiting for it alone does not keep this process alive.
   */
  startSelf(argv: readonly string[]): Promise<{ readonly ended: Promise<void> }>;
  /** Runs another svc, without a token, in the terminal, with this text on its stdin. Resolves when it has ended in any way. */
  runSelf(argv: readonly string[], input: string): Promise<void>;
  /** Away from the terminal. The repository's configuration starts no other program. Rejects when git cannot be started. */
  git(args: readonly string[], cwd: string): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
}

/** Questions to the person at the terminal. Each rejects with an `InterruptedError` at Ctrl-C, Ctrl-D and Esc. */
export interface Prompts {
  /** Yes or no. @param byDefault The answer of Enter alone; absent: no. */
  confirm(question: string, signal: AbortSignal, byDefault?: boolean): Promise<boolean>;
  secret(question: string, signal: AbortSignal): Promise<string>;
  line(question: string, signal: AbortSignal): Promise<string>;
  /** Edited in place, with history and completion. Undefined for Ctrl-D at an empty line and at the end of the input; Esc does nothing. */
  typed(prompt: string, signal: AbortSignal, memory: TypedMemory): Promise<string | undefined>;
  /**
   * Lets the person pick one of several; typed text filters them. Returns its value.
   *
   * @param more Searches elsewhere for the typed text, once the person stops typing; its results appear below the choices.
   */
  pick(
    question: string,
    choices: readonly Choice[],
    signal: AbortSignal,
    more?: (typed: string) => Promise<readonly Choice[]>,
  ): Promise<string>;
}

export interface TypedMemory {
  /** The earlier lines, the latest first. */
  readonly history: readonly string[];
  /** The completions for the end of a text, and the part of the text that they replace. */
  complete(text: string): { readonly choices: readonly string[]; readonly of: string };
}

export interface Choice {
  readonly name: string;
  readonly value: string;
}

/** One HTTP exchange. It follows no redirects, retries nothing, and adds only the headers that HTTP needs. */
export interface Network {
  /** Rejects with `NetworkError` (errors.ts), or with `signal.reason` when that aborts. */
  request(request: NetworkRequest): Promise<NetworkResponse>;
  /** Begins to connect to an origin before a request. Sends nothing; a failure shows at the request, if one comes. */
  warm(origin: string, timeoutMs: number): void;
  /** Ends every connection, so that none keeps the process alive; afterwards nothing can be sent. */
  close(): Promise<void>;
}

export interface NetworkRequest {
  readonly method: string;
  /** Absolute, http or https. */
  readonly url: string;
  /** Names in any case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | ByteSource;
  /** Milliseconds for connecting, and again for the whole answer, from sending to its last byte. */
  readonly timeoutMs: number;
  /** `timeoutMs` then bounds the longest silence instead, for a body and for an answer without JSON. `whatever`: also for JSON. */
  readonly transfer?: boolean | 'whatever';
  readonly signal?: AbortSignal | undefined;
}

/** Bytes that are read again each time they are sent, and never held whole. */
export interface ByteSource {
  /** The number of bytes; another number is a failure of {@link open}. */
  readonly size: number;
  /** Reads them from the first on. Throws an error for the person, which no second attempt would fix. */
  open(): AsyncIterable<Uint8Array>;
}

export interface NetworkResponse {
  readonly status: number;
  /** Names in lower case; several headers of a name joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's bytes, decoded of any Content-Encoding that svc asked for. Read it, or call {@link discard}. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Reads the whole body. Rejects with `NetworkError` beyond `maxBytes` (default 64 MiB) or when it is cut off. */
  bytes(maxBytes?: number): Promise<Uint8Array>;
  text(maxBytes?: number): Promise<string>;
  discard(): Promise<void>;
}
