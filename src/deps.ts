/**
 * The outside world, as one narrow object. `main.ts` builds the real one from `src/system/`; a test
 * hands in what it wants to see happen. Whatever is slow or can fail is a function, so that a
 * command such as `--help` touches none of it.
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
  /** The same questions as plain lines: nothing is drawn over, for whoever hears the screen. */
  readonly plainPrompts: Prompts;
}

/** Environment variables, as `process.env` has them. */
export type Env = Readonly<Record<string, string | undefined>>;

export interface Clock {
  /** Wall-clock time: milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds of a clock that never jumps; for measuring spans only. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; rejects with `signal.reason` if that aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Stdio {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
}

/** A stream that a person or a program reads. */
export interface Output {
  readonly isTTY: boolean;
  /** Width in columns; undefined where the stream is no terminal. */
  readonly columns: number | undefined;
  /** Height in lines; undefined where the stream is no terminal. */
  readonly rows: number | undefined;
  /**
   * Writes text and resolves once the stream can take more (back-pressure). Rejects with
   * {@link OutputClosed} when the reader is gone (`| head`).
   */
  write(text: string | Uint8Array): Promise<void>;
}

/** Facts of the machine and the process that never change while svc runs. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Node's version, without the `v`. */
  readonly nodeVersion: string;
  readonly pid: number;
  readonly cwd: string;
  /** `$HOME`, or what the system says where it is not set. */
  readonly home: string;
  /** The account's own home directory, whatever `$HOME` says: what belongs to the OS user lives below it. */
  readonly accountHome: string;
  /** The name of the OS user. */
  readonly userName: string;
  /** The machine's time zone, an IANA name. */
  readonly timeZone: string;
  /** svc's own version. */
  readonly version: string;
  /** `size` bytes from the system's secure random source. */
  randomBytes(size: number): Uint8Array;
  /**
   * From now on the engine gives memory back instead of growing, which costs a little speed; for work whose length
   * nobody knows. A second call does nothing.
   */
  saveMemory(): void;
  /** An error's stack, with the files and lines of the source where it is known what they were bundled from. */
  traceOf(error: Error): Promise<string>;
}

export interface Files {
  /**
   * The same three, which hold the process up while the disk answers: for the few small files that every start looks at. What reads files
   * without that takes longer to load than they take to read.
   */
  readonly atOnce: Pick<Files, 'readText' | 'list' | 'stat'>;
  /** The file's text; undefined when there is no such file. Other failures reject with Node's error. */
  readText(path: string): Promise<string | undefined>;
  /**
   * Writes a file so that a reader sees the old text or the new, never a part, also after a crash:
   * a temporary file beside it (`.<name>.<random>.tmp`), flushed, then renamed over it. Missing parent directories are made with mode 0700.
   * `mode` defaults to 0600. A symbolic link of that name is replaced, and the file that it leads to is left alone.
   */
  writeAtomic(path: string, text: string, mode?: number): Promise<void>;
  /**
   * Writes in the same way, but a symbolic link of that name stays: the file that it leads to is replaced, and keeps its mode (a new file
   * gets 0600). Only for settings and shell files of the person, who may keep them elsewhere (dotfiles). Rejects for a link of another user.
   */
  writeThroughLink(path: string, text: string): Promise<void>;
  /**
   * Adds text to the end of a file and flushes it; makes the file (mode 0600) and its directories where they are missing. Rejects for a
   * symbolic link, and for what is no regular file.
   */
  append(path: string, text: string): Promise<void>;
  /** Cuts a file off after `size` bytes; makes an empty one where it is missing. Rejects as `append` does. */
  truncate(path: string, size: number): Promise<void>;
  /** Moves a file over another one of the same disk. */
  rename(from: string, to: string): Promise<void>;
  /** The bytes of a file, a piece at a time, from the byte `from` on (default the first). Rejects with Node's error when there is no such file. */
  read(path: string, from?: number): AsyncIterable<Uint8Array>;
  /** The same, from the first byte, of a file that svc itself wrote: rejects for a symbolic link, and for what is no regular file. */
  readPlain(path: string): AsyncIterable<Uint8Array>;
  /**
   * Writes pieces into a file from the byte `from` on, and flushes it; never holds more than one of them. From the first byte on the file is
   * made, mode 0600, with its directories, and one that is there is refused (EEXIST); further on it must be there, and a symbolic link is
   * refused. When the pieces end with a failure, what came before it stays.
   */
  writePieces(path: string, pieces: AsyncIterable<Uint8Array>, from: number): Promise<void>;
  /** Takes a name for a file that is about to be moved there: makes it, empty, mode 0600; false when something has that name already. */
  reserve(path: string): Promise<boolean>;
  /** Removes a file; false when there was none. Removed `now`, it stays away after a power cut too; default `soon`. */
  remove(path: string, durability?: 'now' | 'soon'): Promise<boolean>;
  /** Names in a directory, sorted; empty when there is no such directory. */
  list(directory: string): Promise<string[]>;
  /** Permission bits (`0o777` mask), owner and size, and whether it is a regular file or a directory; undefined when it does not exist. */
  stat(path: string): Promise<FileFacts | undefined>;
  /** Takes all permissions from group and others. */
  close(path: string): Promise<void>;
  /**
   * The first entry on the way to a path that somebody other than the person and the administrator may change, and why; undefined when there
   * is none, and on Windows. Links are followed, and where they stand is looked at too.
   */
  weakness(path: string): Promise<{ readonly path: string; readonly why: string } | undefined>;
}

