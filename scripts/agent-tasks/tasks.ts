import { HOURS } from './hours.ts';
import { JUDGEMENT } from './judgement.ts';
import type { Task } from './task.ts';
import { WORK } from './work.ts';

/** All tasks, in the order of their numbers. The first one is number 1. */
export const TASKS: readonly Task[] = [...HOURS, ...WORK, ...JUDGEMENT];
