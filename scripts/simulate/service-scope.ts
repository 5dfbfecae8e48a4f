import { AsyncLocalStorage } from 'node:async_hooks';
import type { Scenario } from './life.ts';

/** Marks code that runs as the service, which uses the scenario’s random values for ids and tokens. */
export const service = new AsyncLocalStorage<{ readonly scenario: Scenario }>();
