/**
 * What retries of one process may cost a service in trouble, as the AWS SDKs' token bucket: each retry takes from it, each answer
 * without a failure gives a tenth back. So a bulk run in an outage sends little more than its requests, while single failures among
 * many successes are retried as ever. A 429 is no failure and takes nothing.
 */
export interface RetryBudget {
  /** Takes what a retry costs; false when there is not enough left, and the failure counts. */
  take(): boolean;
  /** An answer came that is no failure of the service. */
  giveBack(): void;
}

/** Two requests that fail to the end, and then some. */
const CAPACITY = 10;
/** In tenths, so that it stays exact. */
const RETRY_COSTS = 10;

export function createRetryBudget(): RetryBudget {
  let left = CAPACITY * RETRY_COSTS;
  return {
    take() {
      if (left < RETRY_COSTS) return false;
      left -= RETRY_COSTS;
      return true;
    },
    giveBack() {
      left = Math.min(left + 1, CAPACITY * RETRY_COSTS);
    },
  };
}
