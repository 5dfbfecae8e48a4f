import type { Daily } from './daily.ts';
import { logging } from './logging.ts';

/** The commands of a day, in the order in which each place runs them. */
export const DAILY: readonly Daily[] = [...logging];
