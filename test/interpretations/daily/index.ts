import { billing } from './billing.ts';
import { check } from './check.ts';
import type { Daily } from './daily.ts';
import { figures } from './figures.ts';
import { files } from './files.ts';
import { leave } from './leave.ts';
import { lists } from './lists.ts';
import { logging } from './logging.ts';
import { manager } from './manager.ts';
import { reports } from './reports.ts';
import { suggest } from './suggest.ts';
import { team } from './team.ts';
import { timers } from './timers.ts';
import { writes } from './writes.ts';

/** The daily commands, in the order in which each place runs them. */
export const DAILY: readonly Daily[] = [
  ...logging,
  ...figures,
  ...reports,
  ...team,
  ...billing,
  ...check,
  ...suggest,
  ...leave,
  ...lists,
  ...timers,
  ...writes,
  ...manager,
  ...files,
];
