import type { Account } from '../auth/record.ts';
import type { ApiRequest, ApiResponse } from '../client/api-client.ts';
import type { DatabaseSnapshot, OpenedLog } from '../database/offline/open-snapshot.ts';
import type { FoundRecords, SearchRequest } from '../database/search/find-records.ts';

/** The local database or team database that answers a command. */
export interface AccountDatabase {
  /** The signed-in user, from the database and the stored owner or account. Undefined if unknown. */
  readonly account: Account | undefined;
  readonly snapshot: DatabaseSnapshot;
  /** The time at which all tables were complete: the earliest time of a table, `2026-11-22T14:00:00Z`. */
  readonly oldestCompleteAt: string;
  /** Returns the time at which the table of a resource was complete. Undefined without a table. */
  completeAt(noun: string): string | undefined;
  /** Answers a GET request. @throws the errors of `answer` in src/database/offline/answer.ts. */
  answer(request: ApiRequest): Promise<ApiResponse>;
  /**
   * Answers a GET request if each table of the answer is young: complete within the last `youngerMs` milliseconds. A table that svc already
   * used in this command also counts as young. Undefined if a table is older, or if the database can’t answer.
   */
  answerIfFresh(request: ApiRequest, youngerMs: number): Promise<ApiResponse | undefined>;
  /** The resources with a table, child resources included. */
  readonly nouns: readonly string[];
  /** Searches all texts. svc later prints the age of the searched tables. @throws the errors of `findRecords`. */
  search(request: SearchRequest): Promise<FoundRecords>;
  /** The resources that the last sync found at the service, and that have no table. */
  readonly unstored: readonly string[];
  /** Opens the change log. svc later prints the age of the tables of the wanted resources. */
  openChangeLog(isWanted: (noun: string) => boolean): Promise<OpenedLog>;
  printAge(): Promise<void>;
  close(): Promise<void>;
}
