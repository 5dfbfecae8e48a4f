import { HOURS } from './hours.ts';
import type { Task } from './task.ts';
import { WORK } from './work.ts';

/** The tasks in their order; the first is number 1. */
export const TASKS: readonly Task[] = [...HOURS, ...WORK];
