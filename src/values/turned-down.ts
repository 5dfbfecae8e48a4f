/** Statuses of a rejected or withdrawn absence. The service does not list them. */
export const TURNED_DOWN: ReadonlySet<string> = new Set([
  'declined',
  'rejected',
  'refused',
  'denied',
  'cancelled',
  'canceled',
  'withdrawn',
]);
