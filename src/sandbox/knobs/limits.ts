import type { KnobTable } from './table.ts';

/** How requests are counted. */
export const limitKnobs = {
  /** How much room a request needs: its whole cost, or one unit. */
  admission: ['cost', 'one'],
  /** A bucket gives everything back at the end of its window, or each unit a window after it was spent. */
  rateWindow: ['fixed', 'sliding'],
  /** Which answers have the RateLimit headers: every one, those of the API, or none. */
  rateLimitHeaders: ['everywhere', 'api', 'never'],
  /** Whether requests to the OAuth endpoints count towards the limit of their address as well. */
  oauthCountsForAddress: [false, true],
} as const satisfies KnobTable;