/** What {@link Files.stat} tells. */
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
  /** Removes an entry; false when there was none. */
  delete(service: string, account: string): Promise<boolean>;
  /** The most bytes one entry holds (2,560 on Windows); undefined where there is no limit worth knowing. */
  readonly maxBytes: number | undefined;
  /** What people call it here, for messages: `macOS Keychain`, `Windows Credential Manager`, `Secret Service keyring`. */
  readonly name: string;
}

/** There is no keychain to be had on this machine; `message` says why, in words for a person. */
export class KeychainUnavailable extends Error {
  override readonly name = 'KeychainUnavailable';
}

/** The reader of an {@link Output} went away (EPIPE). Not a failure: svc stops quietly. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

export interface Browser {
  /**
   * Opens an address in the person's browser: `SVC_BROWSER`, then `BROWSER`, then `configured` (a command given the
   * address), then the system's own. Rejects when nothing could be started; a browser that starts and shows nothing is
   * not noticed.
   */
  open(url: string, configured?: string): Promise<void>;
}

/** Signals from the person at the keyboard. */
export interface Interrupts {
  /** Aborts, with an `Interrupted` reason, at the first Ctrl-C (or SIGTERM, SIGHUP). */
  readonly signal: AbortSignal;
  /**
   * Runs `work` to its end even when an interrupt comes meanwhile; the interrupt takes effect after it.
   * For the few lines that must not stop half way (redeeming a single-use token).
   */
  defer<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` while another program has the terminal: Ctrl-C is that program's own meanwhile. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work`, which lets nothing else run however long it takes: a signal ends the process at once meanwhile, as the system would. */
  letGo<T>(work: () => T): T;
}

/** How a pager ended: it was given all there is, it was left before, or it could not be started and nothing was asked for. */
export type Paged = 'shown' | 'left' | 'missing';

/**
 * Other programs that svc runs: an editor or a pager, with the person's terminal, git, and svc itself. A program without a path is looked for in
 * the entries of PATH that are absolute and not the current directory.
 */
export interface Programs {
  /**
   * Runs a command line (split as a shell splits words, without a shell) with `extraArgs` added, the terminal
   * handed over, `input` on its stdin if given, else the terminal's. Resolves with its exit code.
   */
  run(commandLine: string, extraArgs: readonly string[], input?: AsyncIterable<string>): Promise<number>;
  /**
   * Shows text with a pager, the terminal handed over, until the person leaves it. The next piece of `input` is asked for only when
   * the pager has taken the one before, but for a kilobyte or so; nobody waits for one that is under way when the pager is left.
   *
   * @param signal Ends the pager.
   */
  page(commandLine: string, input: AsyncIterable<string>, signal: AbortSignal): Promise<Paged>;
  /**
   * Starts svc itself once more with these arguments, apart from this process, and does not wait for it: nobody sees
   * what it prints or how it ends.
   *
   * @returns what resolves when it has ended, however it did; waiting for that alone does not keep this process.
   */
  startSelf(argv: readonly string[]): Promise<{ readonly ended: Promise<void> }>;
  /** Runs svc itself once more, without a token, the terminal handed over, with this text on its stdin. Resolves when it has ended, however. */
  runSelf(argv: readonly string[], input: string): Promise<void>;
  /**
   * Runs a command of git that reads, in a directory and away from the terminal, and gives its exit code and what it printed. What the
   * repository configures starts no other program. Rejects when git cannot be started.
   */
  git(args: readonly string[], cwd: string): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
}

