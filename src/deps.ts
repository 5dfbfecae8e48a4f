/**
 * The access to everything outside the process. `main.ts` builds the real version from `src/system/`, and a test builds its own. Building
 * `Deps` opens no file, no keychain and no connection. Slow or fallible work starts only in a call, such as `keychain()`.
 */
export interface Deps {
  readonly clock: Clock;
  readonly stdio: Stdio;
  readonly env: Env;
  readonly system: System;
  readonly files: Files;
  /** Opens the operating system’s keychain. Rejects with {@link KeychainUnavailable} if svc can use no keychain. */
  readonly keychain: () => Promise<Keychain>;
  readonly browser: Browser;
  readonly network: Network;
  readonly interrupts: Interrupts;
  readonly programs: Programs;
  readonly prompts: Prompts;
  /** The prompts as plain lines, without redrawing, for a screen reader. */
  readonly plainPrompts: Prompts;
}

export type Env = Readonly<Record<string, string | undefined>>;

export interface Clock {
  /** Returns the wall-clock time in milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Returns the milliseconds of a clock that never jumps. Use this clock to measure durations. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds. Rejects with `signal.reason` if the signal aborts first. */
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
  /**
   * Writes text or bytes to the stream, and resolves when the stream can take more. Rejects with {@link OutputClosed} if the reader has
   * closed the stream (`| head`).
   */
  write(text: string | Uint8Array): Promise<void>;
}

/** Facts about the machine and the process that stay constant while svc runs. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly nodeVersion: string;
  readonly pid: number;
  readonly cwd: string;
  /** The value of `$HOME`. Default: the home directory that the system reports. */
  readonly home: string;
  /** The home directory of the OS user as the system reports the directory, even if `$HOME` names another directory. */
  readonly accountHome: string;
  readonly userName: string;
  readonly machineName: string;
  readonly timeZone: string;
  readonly version: string;
  /** The directory of the npm package, or the parent directory of the executable’s `bin`. */
  readonly installedIn: string;
  /** The web address of svc’s releases. */
  readonly releases: string;
  readonly packageName: string;
  /** Returns `size` bytes from the system’s secure random source. */
  randomBytes(size: number): Uint8Array;
  /** Makes Node free memory earlier, at some cost in speed. Use this method for work of unknown length. */
  saveMemory(): void;
  /** Returns an error’s stack. With a source map, the stack has the files and lines of the source. */
  traceOf(error: Error): Promise<string>;
}

