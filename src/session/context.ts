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
import type { NotingClient } from './journaling.ts';
import type { ActivePolicy } from './policy.ts';
import type { StatusLine } from './status-line.ts';

/**
 * The parts that a command works with: the outside world, and the person's settings, sign-in and data. Everything that is slow or can fail
 * is a function. Its result is made at the first call and then kept. So a command pays only for the parts that it uses. `create-context.ts`
 * makes the context.
 *
 * A function takes only the members that it uses: {@link Needs}.
 */
export interface Context extends Guarded {
  /** The flags that work everywhere, as typed. */
  readonly globals: Globals;
  /**
   * The command line after `svc`, without the secrets in values of flags. The journal and plans keep it, and messages show it. A person's
   * answers to questions are added as flags, so that the same command again makes the same write.
   */
  readonly argv: string[];
  /** The resources of the service, as far as svc knows them. */
  readonly catalog: Catalog;
  readonly paths: Paths;
  readonly configFile: ConfigFile;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** Whether somebody is there to answer a question. */
  readonly interactive: boolean;
  settings(): Promise<Settings>;
  /**
   * Whether somebody hears the screen instead of seeing it: `ACCESSIBLE`, else the setting. Then every output for people is lines with a
   * label each. Questions are plain lines, and svc draws nothing over. Never rejects.
   */
  accessible(): Promise<boolean>;
  /** How this run prints its output; nothing else decides that. */
  presentation(): Promise<Presentation>;
  accounts(): Promise<Accounts>;
  /** The organisation to use. @throws SignInError or UsageError when nothing names one. */
  host(): Promise<Host>;
  /** Returns the same, with the source of the choice. */
  resolvedHost(): Promise<ResolvedHost>;
  /**
   * The person who is signed in, as remembered. With `SVC_TOKEN`, whose owner svc does not know, undefined until the service has named the
   * owner. Sends no request.
   */
  account(): Promise<Account | undefined>;
  /**
   * Whether svc sends nothing and reads from the local database that `svc sync` fills. @throws UsageError for flags that contradict each
   * other.
   */
  isOffline(): Promise<boolean>;
  /** Prevents answers from the local database from now on, even without a connection and with a person who would agree. */
  forgoCopy(): void;
  credentials(): Promise<CredentialSource>;
  /** The policies that requests must all follow. The environment can add one, and remove none. @throws UsageError for an unusable one */
  policies(): Promise<readonly ActivePolicy[]>;
  /** A client for {@link host}, signed in with {@link credentials}. It records its writes in the journal before it sends them. */
  client(): Promise<NotingClient>;
  /**
   * From now on the requests of this command are bulk work. They leave rate-limit units to people, and use at most this many percent of each
   * limit.
   */
  putPeopleFirst(percent?: number): void;
  /** The share of the limits that bulk work has; undefined for a person. */
  share(): Share | undefined;
  /** All processes of this person on this machine share these rate limits of {@link host}. */
  sharedLimits(): Promise<SharedLimits>;
  /** A client for another host or credential. */
  clientFor(host: Host, credentials: CredentialSource): Promise<ApiClient>;
  /** The file in which svc plans writes instead of sending them: `--plan`, `SVC_PLAN`. */
  readonly plan: string | undefined;
  /** The journal of this account's writes from this machine. @throws JournalError */
  journal(): Promise<Journal>;
  /** Resolves all writes so far, since they are printed. A person who does not see a write can type it again. Never rejects. */
  settleWrites(): Promise<void>;
  /** From now on the journal keeps what this command creates for later, and svc sends none of it. */
  keepWrites(): void;
  /**
   * Ends a command with a line about the entries that wait in the outbox. It prints at a terminal, and where the command has used an
   * account; other commands do not pay for the look.
   */
  tellWaiting(): Promise<void>;
  /** The records that this account saw within the last day, for `--if-unchanged`. */
  readonly seen: SeenRecords;
  /** Closes everything that is open. */
  close(): Promise<void>;
  /** The user's zone, an IANA name: of the user's record as remembered, else of the settings, else of the machine. */
  timeZone(): Promise<string>;
  /** The present time, and the user's zone; with `SVC_TOKEN` svc asks the service for it, once a day. */
  dates(): Promise<DateContext>;
  /** Prints a line on stderr, unless `--quiet`. Text from outside is neutralised. */
  notice(line: string): Promise<void>;
  /** Does the same as {@link notice}, but at a terminal only once a day for each account. */
  noticeToday(line: string): Promise<void>;
  /** Does the same as {@link notice}, for callers that cannot wait. */
  readonly notify: (line: string) => void;
  /** Does the same as {@link notify}, but prints each line once only. */
  readonly tellOnce: (line: string) => void;
  /** Runs work that blocks everything else: a signal ends svc at once during it. */
  readonly letGo: <T>(work: () => T) => T;
  /** Runs `work` while another program has the terminal: Ctrl-C goes to that program, and lines on stderr come after it. */
  holdNotices<T>(work: () => Promise<T>): Promise<T>;
  /** The line at the bottom of the terminal that shows the progress of long work. */
  readonly statusLine: StatusLine;
  openBrowser(url: string): Promise<void>;
  /** The command that {@link openBrowser} starts; undefined where it leaves that to the system. */
  browserCommand(): Promise<string | undefined>;
  /** The text of a file that an argument names, `-` being stdin. @throws UsageError when it cannot be read. */
  readFileArgument(path: string): Promise<string>;
  /** Returns the same as bytes, which need not be text. */
  readBytesArgument(path: string): Promise<Uint8Array>;
  /** All of stdin as text. */
  readStdin(): Promise<string>;
  /** Per request, in milliseconds. */
  requestTimeoutMs(): Promise<number>;
  maxWaitMs(): Promise<number>;
  /** Connections at once, 1 to 8: `--parallel`, else the setting, else 8. */
  parallel(): Promise<number>;
}

/** The members of a {@link Context} that a function uses: `Needs<'client' | 'notice'>`. */
export type Needs<Members extends keyof Context> = Pick<Context, Members>;

/** The members of a context that a question to a person needs. */
export type Asking = 'interactive' | 'prompts' | 'signal';

/** A record as the service showed it. */
export interface SeenRecord {
  /** The path below the API under which it was read or written. */
  readonly path: string;
  /** Undefined for a write without a record in its answer. */
  readonly record?: JsonObject | undefined;
  /** The ETag, if a write can name it. */
  readonly etag?: string | undefined;
  /** The relations that the answer includes. Its ETag can be another one than that of the record alone. */
  readonly included?: readonly string[];
}

/** The records that this account saw within the last day, in the directory that a change of the sign-in empties. */
export interface SeenRecords {
  /** The ETag of a record as the account last saw it, or else a digest of its fields. */
  find(path: string): Promise<string | undefined>;
  /** Remembers a record until {@link SeenRecords.write}. */
  see(seen: SeenRecord): void;
  /** Forgets a record: it was deleted, or changed to an unknown version. */
  forget(path: string): void;
  /** Writes the file. Never rejects: svc then remembers less. */
  write(): Promise<void>;
}
