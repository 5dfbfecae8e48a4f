import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A tab of a real browser. */
export interface Page {
  /** Opens an address. */
  open(url: string): Promise<void>;
  /** Returns the value of an expression in the page, as JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Resolves when an expression in the page is true, across page changes. Waits ten seconds at most. */
  until(expression: string): Promise<void>;
  /** Sets the value of `prefers-color-scheme`. */
  prefer(scheme: 'light' | 'dark'): Promise<void>;
  /** Sets the screen size in CSS pixels. A narrow screen is a phone. */
  resize(width: number, height: number): Promise<void>;
  /** Returns the whole page as PNG. */
  screenshot(): Promise<Buffer>;
  /** Returns the printed page as PDF, on A4, without the browser’s headers and footers. */
  pdf(): Promise<Buffer>;
  /** The errors that the page wrote to the console, including refused scripts and styles. */
  readonly complaints: string[];
}

export interface Chromium {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

/** Returns the name of the browser on this machine. Undefined without a browser. */
export function findChromium(): string | undefined {
  return ['chromium', 'chromium-browser', 'google-chrome'].find((name) => {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

/** Starts a browser without a window, and connects to its DevTools protocol. */
export async function startChromium(command: string): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), 'svc-chromium-'));
  const options = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--hide-scrollbars', '--window-size=900,700'];
  const child = spawn(command, [...options, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const devTools = await connect(await addressOf(child));
  return {
    async newPage() {
      const { targetId } = await devTools.send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await devTools.send('Target.attachToTarget', { targetId, flatten: true });
      return createPage(devTools, String(sessionId));
    },
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      // The helper processes end a moment later, and write files until then.
      await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

type Answer = Readonly<Record<string, unknown>>;

interface DevTools {
  send(method: string, parameters?: object, sessionId?: string): Promise<Answer>;
  onEvent(listen: (sessionId: string, method: string, parameters: Answer) => void): void;
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('The browser has no stderr.');
  const lines = createInterface({ input: child.stderr });
  for await (const line of lines) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stderr.resume();
    return address;
  }
  throw new Error('The browser ended before it began.');
}

async function connect(address: string): Promise<DevTools> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  const listeners: ((sessionId: string, method: string, parameters: Answer) => void)[] = [];
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error, sessionId, method, params } = JSON.parse(String(data));
    if (id === undefined) for (const listen of listeners) listen(sessionId, method, params);
    else if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(error.message));
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  return {
    send(method, params = {}, sessionId) {
      const answer = Promise.withResolvers<Answer>();
      last += 1;
      waiting.set(last, answer);
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
      return answer.promise;
    },
    onEvent: (listen) => void listeners.push(listen),
  };
}

async function createPage(devTools: DevTools, session: string): Promise<Page> {
  const complaints: string[] = [];
  devTools.onEvent((sessionId, method, parameters) => {
    if (sessionId !== session || method !== 'Log.entryAdded') return;
    const { level, text, url } = parameters['entry'] as { readonly level: string; readonly text: string; readonly url?: string };
    if (level === 'error' || level === 'warning') complaints.push(`${text} ${url ?? ''}`);
  });
  const send = (method: string, parameters?: object) => devTools.send(method, parameters, session);
  await send('Log.enable');
  await send('Page.enable');
  const page: Page = {
    complaints,
    async open(url) {
      await send('Page.navigate', { url });
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, returnByValue: true });
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
      return (result as { readonly value?: unknown }).value;
    },
    async until(expression) {
      const end = performance.now() + 10_000;
      // A page that the browser is leaving answers with an error.
      while ((await page.evaluate(expression).catch(() => false)) !== true) {
        if (performance.now() > end)
          throw new Error(`Not so within ten seconds: ${expression}\n${await page.evaluate('document.body.innerText')}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async prefer(scheme) {
      await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    },
    async resize(width, height) {
      await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    },
    async screenshot() {
      const { data } = await send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true });
      return Buffer.from(String(data), 'base64');
    },
    async pdf() {
      const { data } = await send('Page.printToPDF', {
        paperWidth: 8.27,
        paperHeight: 11.69,
        printBackground: true,
        preferCSSPageSize: true,
      });
      return Buffer.from(String(data), 'base64');
    },
  };
  return page;
}
