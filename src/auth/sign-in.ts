import type { Browser, Clock, Interrupts, Network, System } from '../deps.ts';
import { DeclinedError, SignInError, SvcError, UsageError } from '../errors.ts';
import type { Host } from '../values/addresses.ts';
import { plainLine } from '../values/hidden-characters.ts';
import { type Authorization, InvalidClientError, redeemAnswer, startAuthorization } from './authorization.ts';
import { type AuthorizationServer, discoverAuthorization } from './discovery.ts';
import { isUnknownClient } from './known-client.ts';
import { listenForRedirect } from './loopback.ts';
import type { OAuthHttp } from './oauth-exchange.ts';
import { pasteRedirect } from './paste.ts';
import type { Grant, HostRecord, Registration } from './record.ts';
import type { RedirectAnswer, RedirectSource } from './redirect-answer.ts';
import { isYoung, register, reusableRegistration } from './registration.ts';
import { revokeGrant } from './revoke.ts';
import { checkScopesOffered } from './scopes.ts';

export interface SignInDeps {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly network: Network;
  readonly browser: Browser;
  readonly system: Pick<System, 'version' | 'randomBytes'>;
  readonly interrupts: Interrupts;
}

export interface SignInOptions {
  readonly scopes: readonly string[];
  /**
   * The way of showing the sign-in address. `browser` opens a browser. `print` only prints the address. `paste` also asks the user for the
   * last address in the browser.
   */
  readonly mode: 'browser' | 'print' | 'paste';
  /** True to open a page of svc first. Without the page, another user of this machine could read and approve the address. */
  readonly binds?: boolean | undefined;
  readonly callbackPort?: number | undefined;
  /** The longest wait for the user, in milliseconds. Default: 5 minutes. */
  readonly timeoutMs?: number | undefined;
  /** The time limit of each request to the service, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** The longest total wait after 429 answers, in milliseconds. */
  readonly maxWaitMs: number;
  readonly existing?: HostRecord | undefined;
  readonly notify: (line: string) => void;
  readonly readLine?: ((prompt: string, signal: AbortSignal) => Promise<string | undefined>) | undefined;
  /** Tests that svc can store tokens, right before the service issues the tokens. A rejection ends the sign-in with that error. */
  readonly probeStore: () => Promise<void>;
  /**
   * Stores the tokens before the browser shows success, with interrupts deferred. After a rejection, svc rejects with the same error. svc
   * then revokes the tokens, unless the revocation would end an earlier sign-in.
   */
  readonly store: (grant: Grant, registration: Registration) => Promise<{ readonly userName?: string | undefined }>;
  readonly storeRegistration?: ((registration: Registration) => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SignedIn {
  readonly grant: Grant;
  readonly registration: Registration;
}

/**
 * Signs in to a host. svc reads the metadata, registers or reuses a registration, and shows the sign-in address. svc then exchanges the
 * answer, stores the tokens, and only then shows success in the browser.
 *
 * If a reused registration fails, svc replaces the registration once. A registration fails if the service refuses the registration. A
 * registration older than 23 hours also fails if nobody answered. The browser shows a deleted registration as an error page that svc cannot
 * see. The service cannot have deleted a younger registration (rule 13.72), so svc keeps a younger registration.
 *
 * @throws SignInError if nobody finishes in time, or if the sign-in is cancelled or refused.
 * @throws UsageError for a scope that the service does not offer, or for `paste` without `readLine`.
 * @throws any error of the functions in `options`, and of the steps above.
 * @throws the signal’s reason after an abort.
 */
export async function signIn(deps: SignInDeps, host: Host, options: SignInOptions): Promise<SignedIn> {
  const signal = options.signal ?? deps.interrupts.signal;
  const http: OAuthHttp = {
    network: deps.network,
    clock: deps.clock,
    timeoutMs: options.requestTimeoutMs,
    maxWaitMs: options.maxWaitMs,
    userAgent: `svc/${deps.system.version}`,
    signal,
    notify: options.notify,
  };
  signal.throwIfAborted();
  const server = await discoverAuthorization(host, http);
  checkScopesOffered(options.scopes, server.scopes_supported, host.name);
  const source = await openSource(deps, options);
  try {
    return await signInThrough({ deps, host, options, signal, http, server, source });
  } finally {
    await source.close();
  }
}

const DEFAULT_TIMEOUT = 5 * 60_000;

interface Run {
  readonly deps: SignInDeps;
  readonly host: Host;
  readonly options: SignInOptions;
  readonly signal: AbortSignal;
  readonly http: OAuthHttp;
  readonly server: AuthorizationServer;
  readonly source: RedirectSource;
}

interface Attempt {
  readonly authorization: Authorization;
  readonly registration: Registration;
}

async function signInThrough(run: Run): Promise<SignedIn> {
  const { deps, host, options, server, source } = run;
  // Every attempt stays valid until the end, because the user can still use the first address.
  const attempts = new Map<string, Attempt>();
  const stored = reusableRegistration(options.existing, host, deps.clock.now());
  const reused =
    stored !== undefined &&
    (await isUnknownClient(server, run.http, { registration: stored, redirectUri: source.redirectUri, scopes: options.scopes }))
      ? undefined
      : stored;
  let registration = reused ?? (await registerAgain(run));
  let mayRegisterAgain = reused !== undefined;
  for (;;) {
    const request = { clientId: registration.client_id, redirectUri: source.redirectUri, scopes: options.scopes };
    const authorization = await startAuthorization(server, request);
    attempts.set(authorization.state, { authorization, registration });
    source.expect(authorization.state);
    const { state, url } = authorization;
    sendToBrowser(run, options.binds === true ? (source.bind?.(state, url) ?? url) : url);

    const answer = await waitForAnswer(run);
    if (answer === undefined) {
      if (!mayRegisterAgain || isYoung(registration, deps.clock.now())) throw nobodyCame(options, host, reused !== undefined);
      options.notify('The browser sent no answer. The service may have deleted the registration of svc, so svc registers again.');
    } else {
      const attempt = attempts.get(answer.state) ?? { authorization, registration };
      try {
        return await finish(run, attempt, answer);
      } catch (error) {
        if (!(error instanceof InvalidClientError) || !mayRegisterAgain) throw error;
        options.notify(`${error.message} svc registers again.`);
      }
    }
    mayRegisterAgain = false;
    registration = await registerAgain(run);
  }
}

async function registerAgain({ server, host, http, source, options }: Run): Promise<Registration> {
  const registration = await register(server, host, http, Number(new URL(source.redirectUri).port));
  await options.storeRegistration?.(registration);
  return registration;
}

/** Exchanges the code and stores the tokens. A code is valid once, so svc defers interrupts until svc has stored the tokens. */
async function finish(run: Run, attempt: Attempt, answer: RedirectAnswer): Promise<SignedIn> {
  const { deps, host, options, server, http } = run;
  const { authorization, registration } = attempt;
  try {
    // svc does not defer interrupts here, because a keychain can require an unlock by the user. The code is still unused.
    await options.probeStore();
    return await deps.interrupts.defer(async () => {
      const grant = await redeemAnswer(server, host, authorization, answer.parameters, { ...http, signal: undefined });
      const { userName } = await storeOrRevoke(run, grant, registration);
      await answer.succeed({ host: host.name, userName: plainLine(userName, 100) });
      return { grant, registration };
    });
  } catch (error) {
    const known = error instanceof SvcError;
    await answer.fail({ message: known ? error.message : 'The terminal shows the problem.', hint: known ? error.hint : undefined });
    throw error;
  }
}

/** Reports that the tokens belong to another user than before, and that nobody could confirm the change. svc revokes the tokens. */
export class UnwantedGrantError extends SignInError {}

/** Reports that another svc process deleted the sign-in before the sign-in was complete. svc revokes the tokens. */
export class SignedOutMeanwhileError extends SignInError {}

/**
 * Stores the tokens. After a failure, svc revokes the tokens. Revoking any token of an app ends all tokens of that user and app (rule
 * 13.47). If an earlier sign-in through the same registration is still stored, svc therefore revokes nothing. svc always revokes tokens of
 * another user, and tokens after a logout in the meantime. The revocation then does not end an earlier sign-in.
 */
async function storeOrRevoke({ deps, host, options, http }: Run, grant: Grant, registration: Registration) {
  try {
    return await options.store(grant, registration);
  } catch (error) {
    const isForNobody = [UnwantedGrantError, DeclinedError, SignedOutMeanwhileError].some((kind) => error instanceof kind);
    if (isForNobody || options.existing?.grant?.client_id !== grant.client_id) {
      const outcome = await revokeGrant(host, grant, { network: deps.network, userAgent: http.userAgent });
      if (!outcome.revoked) options.notify(`The tokens of this sign-in could not be revoked: ${outcome.problem}`);
    }
    throw error;
  }
}

async function openSource(deps: SignInDeps, options: SignInOptions): Promise<RedirectSource> {
  if (options.mode !== 'paste') return await listenForRedirect({ port: options.callbackPort });
  if (options.readLine === undefined) {
    throw new UsageError('--paste needs a terminal, where you can paste the address.', { hint: 'Run the same command in a terminal.' });
  }
  return pasteRedirect({ port: options.callbackPort ?? privatePort(deps.system), readLine: options.readLine, notify: options.notify });
}

/** Returns a random port from 49152 to 65535 (RFC 6335 §6). Such a port is probably free on the browser’s machine. */
function privatePort(system: Pick<System, 'randomBytes'>): number {
  const [high = 0, low = 0] = system.randomBytes(2);
  return 49152 + ((high * 256 + low) % 16384);
}

/** Prints the address, because a browser can start and show nothing. Opens the browser if the mode is `browser`. */
function sendToBrowser({ deps, host, options, source }: Run, url: string): void {
  const opens = options.mode === 'browser';
  options.notify(
    opens
      ? `Opening your browser to sign in to ${host.name}. If no page opens, go to:`
      : `To sign in to ${host.name}, open this address in a browser:`,
  );
  options.notify('');
  options.notify(`  ${url}`);
  options.notify('');
  if (options.mode === 'print') {
    options.notify(
      `The browser must reach ${new URL(source.redirectUri).host} on this machine. If the browser cannot reach this address, use --paste.`,
    );
  }
  if (!opens) return;
  // svc does not await the launcher, because a hanging launcher must not delay the answer.
  deps.browser.open(url).catch((error: unknown) => {
    const why = error instanceof Error ? ` (${plainLine(error.message)})` : '';
    options.notify(
      `svc could not open a browser${why}. Open the address above yourself; if your browser is on another machine, use --paste.`,
    );
  });
}

async function waitForAnswer({ deps, options, source, signal }: Run): Promise<RedirectAnswer | undefined> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const timeout = deps.clock.sleep(options.timeoutMs ?? DEFAULT_TIMEOUT, either).then(
    () => undefined,
    // This promise never resolves after an abort, because the other promise of the race reports the abort.
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([source.answer(either), timeout]);
  } finally {
    over.abort();
  }
}

function nobodyCame(options: SignInOptions, { name }: Host, reused: boolean): SignInError {
  const seconds = Math.ceil((options.timeoutMs ?? DEFAULT_TIMEOUT) / 1000);
  const again =
    options.mode === 'paste'
      ? `Try again, with more time: svc login ${name} --paste --timeout 600`
      : `Try again, with --paste if the browser is on another machine: svc login ${name}`;
  return new SignInError(`Nobody finished the sign-in within ${seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`}.`, {
    hint: reused ? `${again}. If the browser said that it does not know the app, first run: svc logout ${name}` : again,
  });
}
