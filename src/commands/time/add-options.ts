import { spelled } from '../../cli/habits.ts';
import { type Options, type OptionValues, repeated, text, toggle } from '../../cli/spec.ts';
import { CREATE_OPTIONS } from '../nouns/write-flags.ts';

/** The flags that `worklogs add` has beside those of every `create`. */
const TALK_OPTIONS = {
  date: repeated(`${spelled('date')} <date>`, 'Log on this day, on a,b or on monday..friday (default: today)', {
    type: 'date',
    group: 'Days',
  }),
  repeat: text('--repeat <weekdays>', 'Log on these weekdays: mon-fri, or mon,wed', { group: 'Days' }),
  from: text('--from <hh:mm>', 'Set the start; use --from and --to instead of a duration', { type: 'time', group: 'Days' }),
  to: text('--to <hh:mm>', 'Set the end', { type: 'time', group: 'Days' }),
  like: text('--like <last|id>', 'Take missing values from your last entry, or from another', { group: 'Fields' }),
  later: toggle('--later', 'Keep the entry in the outbox until svc outbox send', { group: 'Request' }),
  noCheck: toggle('--no-check', 'Log without a check for full days, holidays and absences', { group: 'Request' }),
  noContext: toggle('--no-context', 'Take nothing from .svc.json or the git branch', { group: 'Fields' }),
} as const satisfies Options;

/** All flags of `worklogs add` that are not a field's. */
export const ADD_OPTIONS = { ...CREATE_OPTIONS, ...TALK_OPTIONS } as const;

/** Their values. */
export type AddOptions = OptionValues<typeof ADD_OPTIONS>;
