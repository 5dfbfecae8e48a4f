import type { ApiClient, ApiResponse } from '../client/api-client.ts';
import type { Query } from '../client/cost.ts';
import type { Network } from '../deps.ts';
import type { JournaledRequest } from '../journal/journaled-client.ts';
import type { Journal } from '../journal/open-journal.ts';

export interface RecordingClient extends ApiClient {
  send(request: JournaledRequest): Promise<ApiResponse>;
}

/**
 * The writes of one command. svc records each write before sending, and resolves the write after printing its record
 * (docs/contributing/journal.md).
 */
export interface RecordedWrites {
  readonly network: Pick<Network, 'request'>;
  send(request: JournaledRequest): Promise<ApiResponse>;
  hasQueued(): boolean;
  resolve(): Promise<void>;
}

/** The first 50 answers with a single record that a command has read, by path within the API. */
export type Reads = ReadonlyMap<string, ApiResponse>;

/** The most records whose earlier state svc stores. Nobody edits more records by hand, and bulk commands read no single records. */
const MOST_READS = 50;

type Way = Pick<Network, 'request'>;

/**
 * Creates the journal of one command. The first write, or the first call of `journal`, opens the journal. A command that only reads does
 * not load the journal’s code.
 */
export function createJournaling(
  open: () => Promise<Journal>,
  note: (client: ApiClient, network: Way, reads: Reads, isKeeping: () => boolean) => Promise<RecordedWrites>,
) {
  let opened: Promise<Journal> | undefined;
  let recorded: Promise<RecordedWrites> | undefined;
  let keeps = false;
  const journal = () => {
    opened ??= open();
    return opened;
  };
  return {
    journal,
    /**
     * Returns a client that records its writes. @param make creates the client that sends the requests. svc watches `network` from the
     * first write on.
     */
    async recording(network: Way, make: (network: Way) => Promise<ApiClient>): Promise<RecordingClient> {
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
            recorded ??= note(client, network, reads, () => keeps);
            const writes = await recorded;
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
    keepWrites(): void {
      keeps = true;
    },
    async hasQueued(): Promise<boolean> {
      return (await recorded)?.hasQueued() ?? false;
    },
    /** Resolves the writes that svc has printed since the last call. */
    async resolveWrites(): Promise<void> {
      await (await recorded)?.resolve();
    },
    async close(): Promise<void> {
      const journal = await opened?.catch(() => undefined);
      journal?.close();
    },
  };
}

function isOneRecord(path: string, query: Query = []): boolean {
  return query.every(([name]) => name === 'include') && /^(?:\/[^/?]+\/[^/?]+)+$/.test(path);
}
