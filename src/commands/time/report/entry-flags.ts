import { parsed } from '../../../cli/spec.ts';
import type { Entry } from '../../../time/entry.ts';
import { type FigureStep, worklogStep } from '../../../time/figure-step.ts';
import { formatDuration, stepOf } from '../../../values/duration.ts';

export const entryOptions = {
  rounding: parsed('--rounding <duration>', 'Round each entry up to a multiple of this time, such as 15m', stepOf('--rounding'), {
    type: 'duration',
  }),
};

export type EntryRules = ReturnType<typeof entryRules>;

/** Returns the rounding of `--rounding`, with its notes and fields. The steps of a rounded entry add up to its minutes. */
export function entryRules({ rounding: step }: { readonly rounding: number | undefined }) {
  const note = step === undefined ? '' : `Each entry is rounded up to a multiple of ${formatDuration(step)}.`;
  return {
    apply(entry: Entry): { readonly entry: Entry; readonly steps: readonly FigureStep[] } {
      const logged = worklogStep(entry, { kind: 'worklog', reason: 'Logged', minutes: entry.minutes });
      const minutes = step === undefined ? entry.minutes : Math.ceil(entry.minutes / step) * step;
      if (minutes === entry.minutes) return { entry, steps: [logged] };
      const added = worklogStep(entry, { kind: 'entry-flag', reason: note.replace(/\.$/, ''), minutes: minutes - entry.minutes });
      return { entry: { ...entry, minutes }, steps: [logged, added] };
    },
    notes: step === undefined ? [] : [note],
    fields: step === undefined ? {} : { rounding_minutes: step },
  };
}
