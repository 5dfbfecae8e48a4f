import { createHash } from 'node:crypto';
import type { Needs } from '../session/context.ts';
import type { Ticket } from '../transfer/read-ticket.ts';

/** A ticket for a file, kept until the contents have arrived: after a crash the next run continues with it. */
export interface KeptTicket {
  readonly ticket: Ticket;
  /** The Idempotency-Key of the contents: sent again, they are taken once. */
  readonly key: string;
}

/** The identity of a file at a place: its sender, its target, and its contents. */
export interface TicketOf {
  readonly origin: string;
  readonly account: string;
  readonly path: string;
  readonly body: string;
}

/** The file of a ticket: beside the journal, with mode 0600, since its address may be all that it takes to use it. */
export function ticketFile({ paths }: Needs<'paths'>, of: TicketOf): string {
  const name = createHash('sha256').update([of.origin, of.account, of.path, of.body].join('\n')).digest('hex').slice(0, 32);
  return `${paths.state}/uploads/${name}.json`;
}

/** A ticket without an end is tried for so long, in milliseconds; one that ends within a minute is not tried. */
const UNTOLD = 60 * 60 * 1000;
const TOO_LATE = 60 * 1000;

/** The ticket of an earlier run for the same file, as far as is known unused; undefined for none, or one that is over. */
export async function keptTicket(context: Needs<'clock' | 'files'>, path: string): Promise<KeptTicket | undefined> {
  const text = await context.files.readText(path).catch(() => undefined);
  if (text === undefined) return undefined;
  const kept = parse(text);
  if (kept !== undefined && context.clock.now() + TOO_LATE < kept.until) return kept;
  await forgetTicket(context, path);
  return undefined;
}

/** Keeps a ticket. One that cannot be kept is used all the same. */
export async function keepTicket(context: Needs<'clock' | 'files'>, path: string, kept: KeptTicket): Promise<void> {
  const until = kept.ticket.expiresAt ?? context.clock.now() + UNTOLD;
  await context.files.writeAtomic(path, JSON.stringify({ ...kept, until }), 0o600).catch(() => undefined);
}

export async function forgetTicket({ files }: Needs<'files'>, path: string): Promise<void> {
  await files.remove(path).catch(() => false);
}

function parse(text: string): (KeptTicket & { readonly until: number }) | undefined {
  try {
    const value = JSON.parse(text) as Partial<KeptTicket & { until: number }>;
    const { ticket, key, until } = value;
    const isWhole = typeof ticket?.address === 'string' && typeof ticket.method === 'string' && typeof ticket.headers === 'object';
    return isWhole && typeof key === 'string' && typeof until === 'number' ? { ticket, key, until } : undefined;
  } catch {
    return undefined;
  }
}
