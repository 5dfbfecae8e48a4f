import type { ApiClient, ApiResponse } from '../client/api-client.ts';
import type { Query } from '../client/cost.ts';
import type { Network } from '../deps.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournaledRequest } from '../journal/journaled-client.ts';

/**
 * The journal, as one command meets it. All of it is made at the first write: a command that only reads loads, opens and pays for
 * nothing of it.
 */
export interface Journaling {
  /** What this account wrote from here. @throws JournalError */
  journal(): Promise<Journal>;
  /** A client whose writes are noted before they are sent. `make` is handed the network that its client is to use, which is `network` watched. */
  noting(network: Pick<Network, 'request'>, make: (network: Pick<Network, 'request'>) => Promise<ApiClient>): Promise<NotingClient>;
  /** From now on what is created is kept, and not sent. */
  keepWrites(): void;
  /** Whether something was kept for later, and the person told so. */
  hasKept(): Promise<boolean>;
  /** Settles what was written and printed since the last call. Never rejects. */
  settleWrites(): Promise<void>;
  /** Lets go of the journal, if it was opened. */
  close(): Promise<void>;
}

/** A client that takes, with a write, what is known of it. */
export interface NotingClient extends ApiClient {
  send(request: JournaledRequest): Promise<ApiResponse>;
}

export interface JournalingOptions {
  readonly open: () => Promise<Journal>;
  /** Makes what notes the writes of a client. */
  readonly note: (client: ApiClient, network: Pick<Network, 'request'>, reads: Reads, isKeeping: () => boolean) => Promise<NotedWrites>;
}

/** The writes of one command: noted before they are sent, and settled once their records are printed (docs/journal.md). */
export interface NotedWrites {
  /** What the client has to use from now on. */
  readonly network: Pick<Network, 'request'>;
  send(request: JournaledRequest): Promise<ApiResponse>;
  /** Whether one of them was kept for later. */
  hasKept(): boolean;
  settle(): Promise<void>;
}

/** The single records that a command has read, by their path below the API: what they held before it changed them. */
export type Reads = ReadonlyMap<string, ApiResponse>;

/** So many are remembered: nobody edits more by hand, and what is done in bulk is not read before. */
const MOST_READS = 50;

/** Builds it; nothing is opened yet. */
export function createJournaling({ open, note }: JournalingOptions): Journaling {
  let opened: Promise<Journal> | undefined;
  let noted: Promise<NotedWrites> | undefined;
  let keeps = false;
  const journal = () => {
    opened ??= open();
    return opened;
  };
  return {
    journal,
    async noting(network, make) {
      /** The network of the client; watched from the first write on. */
      let way = network;
      const client = await make({ request: (request) => way.request(request) });
      const reads = new Map<string, ApiResponse>();
      return {
        host: client.host,
        limits: () => client.limits(),
        watch: (listener) => client.watch(listener),
        async send(request) {
          const method = request.method.toUpperCase();
          if (method !== 'GET' && method !== 'HEAD') {
            noted ??= note(client, network, reads, () => keeps);
            const writes = await noted;
            way = writes.network;
            return writes.send(request);
          }
          const response = await client.send(request);
          if (isOneRecord(request.path, request.query) && response.status === 200 && reads.size < MOST_READS)
            reads.set(request.path, response);
          return response;
        },
      };
    },
    keepWrites() {
      keeps = true;
    },
    async hasKept() {
      return (await noted)?.hasKept() ?? false;
    },
    async settleWrites() {
      await (await noted)?.settle();
    },
    async close() {
      const journal = await opened?.catch(() => undefined);
      journal?.close();
    },
  };
}

/** More than the record may have been asked for with it, but not less. */
function isOneRecord(path: string, query: Query = []): boolean {
  return query.every(([name]) => name === 'include') && /^(?:\/[^/?]+\/[^/?]+)+$/.test(path);
}
