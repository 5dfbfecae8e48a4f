import { createHash } from 'node:crypto';
import type { Clock, Files, Network } from '../deps.ts';
import type { Host } from '../values/addresses.ts';
import { type DayMemory, openDayMemory } from './day-memory.ts';

/** The version of the API that svc supports (rule 17.1). */
const VERSION = '2';
/** The most notices per host and day, even if every answer has a new notice. */
const MOST = 20;

export interface NoticeOptions {
  readonly host: Host;
  readonly network: Pick<Network, 'request'>;
  readonly files: Pick<Files, 'readText' | 'writeAtomic'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly directory: string;
  readonly report: (line: string) => Promise<void>;
}

/**
 * Wraps the network to print deprecations, end dates, warnings and unsupported API versions from headers (rules 7.9, 17.2). Prints each
 * notice once a day per host.
 */
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
      // svc records a notice before printing, so that parallel requests print the notice once.
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
    lines.push(`${name} answers with version ${bounded(version)} of its API; this svc supports version ${VERSION}. Install a newer svc.`);
  }
  return lines;
}

/**
 * Returns ` since 2031-03-31` for the date in a Deprecation header: `@` and seconds (RFC 9745 §2.1), or an HTTP date. Empty for `true`,
 * which has no date.
 */
function sinceOf(value: string): string {
  const seconds = /^@(\d{1,12})$/.exec(value.trim())?.[1];
  const time = seconds === undefined ? Date.parse(value) : Number(seconds) * 1000;
  return Number.isNaN(time) ? '' : ` since ${new Date(time).toISOString().slice(0, 10)}`;
}

/** Returns an HTTP date (RFC 8594 §3) as a day in UTC. Returns any other text unchanged. */
function dayOf(value: string): string {
  const time = Date.parse(value);
  return Number.isNaN(time) ? bounded(value) : new Date(time).toISOString().slice(0, 10);
}

/** Returns the text of a `Warning` header (RFC 7234 §5.5). Returns any other header whole, with at most 300 characters. */
function warningText(value: string): string {
  const text = /^\s*\d{3} \S+ "((?:[^"\\]|\\.)*)"/.exec(value)?.[1]?.replace(/\\(.)/g, '$1');
  return bounded(text ?? value);
}

function bounded(text: string): string {
  return text.trim().slice(0, 300);
}
