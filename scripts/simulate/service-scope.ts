import { AsyncLocalStorage } from 'node:async_hooks';
import type { Universe } from './life.ts';

/** What runs as the service of a world: it draws its ids and tokens from the world's chance. */
export const service = new AsyncLocalStorage<{ readonly universe: Universe }>();
