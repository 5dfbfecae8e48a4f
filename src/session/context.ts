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
import type { Guarded } from './guard-terminal.ts';
import type { RecordingClient } from './journaling.ts';
import type { ActivePolicy } from './policy.ts';
import type { StatusLine } from './status-line.ts';

/**
 * Everything that is slow or can fail is a function. Its result is made at the first call and then kept. So a command pays only for
 * what it uses. A function takes only the members that it uses: {@link Needs}.
 */
export interface Context extends Guarded {
  readonly globals: Globals;
  /** Without the secrets in values of flags. A person's answers are added as flags, so that the same command again makes the same write. */
  readonly argv: string[];
  readonly catalog: Catalog;
  readonly paths: Paths;
  readonly configFile: ConfigFile;
  readonly signal: AbortSignal;
  readonly interactive: boolean;
  settings(): Promise<Settings>;
  /** `ACCESSIBLE`, else the setting: lines with a label each, plain questions, and nothing drawn over. Never rejects. */
  accessible(): Promise<boolean>;
  presentation(): Promise<Presentation>;
  accounts(): Promise<Accounts>;
  /** The organisation to use. @throws SignInError or UsageError when nothing names one. */
  host(): Promise<Host>;
  resolvedHost(): Promise<ResolvedHost>;
  /** As remembered, without a request. With `SVC_TOKEN`, undefined until the service has named the owner. */
  account(): Promise<Account | undefined>;
  /** Whether svc reads from the local database alone. @throws UsageError for flags that contradict each other. */
  isOffline(): Promise<boolean>;
  /** Prevents answers from the local database from now on, even without a connection and with a person who would agree. */
  useServiceOnly(): void;
  credentials(): Promise<CredentialSource>;
  /** The policies that requests must all follow. The environment can add one, and remove none. @throws UsageError for an unusable one */
  policies(): Promise<readonly ActivePolicy[]>;
  /** A client for {@link host}, signed in with {@link credentials}. It records its writes in the journal before it sends them. */
  client(): Promise<RecordingClient>;
  /** From now on requests are bulk work: they leave units to people, and use at most this many percent of each limit. */
  putPeopleFirst(percent?: number): void;
  share(): Share | undefined;
  sharedLimits(): Promise<SharedLimits>;
  clientFor(host: Host, credentials: CredentialSource): Promise<ApiClient>;
  /** The file in which svc plans writes instead of sending them: `--plan`, `SVC_PLAN`. */
  readonly plan: string | undefined;
  journal(): Promise<Journal>;
  /** Resolves all writes so far, since they are printed. A person who does not see a write can type it again. Never rejects. */
  resolveWrites(): Promise<void>;
  keepWrites(): void;
  /** Prints a line about entries in the outbox, at a terminal and where the command has used an account. */
  printWaiting(): Promise<void>;
  readonly seen: SeenRecords;
  close(): Promise<void>;
  /** The user's zone, an IANA name: of the user's record as remembered, else of the settings, else of the machine. */
  timeZone(): Promise<string>;
  /** The present time, and the user's zone; with `SVC_TOKEN` svc asks the service for it, once a day. */
  dates(): Promise<DateContext>;
  /** Prints a line on stderr, unless `--quiet`. Text from outside is neutralised. */
  notice(line: string): Promise<void>;
  /** Does the same as {@link notice}, but at a terminal only once a day for each account. */
  noticeToday(line: string): Promise<void>;
  readonly notify: (line: string) => void;
  readonly notifyOnce: (line: string) => void;
  /** Runs work that blocks everything else: a signal ends svc at once during it. */
  readonly letGo: <T>(work: () => T) => T;
  /** Runs `work` while another program has the terminal: Ctrl-C goes to that program, and lines on stderr come after it. */
  holdNotices<T>(work: () => Promise<T>): Promise<T>;
  readonly statusLine: StatusLine;
  openBrowser(url: string): Promise<void>;
  /** The command that {@link openBrowser} starts; undefined where it leaves that to the system. */
  browserCommand(): Promise<string | undefined>;
  /** The text of a file that an argument names, `-` being stdin. @throws UsageError when it cannot be read. */
  readFileArgument(path: string): Promise<string>;
  readBytesArgument(path: string): Promise<Uint8Array>;
  readStdin(): Promise<string>;
  /** The time limit of one request, in milliseconds. */
  requestTimeoutMs(): Promise<number>;
  maxWaitMs(): Promise<number>;
  /** Connections at once, 1 to 8: `--parallel`, else the setting, else 8. */
  parallel(): Promise<number>;
}

/** The members of a {@link Context} that a function uses: `Needs<'client' | 'notice'>`. */
export type Needs<Members extends keyof Context> = Pick<Context, Members>;

export type Asking = 'interactive' | 'prompts' | 'signal';

export interface SeenRecord {
  /** The path below the API under which it was read or written. */
  readonly path: string;
  /** Undefined for a write without a record in its answer. */
  readonly record?: JsonObject | undefined;
  readonly etag?: string | undefined;
  /** The relations that the answer includes. Its ETag can be another one than that of the record alone. */
  readonly included?: readonly string[];
}

export interface SeenRecords {
  /** The ETag of a record as the account last saw it, or else a digest of its fields. */
  find(path: string): Promise<string | undefined>;
  see(seen: SeenRecord): void;
  forget(path: string): void;
  write(): Promise<void>;
}