/** Questions to the person at the terminal. Each rejects with an `InterruptedError` at Ctrl-C, Ctrl-D and Esc. */
export interface Prompts {
  /** Yes or no; Enter alone means no. */
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
  /** A line that is not shown while it is typed. */
  secret(question: string, signal: AbortSignal): Promise<string>;
  /** A line. */
  line(question: string, signal: AbortSignal): Promise<string>;
  /**
   * One of many lines that are typed one after the other: edited where it stands, called back from the history, completed with Tab. Ctrl-D at
   * an empty line and the end of what is typed give undefined; Esc means nothing.
   */
  typed(prompt: string, signal: AbortSignal, memory: TypedMemory): Promise<string | undefined>;
  /**
   * One of several; what is typed narrows them down. Gives its value.
   *
   * @param more Looks elsewhere for what is typed, once somebody stops typing; what it finds is shown below the choices.
   */
  pick(
    question: string,
    choices: readonly Choice[],
    signal: AbortSignal,
    more?: (typed: string) => Promise<readonly Choice[]>,
  ): Promise<string>;
}

/** What helps to type a line. */
export interface TypedMemory {
  /** What was typed before, the latest first. */
  readonly history: readonly string[];
  /** What the end of a text may be completed to, and the part of the text that it stands for. */
  complete(text: string): { readonly choices: readonly string[]; readonly of: string };
}

export interface Choice {
  /** What is shown. */
  readonly name: string;
  readonly value: string;
}

/** One HTTP exchange. Nothing here follows redirects, retries, or adds headers of its own beyond what HTTP needs. */
export interface Network {
  /** Rejects with `NetworkError` (errors.ts), or with `signal.reason` when that aborts. */
  request(request: NetworkRequest): Promise<NetworkResponse>;
  /**
   * Begins to connect to an origin that is about to be asked for something. Nothing is sent; a failure shows at the request,
   * if one comes.
   */
  warm(origin: string, timeoutMs: number): void;
  /** Ends every connection, so that none keeps the process alive; nothing can be sent from then on. */
  close(): Promise<void>;
}

export interface NetworkRequest {
  readonly method: string;
  /** Absolute, http or https. */
  readonly url: string;
  /** Names in any case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | ByteSource;
  /** Milliseconds for connecting, and for the whole answer, from sending to its last byte: each. */
  readonly timeoutMs: number;
  /**
   * A file may go either way, which takes as long as it takes: while a body is sent, and while an answer comes that is done and no JSON,
   * `timeoutMs` bounds the longest silence. `whatever`: of an answer that is JSON too, which a file may well be.
   */
  readonly transfer?: boolean | 'whatever';
  readonly signal?: AbortSignal | undefined;
}

/** Bytes that are read anew each time they are sent, and never held whole. */
export interface ByteSource {
  /** How many there are; another number is a failure of {@link open}. */
  readonly size: number;
  /** Reads them from the first on. Throws what a person is to be told, which no second attempt would mend. */
  open(): AsyncIterable<Uint8Array>;
}

export interface NetworkResponse {
  readonly status: number;
  /** Names in lower case; several headers of a name joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's bytes, decoded of any Content-Encoding that was asked for. Read it, or call {@link discard}. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body. Rejects with `NetworkError` beyond `maxBytes` (default 64 MiB) or when it is cut off. */
  bytes(maxBytes?: number): Promise<Uint8Array>;
  /** The same as UTF-8. */
  text(maxBytes?: number): Promise<string>;
  /** Lets go of a body that nobody reads. */
  discard(): Promise<void>;
}
