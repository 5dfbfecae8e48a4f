import { parsed } from '../cli/spec.ts';
import { parseInteger } from '../values/scalars.ts';

/** The flag for the most records that a statement or a condition may change. */
export function maxChangesOption(summary: string, more: { readonly group?: string } = {}) {
  return parsed('--max-changes <n>', summary, (value) => parseInteger(value, { min: 1 }), { type: 'integer', ...more });
}
