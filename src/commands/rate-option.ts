import { parsed } from '../cli/spec.ts';
import { parseInteger } from '../values/scalars.ts';

/** The flag for the share of each rate limit that a run can use. By default, a run leaves some rate-limit units to people. */
export const rateOption = parsed(
  '--rate <percent>',
  'Use at most this percentage of each rate limit (default: all but 15 rate-limit units of your own limit, and 80 % of the organisation’s limit)',
  (value) => parseInteger(value.replace(/\s*%$/, ''), { min: 1, max: 100 }),
  { type: 'integer' },
);
