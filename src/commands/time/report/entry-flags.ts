import { type Options, type OptionValues, parsed } from '../../../cli/spec.ts';
import type { Entry } from '../../../time/entry.ts';
import { type FigureStep, worklogStep } from '../../../time/figure-step.ts';
import { formatDuration, stepOf } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';

export const entryOptions = {
  rounding: parsed('--rounding <duration>', 'Round each entry up to a multiple of this time, such as 15m', stepOf('--rounding'), {
    type: 'duration',
  }),
} satisfies Options;

type EntryValues = OptionValues<typeof entryOptions>;

interface EntryFlag<Value> {
  readonly change: (entry: Entry, value: Value) => Entry | undefined;
  readonly note: (value: Value) => string;
  readonly fields: (value: Value) => JsonObject;
}

const ENTRY_FLAGS: { readonly [Name in keyof EntryValues]: EntryFlag<NonNullable<EntryValues[Name]>> } = {
  rounding: {
    change: (entry, step) => ({ ...entry, minutes: Math.ceil(entry.minutes / step) * step }),
    note: (step) => `Each entry is rounded up to a multiple of ${formatDuration(step)}.`,
    fields: (step) => ({ rounding_minutes: step }),
  },
};

/** An entry with the changes by the flags, such as rounding. The steps add up to the minutes of the entry. */
export interface CountedEntry {
  readonly entry: Entry;
  readonly steps: readonly FigureStep[];
}

export interface EntryRules {
  readonly apply: (entry: Entry) => CountedEntry | undefined;
  readonly notes: readonly string[];
  readonly fields: JsonObject;
}

export function entryRules(values: EntryValues): EntryRules {
  const rules = (Object.keys(entryOptions) as (keyof EntryValues)[]).flatMap((name) => ruleOf(name, values));
  return {
    apply: (logged) =>
      rules.reduce<CountedEntry | undefined>((kept, { change, note }) => kept && changed(kept, change(kept.entry), note), {
        entry: logged,
        steps: [worklogStep(logged, { kind: 'worklog', reason: 'Logged', minutes: logged.minutes })],
      }),
    notes: rules.map(({ note }) => note),
    fields: Object.assign({}, ...rules.map(({ fields }) => fields)),
  };
}

function changed({ entry, steps }: CountedEntry, after: Entry | undefined, note: string): CountedEntry | undefined {
  if (after === undefined) return undefined;
  const minutes = after.minutes - entry.minutes;
  const reason = note.replace(/\.$/, '');
  return { entry: after, steps: minutes === 0 ? steps : [...steps, worklogStep(entry, { kind: 'entry-flag', reason, minutes })] };
}

function ruleOf<Name extends keyof EntryValues>(name: Name, values: EntryValues) {
  const value: EntryValues[Name] | null = values[name];
  if (value === undefined || value === null) return [];
  const { change, note, fields } = ENTRY_FLAGS[name] as EntryFlag<NonNullable<EntryValues[Name]>>;
  return [{ change: (entry: Entry) => change(entry, value), note: note(value), fields: fields(value) }];
}
