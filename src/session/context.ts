import type { Accounts } from '../auth/accounts.ts';
import type { Account } from '../auth/record.ts';
import type { Catalog } from '../catalog/index.ts';
import type { Globals } from '../cli/globals.ts';
import type { ApiClient } from '../client/api-client.ts';
import type { ConfigFile } from '../config/config-file.ts';
import type { Paths } from '../config/paths.ts';
import type { ResolvedHost } from '../config/resolve-host.ts';
import type { Settings } from '../config/settings.ts';
import type { CredentialSource } from '../credential.ts';
import type { Journal } from '../journal/journal.ts';
import type { Presentation } from '../output/presentation.ts';
import type { DateContext } from '../values/dates.ts';
import type { Host } from '../values/host.ts';
import type { Guarded } from './guard-terminal.ts';
import type { NotingClient } from './journaling.ts';
import type { StatusLine } from './status-line.ts';

/**
 * What a command works with: the outside world, and what a person at work has of svc. Whatever is slow or can fail is a
 * function, made when first asked for and then kept, so that a command pays for what it uses. `create-context.ts` makes it.
 *
 * A function that is handed one takes the members that it uses: {@link Needs}.
 */
export interface Context extends Guarded {
  /** The flags that work everywhere, as typed. */
  readonly globals: Globals;
  /** The command line after `svc`, without the secrets in values of flags. The journal and plans keep it, and messages show it. */
  readonly argv: readonly string[];
  /** What the service has, as far as svc knows. */
  readonly catalog: Catalog;
  readonly paths: Paths;
  readonly configFile: ConfigFile;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** Somebody is there to answer a question. */
  readonly interactive: boolean;
  settings(): Promise<Settings>;
  /**
   * Whether somebody hears the screen instead of seeing it: `ACCESSIBLE`, else the setting. Then what is for people comes as lines with a
   * label each, questions are plain lines, and nothing is drawn over. Never rejects.
   */
  accessible(): Promise<boolean>;
  /** How this run prints what it has; the only place where that is decided. */
  presentation(): Promise<Presentation>;
  accounts(): Promise<Accounts>;
  /** The organisation to use. @throws SignInError or UsageError when nothing names one. */
  host(): Promise<Host>;
  /** The same, with where the choice came from. */
  resolvedHost(): Promise<ResolvedHost>;
  /** Who is signed in, as remembered; with `SVC_TOKEN`, which may be anybody's, undefined until the service has said so. Asks nobody. */
  account(): Promise<Account | undefined>;
  /** Nothing may be sent: what is read comes from the copy that `svc sync` keeps. @throws UsageError for flags that contradict each other. */
  isOffline(): Promise<boolean>;
  /** From now on no copy answers in the service's place, also where there is no connection and a person would agree to it. */
  forgoCopy(): void;
  credentials(): Promise<CredentialSource>;
  /** A client for {@link host}, signed in with {@link credentials}. Its writes are noted in the journal before they are sent. */
  client(): Promise<NotingClient>;
  /** A client for another host or credential. */
  clientFor(host: Host, credentials: CredentialSource): Promise<ApiClient>;
  /** The file that writes are planned in, instead of being sent: `--plan`, `SVC_PLAN`. */
  readonly plan: string | undefined;
  /** What this account wrote from here. @throws JournalError */
  journal(): Promise<Journal>;
  /** Says that what was written so far is printed, and so settled. Whoever does not see it may type it again. Never rejects. */
  settleWrites(): Promise<void>;
  /** From now on what this command creates is kept in the journal for later, and nothing of it sent. */
  keepWrites(): void;
  /**
   * Ends a command with a line about what waits in the outbox: at a terminal, and where the command has met an account; nobody else
   * pays for looking.
   */
  tellWaiting(): Promise<void>;
  /** Lets go of what is open. */
  close(): Promise<void>;
  /** The user's zone, an IANA name: of the user's record as remembered, else of the settings, else the machine's. */
  timeZone(): Promise<string>;
  /** Now, and the user's zone; with `SVC_TOKEN` the service is asked for it, once a day. */
  dates(): Promise<DateContext>;
  /** A line on stderr, unless `--quiet`. Text from outside is neutralised. */
  notice(line: string): Promise<void>;
  /** Like {@link notice}, where nobody can wait for it. */
  readonly notify: (line: string) => void;
  /** Like {@link notify}, but a line that was told before is not told again. */
  readonly tellOnce: (line: string) => void;
  /** Runs what lets nothing else run: a signal ends svc at once meanwhile. */
  readonly letGo: <T>(work: () => T) => T;
  /** Runs `work` while another program has the terminal: Ctrl-C is that program's, and lines on stderr come after it. */
  holdNotices<T>(work: () => Promise<T>): Promise<T>;
  /** The line at the bottom of the terminal that shows how far long work has come. */
  readonly statusLine: StatusLine;
  openBrowser(url: string): Promise<void>;
  /** The command that {@link openBrowser} starts; undefined where it leaves that to the system. */
  browserCommand(): Promise<string | undefined>;
  /** The text of a file that an argument names, `-` being stdin. @throws UsageError when it cannot be read. */
  readFileArgument(path: string): Promise<string>;
  /** The same for bytes that need not be text. */
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

/** What a question to a person needs. */
export type Asking = 'interactive' | 'prompts' | 'signal';
