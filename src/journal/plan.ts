/** Writes that were planned instead of sent, to be looked at and then sent exactly so. */
export interface Plan extends PlanHead {
  readonly writes: readonly PlannedWrite[];
}

/** For whom a plan was made: it is applied nowhere else. */
export interface PlanHead {
  /** `https://acme.example.com` */
  readonly origin: string;
  /** The user's id, as text. */
  readonly account: string;
}

export interface PlannedWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Below the API, with its query. */
  readonly path: string;
  /** The exact text of the body, UTF-8. */
  readonly body: string | undefined;
  /** Names this write alone, so that a plan applied twice is done once. */
  readonly key: string;
  /** The record's ETag when the plan was made. */
  readonly ifMatch: string | undefined;
  readonly noun: string | undefined;
  /** The words after `svc` that planned it. */
  readonly command: readonly string[];
}