export interface Files {
  /**
   * Blocking versions of three methods, for the few small files that every start reads. The blocking code loads faster than the
   * asynchronous code.
   */
  readonly atOnce: Pick<Files, 'readText' | 'list' | 'stat'>;
  /** Returns the text of a file. Returns undefined if the file does not exist. Rejects with Node’s error for other failures. */
  readText(path: string): Promise<string | undefined>;
  /**
   * Writes a file atomically: a reader sees the old text or the new text, even after a crash. The method flushes a temporary file next to
   * the file (`.<name>.<random>.tmp`), then renames the temporary file. Creates missing parent directories with mode 0700. `mode` defaults
   * to 0600. If the path is a symbolic link, the method replaces the link and not its target.
   */
  writeAtomic(path: string, text: string, mode?: number): Promise<void>;
  /**
   * Writes a file atomically. If the path is a symbolic link, the method keeps the link and replaces its target. The target keeps its mode;
   * a new file gets mode 0600. Use this method only for settings and shell files, which users can keep elsewhere (dotfiles). Rejects for a
   * link of another user.
   */
  writeThroughLink(path: string, text: string): Promise<void>;
  /**
   * Appends text or bytes to a file, and flushes the file. Creates a missing file (mode 0600) and its directories. Rejects for a link or a
   * special file.
   */
  append(path: string, text: string | Uint8Array): Promise<void>;
  /** Shortens a file to `size` bytes. Creates an empty file if the file does not exist. Rejects for a link or a special file. */
  truncate(path: string, size: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Reads a file in pieces, starting at the byte `from` (default: the first byte). Rejects with Node’s error for a missing file. */
  read(path: string, from?: number): AsyncIterable<Uint8Array>;
  /**
   * Reads a file that svc itself wrote, from the first byte. All pieces share one buffer, so a piece is valid only until the caller takes
   * the next piece. Rejects for a symbolic link or a special file.
   */
  readPlain(path: string): AsyncIterable<Uint8Array>;
  /**
   * Writes pieces into a file, starting at the byte `from`, and flushes the file. Keeps at most one piece in memory. With `from` 0, the
   * method creates the file (mode 0600) and its directories, and refuses an existing file (EEXIST). With a later byte, the file must exist,
   * and must not be a symbolic link. If reading the pieces fails, the earlier pieces stay in the file.
   */
  writePieces(path: string, pieces: AsyncIterable<Uint8Array>, from: number): Promise<void>;
  /** Reserves the name of a later file, by creating an empty file of mode 0600. Returns false if the name is taken. */
  reserve(path: string): Promise<boolean>;
  /**
   * Removes a file. Returns false if the file does not exist. With `now`, the removal survives a power cut. With `soon`, the default, a
   * power cut can restore the file.
   */
  remove(path: string, durability?: 'now' | 'soon'): Promise<boolean>;
  /** Returns the names in a directory, sorted. Returns an empty list if the directory does not exist. */
  list(directory: string): Promise<string[]>;
  /**
   * Returns the permission bits (`0o777` mask), the owner, the size, the last change and the kind of a file. Undefined if the file does not
   * exist.
   */
  stat(path: string): Promise<FileFacts | undefined>;
  /** Removes all permissions that the group and others have on a file. */
  close(path: string): Promise<void>;
  /**
   * Finds a part of the path, including links, that somebody other than the user and the administrator can change. Returns undefined if no
   * such part exists, and on Windows.
   */
  weakness(path: string): Promise<{ readonly path: string; readonly why: string } | undefined>;
}

export interface FileFacts {
  readonly mode: number;
  readonly uid: number;
  readonly size: number;
  /** The time of the last change, in milliseconds since 1970. */
  readonly changedAt: number;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

/** The operating system’s secret store. Each entry is a string, named by service and account. */
export interface Keychain {
  /** Returns the secret of an entry. Returns undefined for a missing entry, and on some systems if the keychain is locked. */
  get(service: string, account: string): Promise<string | undefined>;
  set(service: string, account: string, secret: string): Promise<void>;
  delete(service: string, account: string): Promise<boolean>;
  /** The size limit of an entry in bytes (2,560 on Windows). Undefined if every secret of svc fits into an entry. */
  readonly maxBytes: number | undefined;
  readonly name: string;
}

/** Reports that this machine has no keychain that svc can use. `message` gives the user the reason. */
export class KeychainUnavailable extends Error {
  override readonly name = 'KeychainUnavailable';
}

/** Reports that the reader has closed an {@link Output} (EPIPE). svc then ends without an error message. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

export interface Browser {
  /** Opens an address in the browser. Rejects if svc cannot start the browser. Does not detect a browser that shows nothing. */
  open(url: string, configured?: string): Promise<void>;
}

export interface Interrupts {
  /** Aborts with an `InterruptedError` as the reason at the first Ctrl-C, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
  /**
   * Runs `work`, and delays an interrupt until `work` ends. Use this method only for short steps that must not stop halfway, such as
   * redeeming a single-use token.
   */
  defer<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` while another program has the terminal. Ctrl-C goes to that program. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work`, which can block the process for any time. During `work`, svc does not catch signals, so a signal ends the process at once.
   */
  letGo<T>(work: () => T): T;
}

/** The outcome of paging. `left`: the user left before the end. `missing`: the pager could not start, and svc read no text. */
export type Paged = 'shown' | 'left' | 'missing';

/** Starts other programs. Finds a program name without a path in the absolute directories of PATH, but never in the current directory. */
export interface Programs {
  /**
   * Runs a command in the terminal, and returns its exit code. Splits the command line into words as a shell does, but starts no shell. The
   * program reads `input` as stdin. Default: the terminal.
   */
  run(commandLine: string, extraArgs: readonly string[], input?: AsyncIterable<string>): Promise<number>;
  /**
   * Shows text with a pager in the terminal, until the user leaves the pager. The pager reads each piece of `input` before svc requests the
   * next piece, except for a kilobyte of buffer. If the user leaves, svc does not wait for a pending piece.
   *
   * @param signal Ends the pager.
   */
  page(commandLine: string, input: AsyncIterable<string>, signal: AbortSignal): Promise<Paged>;
  /**
   * Starts another svc process with these arguments, and does not wait for its end. svc discards the output and the exit code.
   *
   * @returns a promise that resolves when the other process ends in any way. Waiting for the promise does not keep this process alive.
   */
  startSelf(argv: readonly string[]): Promise<{ readonly ended: Promise<void> }>;
  /** Runs another svc process in the terminal, without a token, and with this text on its stdin. Resolves when the process ends. */
  runSelf(argv: readonly string[], input: string): Promise<void>;
  /**
   * Runs git without the terminal, and returns the exit code and the output. The repository’s configuration can start no other program.
   * Rejects if svc cannot start git.
   */
  git(args: readonly string[], cwd: string): Promise<ProgramResult>;
  /**
   * Runs ssh-keygen with this text on its standard input, and returns the exit code and the output. ssh-keygen asks for a passphrase at the
   * terminal. Rejects if svc cannot start ssh-keygen.
   */
  sshKeygen(args: readonly string[], input: string): Promise<ProgramResult>;
}

export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Asks the user at the terminal. Each method rejects with an `InterruptedError` at Ctrl-C. */
export interface Prompts {
  /**
   * Asks a yes-or-no question.
   *
   * @param byDefault The answer if the user presses only Enter. Default: false, which means no.
   */
  confirm(question: string, signal: AbortSignal, byDefault?: boolean): Promise<boolean>;
  secret(question: string, signal: AbortSignal): Promise<string>;
  line(question: string, signal: AbortSignal): Promise<string>;
  /**
   * Reads a line that the user can edit, with history and completion. Returns undefined for Ctrl-D in an empty line, and at the end of the
   * input. Esc does nothing.
   */
  typed(prompt: string, signal: AbortSignal, memory: TypedMemory): Promise<string | undefined>;
  /**
   * Asks the user to choose one of several values, and returns the value. Typed text filters the choices.
   *
   * @param more Searches elsewhere for the typed text, after the user stops typing. Its results appear below the choices.
   */
  pick(
    question: string,
    choices: readonly Choice[],
    signal: AbortSignal,
    more?: (typed: string) => Promise<readonly Choice[]>,
  ): Promise<string>;
}

export interface TypedMemory {
  /** The lines that the user typed earlier, latest first. */
  readonly history: readonly string[];
  /** Returns the completions for the end of a text, and the part of the text that the completions replace. */
  complete(text: string): { readonly choices: readonly string[]; readonly of: string };
}

export interface Choice {
  readonly name: string;
  readonly value: string;
}

/** Sends single HTTP exchanges. Follows no redirects, repeats nothing, and adds only the headers that HTTP needs. */
export interface Network {
  /** Sends a request. Rejects with `NetworkError` (errors.ts), or with `signal.reason` after an abort. */
  request(request: NetworkRequest): Promise<NetworkResponse>;
  /** Connects to an origin before a request, without sending anything. If the connection fails, the next request reports the failure. */
  warm(origin: string, timeoutMs: number): void;
  /** Closes every connection, so that no connection keeps the process alive. No request can follow. */
  close(): Promise<void>;
}

export interface NetworkRequest {
  readonly method: string;
  /** The absolute address, with http or https. */
  readonly url: string;
  /** The headers. Names can have any letter case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | ByteSource;
  /**
   * The time limit in milliseconds for connecting. The same limit applies again from sending the request to the last byte of the answer.
   */
  readonly timeoutMs: number;
  /**
   * True to apply `timeoutMs` to each pause in a body, and in an answer without JSON. The whole transfer then has no limit. `any` includes
   * JSON answers.
   */
  readonly transfer?: boolean | 'any';
  readonly signal?: AbortSignal | undefined;
  /**
   * Called after svc has connected, right before the first byte leaves. If the function throws, svc sends nothing, and the request rejects
   * with the same error.
   */
  readonly beforeSend?: (() => void) | undefined;
}

/** Bytes that svc reads again for each attempt, and never keeps in memory as a whole. */
export interface ByteSource {
  /** The number of bytes. {@link open} fails if the number differs. */
  readonly size: number;
  /**
   * Reads the bytes from the start. Throws an `SvcError` if another program changes the bytes. A second attempt would not fix this error.
   */
  open(): AsyncIterable<Uint8Array>;
}

export interface NetworkResponse {
  readonly status: number;
  /** The headers, with names in lower case. svc joins several headers of one name with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded bytes of the body. Read all bytes, or call {@link discard}. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Reads the whole body. Rejects with `NetworkError` for more than `maxBytes` (default: 64 MiB), and for an incomplete body. */
  bytes(maxBytes?: number): Promise<Uint8Array>;
  text(maxBytes?: number): Promise<string>;
  discard(): Promise<void>;
}
