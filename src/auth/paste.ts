import { SignInError } from '../errors.ts';
import { type RedirectAnswer, type RedirectReading, type RedirectSource, readRedirect } from './redirect-answer.ts';
import { CALLBACK_PATH } from './registration.ts';

export interface PasteOptions {
  /** The port in the redirect address. No program listens on this port. The user pastes the address from the browser’s error page. */
  readonly port: number;
  readonly readLine: (prompt: string, signal: AbortSignal) => Promise<string | undefined>;
  readonly notify: (line: string) => void;
}

/**
 * Reads the answer of a sign-in from an address that the user pastes, for a browser on another machine. svc explains a wrong address, and
 * asks again.
 *
 * @throws SignInError from `answer` if the input ends.
 */
export function pasteRedirect(options: PasteOptions): RedirectSource {
  const redirectUri = `http://127.0.0.1:${options.port}${CALLBACK_PATH}`;
  const expected = new Set<string>();
  return {
    redirectUri,
    expect: (state) => void expected.add(state),
    async answer(signal): Promise<RedirectAnswer> {
      for (;;) {
        signal.throwIfAborted();
        const line = await options.readLine('Paste the last address that your browser shows: ', signal);
        if (line === undefined) {
          throw new SignInError('The sign-in did not finish, because you pasted no address.', { hint: 'Run the same command again.' });
        }
        if (line.trim() === '') continue;
        const reading = readPastedAddress(line, expected);
        if (reading.kind !== 'answer') {
          options.notify(explain(reading));
          continue;
        }
        expected.delete(reading.state);
        return { state: reading.state, parameters: reading.parameters, succeed: async () => {}, fail: async () => {} };
      }
    },
    close: async () => {},
  };
}

export type PasteReading = RedirectReading | { readonly kind: 'elsewhere' };

/**
 * Reads a pasted address: `http://127.0.0.1:<port>/callback?code=…&state=…`. The function accepts the spaces, quotes, brackets and line
 * breaks that pasting adds. The function also accepts an address without `http://`, which some browsers leave out. svc does not compare the
 * port, because `state` proves more. Returns `elsewhere` for any other address.
 */
export function readPastedAddress(text: string, states: Iterable<string>): PasteReading {
  const bare = text.replace(/\s+/g, '').replace(/^[<"'`(]+|[>"'`)]+$/g, '');
  const address = /^[a-z]+:\/\//i.test(bare) ? bare : `http://${bare}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isOurs = url?.protocol === 'http:' && (url.hostname === '127.0.0.1' || url.hostname === '[::1]') && url.pathname === CALLBACK_PATH;
  if (url === undefined || !isOurs) return { kind: 'elsewhere' };
  return readRedirect(url.searchParams, states);
}

function explain(reading: Exclude<PasteReading, { readonly kind: 'answer' }>): string {
  switch (reading.kind) {
    case 'elsewhere':
      return `You pasted another address. After you approve, the browser goes to an address that begins with http://127.0.0.1, and cannot open the page. Copy the address of that page.`;
    case 'doubled':
      return `The address has "${reading.name}" more than once. Copy the address again.`;
    case 'no-state':
    case 'empty':
      return 'The address is incomplete. Copy the whole address.';
    case 'wrong-state':
      return 'The address is from another sign-in. Open the newest address above, and approve the sign-in. Then copy the address that the browser shows.';
  }
}
