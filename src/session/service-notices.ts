import { createHash } from 'node:crypto';
import type { Clock, Files, Network } from '../deps.ts';
import type { Host } from '../values/addresses.ts';
import { type DayMemory, openDayMemory } from './day-memory.ts';

/** The version of the API that svc was written for (rule 17.1). */
const VERSION = '2';
/** The most notices of one host in one day, even if every answer has a new one. */
const MOST = 20;

export interface NoticeOptions {
  readonly host: Host;
  readonly network: Pick<Network, 'request'>;
  readonly files: Pick<Files, 'readText' | 'writeAtomic'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly directory: string;
  readonly report: (line: string) => Promise<void>;
}

/** Prints deprecations, end dates, warnings and other versions from headers (rules 7.9, 17.2), each once a day for one host. */
export function heedingNetwork({ host, network, files, clock, directory, report }: NoticeOptions): Pick<Network, 'request'> {
  let memory: Promise<DayMemory> | undefined;
  return {
    async request(request) {
      const response = await network.request(request);
      const lines = noticesOf(host, `${request.method} ${new URL(request.url).pathname}`, response.headers);
      if (lines.length === 0) return response;
      const name = createHash('sha256').update(host.origin).digest('hex').slice(0, 32);
      memory ??= openDayMemory({ files, clock }, `${directory}/notices/${name}.json`);
      const printed = await memory;
      const fresh = lines.filter((line) => !printed.has(line)).slice(0, Math.max(0, MOST - printed.size));
      // Recorded before it is printed, so that parallel requests print it once.
      const recording = printed.add(fresh);
      for (const line of fresh) await report(line);
      await recording;
      return response;
    },
  };
}

function noticesOf({ name }: Host, request: string, headers: Readonly<Record<string, string>>): string[] {
  const { deprecation, sunset, warning, 'x-service-api-version': version } = headers;
  const lines: string[] = [];
  if (deprecation !== undefined) lines.push(`${name} says that ${request} is deprecated${sinceOf(deprecation)}.`);
  if (sunset !== undefined) lines.push(`${name} says that ${request} ends on ${dayOf(sunset)}.`);
  if (warning !== undefined) lines.push(`${name} warns of ${request}: ${warningText(warning)}`);
  if (version !== undefined && version.trim() !== VERSION) {
    lines.push(`${name} answers with version ${bounded(version)} of its API; this svc knows version ${VERSION}. Look for a newer svc.`);
  }
  return lines;
}

/** A date, where the header has one: `@` and seconds (RFC 9745 §2.1), or an HTTP date; `true` has none. */
function sinceOf(value: string): string {
  const seconds = /^@(\d{1,12})$/.exec(value.trim())?.[1];
  const time = seconds === undefined ? Date.parse(value) : Number(seconds) * 1000;
  return Number.isNaN(time) ? '' : ` since ${new Date(time).toISOString().slice(0, 10)}`;
}

/** An HTTP date (RFC 8594 §3) as a day of UTC; anything else as it came. */
function dayOf(value: string): string {
  const time = Date.parse(value);
  return Number.isNaN(time) ? bounded(value) : new Date(time).toISOString().slice(0, 10);
}

/** Returns the text of a `Warning` header (RFC 7234 §5.5), or the whole header in another form; at most 300 characters. */
function warningText(value: string): string {
  const text = /^\s*\d{3} \S+ "((?:[^"\\]|\\.)*)"/.exec(value)?.[1]?.replace(/\\(.)/g, '$1');
  return bounded(text ?? value);
}

function bounded(text: string): string {
  return text.trim().slice(0, 300);
}
