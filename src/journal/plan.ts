/** Writes that were planned instead of sent, for a person to look at. svc then sends exactly these. */
export interface Plan extends PlanHead {
  readonly writes: readonly PlannedWrite[];
}

/** The owner of a plan: svc applies it nowhere else. */
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
  /** The name of this write alone, so that a plan applied twice runs once. */
  readonly key: string;
  /** The record's ETag when the plan was made. */
  readonly ifMatch: string | undefined;
  readonly noun: string | undefined;
  /** The words after `svc` that planned it. */
  readonly command: readonly string[];
}
