import type { Tone } from '../../output/styles.ts';
import { isJsonObject, type JsonObject, scalarText } from '../../values/json.ts';
import { ownEntry } from '../../values/own-entry.ts';
import { phaseNamed } from '../../values/phase.ts';

/** What the value of a field means beside what it says, in a record that is shown with names. Undefined: of this field nothing is known. */
export type ToneOf = (record: JsonObject) => Tone | undefined;

const STATES: ReadonlySet<string> = new Set(['workflow_status', 'status', 'is_done']);

/**
 * States and due dates of a record that is shown with names.
 *
 * @param day `YYYY-MM-DD` where the person is; without it nothing is late.
 */
export function toneFor(field: string, day: string | undefined): ToneOf | undefined {
  if (STATES.has(field)) return (record) => STATE_TONES[stateOf(record, [field]) ?? 'unknown'];
  if (field !== 'due_date' || day === undefined) return undefined;
  return (record) => {
    const { due_date: due } = record;
    if (typeof due !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(due) || due >= day) return undefined;
    const state = stateOf(record, [...STATES]);
    // Whether something is late depends on whether it is done, and what was not seen is not known.
    return state === 'open' || state === 'in progress' ? 'late' : undefined;
  };
}

const STATE_TONES = { done: 'done', 'in progress': 'active', open: undefined, unknown: undefined } as const;

/** Where a record stands, by the first of these fields that tells; undefined where none does. */
function stateOf(record: JsonObject, fields: readonly string[]): 'done' | 'in progress' | 'open' | undefined {
  for (const field of fields) {
    const value = ownEntry(record, field);
    if (typeof value === 'boolean') return value ? 'done' : 'open';
    const name = isJsonObject(value) ? scalarText(value['name']) : typeof value === 'string' ? value : '';
    // A status that is shown by its number tells nothing.
    if (name !== '' && !/^#\d+$/.test(name)) return phaseNamed(name) ?? 'open';
  }
  return undefined;
}
