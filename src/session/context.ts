import type { Accounts } from '../auth/accounts.ts';
import type { Account } from '../auth/record.ts';
import type { Catalog } from '../catalog/index.ts';
import type { Globals } from '../cli/globals.ts';
import type { ApiClient } from '../client/api-client.ts';
import type { Share, SharedLimits } from '../client/pace.ts';
import type { ConfigFile } from '../config/config-file.ts';
import type { Paths } from '../config/paths.ts';
import type { ResolvedHost } from '../config/resolve-host.ts';
import type { Settings } from '../config/settings.ts';
import type { CredentialSource } from '../credential.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Presentation } from '../output/format.ts';
import type { Host } from '../values/addresses.ts';
import type { DateContext } from '../values/dates.ts';
import type { JsonObject } from '../values/json.ts';
import type { AccountDatabase } from './account-database.ts';
import type { Guarded } from './guard-terminal.ts';
import type { RecordingClient } from './journaling.ts';
import type { ActivePolicy } from './policy.ts';
import type { StatusLine } from './status-line.ts';

/**
 * Everything that a command needs. Building the context opens nothing: slow or fallible work starts in a call, such as `client()`. A
 * command therefore starts only the work of the members that it uses. Functions declare their members with {@link Needs}.
 */
export interface Context extends Guarded {
  readonly globals: Globals;
  /**
   * The arguments without secrets in flag values. svc adds the user’s answers as flags, so that the same command line repeats the same
   * write.
   */
  readonly argv: string[];
  readonly catalog: Catalog;
  readonly paths: Paths;
  readonly configFile: ConfigFile;
  readonly signal: AbortSignal;
  readonly interactive: boolean;
  settings(): Promise<Settings>;
  /**
   * Returns true if a screen reader reads the output: from `ACCESSIBLE`, otherwise from the setting. svc then prints labelled lines and
   * plain questions, and redraws nothing. Never rejects.
   */
  accessible(): Promise<boolean>;
  presentation(): Promise<Presentation>;
  accounts(): Promise<Accounts>;
  /**
   * Returns the organisation to use. @throws SignInError if nothing names an organisation; UsageError for an invalid name, and for several
   * sign-ins without a default.
   */
  host(): Promise<Host>;
  resolvedHost(): Promise<ResolvedHost>;
  /**
   * Returns the stored account without a request; offline, the account of the database. With `SVC_TOKEN`, undefined until the service has
   * named the owner.
   */
  account(): Promise<Account | undefined>;
  /** Returns the owner of the stored sign-in or token, without a request. */
  storedAccount(): Promise<Account | undefined>;
  /** Returns the address or file of the team database that svc reads instead of the service. Undefined without such a database. */
  teamDatabase(): Promise<string | undefined>;
  /** Returns true if svc reads only from the local database or a team database. @throws UsageError for contradictory flags. */
  isOffline(): Promise<boolean>;
  /**
   * Opens the team database, or else the local database. @throws UsageError, DatabaseError, UnavailableError, ForbiddenError, NotFoundError
   */
  accountDatabase(): Promise<AccountDatabase>;
  /** Prevents all further answers from the local database, even without a connection and even if the user would agree. */
  useServiceOnly(): void;
  credentials(): Promise<CredentialSource>;
  /** Returns the last renewal of the sign-in by this command. It can wait for a person at a browser. Undefined before the first renewal. */
  renewal(): Promise<unknown> | undefined;
  /**
   * Returns the policies that each request must follow. The environment can add a policy, but can’t remove one. @throws UsageError for an
   * invalid policy.
   */
  policies(): Promise<readonly ActivePolicy[]>;
  /** Returns a client for {@link host}, signed in with {@link credentials}. The client records each write in the journal before sending. */
  client(): Promise<RecordingClient>;
  /**
   * Marks all further requests as bulk work, which uses at most `percent` of each rate limit. Default: all rate-limit units except the
   * units that bulk work leaves to other commands.
   */
  putPeopleFirst(percent?: number): void;
  share(): Share | undefined;
  sharedLimits(): Promise<SharedLimits>;
  clientFor(host: Host, credentials: CredentialSource): Promise<ApiClient>;
  /** The file in which svc stores planned writes instead of sending them: `--plan`, `SVC_PLAN`. Undefined without a plan. */
  readonly plan: string | undefined;
  journal(): Promise<Journal>;
  /** Resolves all writes so far, because svc has printed their records. */
  resolveWrites(): Promise<void>;
  keepWrites(): void;
  /** Prints a line about the entries in the outbox, at a terminal, if the command has used an account. */
  printWaiting(): Promise<void>;
  readonly seen: SeenRecords;
  close(): Promise<void>;
  /** Returns the user’s IANA time zone: from the stored user record, otherwise from the settings, otherwise from the machine. */
  timeZone(): Promise<string>;
  /** Returns the current time and the user’s zone. With `SVC_TOKEN`, svc requests the zone from the service once a day. */
  dates(): Promise<DateContext>;
  /** Prints a line on stderr, except with `--quiet`. svc neutralises text from outside. */
  notice(line: string): Promise<void>;
  /** Prints a line like {@link notice}, but at a terminal only once a day for each account. */
  noticeToday(line: string): Promise<void>;
  readonly notify: (line: string) => void;
  readonly notifyOnce: (line: string) => void;
  /** Runs `work`, which can block the process. During the work, a signal ends svc at once. */
  readonly letGo: <T>(work: () => T) => T;
  /** Runs `work` while another program has the terminal. Ctrl-C goes to that program, and svc prints lines on stderr afterwards. */
  holdNotices<T>(work: () => Promise<T>): Promise<T>;
  readonly statusLine: StatusLine;
  openBrowser(url: string): Promise<void>;
  /** Returns the command that {@link openBrowser} starts. Undefined if the system chooses the browser. */
  browserCommand(): Promise<string | undefined>;
  /** Reads the text of a file that an argument names; `-` means stdin. @throws UsageError if svc can’t read the file. */
  readFileArgument(path: string): Promise<string>;
  readBytesArgument(path: string): Promise<Uint8Array>;
  readStdin(): Promise<string>;
  /** Returns the time limit of one request, in milliseconds. */
  requestTimeoutMs(): Promise<number>;
  maxWaitMs(): Promise<number>;
  /** Returns the number of simultaneous connections, 1 to 8: `--parallel`, otherwise the setting, otherwise 8. */
  parallel(): Promise<number>;
}

/** The members of a {@link Context} that a function uses: `Needs<'client' | 'notice'>`. */
export type Needs<Members extends keyof Context> = Pick<Context, Members>;

export type Asking = 'interactive' | 'prompts' | 'signal';

export interface SeenRecord {
  /** The path within the API from which svc read or wrote the record. */
  readonly path: string;
  /** The record. Undefined if the answer to a write has no record. */
  readonly record?: JsonObject | undefined;
  readonly etag?: string | undefined;
  /** The relations that the answer includes. The ETag of such an answer may differ from the ETag of the record alone. */
  readonly included?: readonly string[];
}

export interface SeenRecords {
  /**
   * Returns the ETag of a record as the account last saw the record, otherwise a digest of its fields. Undefined if the account did not see
   * the record within the last day.
   */
  find(path: string): Promise<string | undefined>;
  see(seen: SeenRecord): void;
  forget(path: string): void;
  write(): Promise<void>;
}
