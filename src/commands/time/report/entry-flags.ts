import { type Options, type OptionValues, parsed } from '../../../cli/spec.ts';
import { UsageError } from '../../../errors.ts';
import type { Entry } from '../../../time/entry.ts';
import { formatDuration, parseDuration } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';

/** The flags of a report that change its entries, or leave some out, before svc adds them up. */
export const entryOptions = {
  rounding: parsed('--rounding <duration>', 'Round each entry up to a multiple of this, such as 15m', parseStep, { type: 'duration' }),
} satisfies Options;

type EntryValues = OptionValues<typeof entryOptions>;

/** The effect of a flag, for its value. */
interface EntryFlag<Value> {
  /** Returns the entry as it counts; undefined leaves it out. */
  readonly change: (entry: Entry, value: Value) => Entry | undefined;
  /** Returns a sentence for people, in the report. */
  readonly note: (value: Value) => string;
  /** Returns the same for programs, in each record. */
  readonly fields: (value: Value) => JsonObject;
}

const ENTRY_FLAGS: { readonly [Name in keyof EntryValues]: EntryFlag<NonNullable<EntryValues[Name]>> } = {
  rounding: {
    change: (entry, step) => ({ ...entry, minutes: Math.ceil(entry.minutes / step) * step }),
    note: (step) => `Each entry is rounded up to a multiple of ${formatDuration(step)}.`,
    fields: (step) => ({ rounding_minutes: step }),
  },
};

/** The effects of all given flags together. */
export interface EntryRules {
  readonly apply: (entry: Entry) => Entry | undefined;
  readonly notes: readonly string[];
  readonly fields: JsonObject;
}

/** Reads the flags of {@link entryOptions}. */
export function entryRules(values: EntryValues): EntryRules {
  const rules = (Object.keys(entryOptions) as (keyof EntryValues)[]).flatMap((name) => ruleOf(name, values));
  return {
    apply: (entry) => rules.reduce<Entry | undefined>((kept, { change }) => kept && change(kept), entry),
    notes: rules.map(({ note }) => note),
    fields: Object.assign({}, ...rules.map(({ fields }) => fields)),
  };
}

function ruleOf<Name extends keyof EntryValues>(name: Name, values: EntryValues) {
  const value: EntryValues[Name] | null = values[name];
  if (value === undefined || value === null) return [];
  const { change, note, fields } = ENTRY_FLAGS[name] as EntryFlag<NonNullable<EntryValues[Name]>>;
  return [{ change: (entry: Entry) => change(entry, value), note: note(value), fields: fields(value) }];
}

const DAY = 24 * 60;

/** Reads a step in minutes, from 1 minute to a day. @throws UsageError */
function parseStep(text: string): number {
  const minutes = parseDuration(text);
  if (minutes >= 1 && minutes <= DAY) return minutes;
  throw new UsageError('A step is from 1m to 24h.', { hint: 'For example: --rounding 15m' });
}
