import { spelled } from '../../cli/habits.ts';
import { type Options, type OptionValues, repeated, text, toggle } from '../../cli/spec.ts';
import { CREATE_OPTIONS } from '../nouns/write-flags.ts';

/** The flags that `worklogs add` has beside those of every `create`. */
const TALK_OPTIONS = {
  date: repeated(`${spelled('date')} <date>`, 'The day; several with commas or as monday..friday; today if not given', {
    type: 'date',
    group: 'Days',
  }),
  repeat: text('--repeat <weekdays>', 'Those days of the week: mon-fri, or mon,wed', { group: 'Days' }),
  from: text('--from <hh:mm>', 'When it began; with --to, instead of a duration', { type: 'time', group: 'Days' }),
  to: text('--to <hh:mm>', 'When it ended', { type: 'time', group: 'Days' }),
  like: text('--like <last|id>', 'As your last entry, or another one; what is typed goes before it', { group: 'Fields' }),
  later: toggle('--later', 'Keep it for svc outbox send, and send nothing now', { group: 'Request' }),
  noCheck: toggle('--no-check', 'Do not look whether the day is full, or free', { group: 'Request' }),
  noContext: toggle('--no-context', 'Nothing from .svc.json or the git branch', { group: 'Fields' }),
} as const satisfies Options;

/** All flags of `worklogs add` that are not a field's. */
export const ADD_OPTIONS = { ...CREATE_OPTIONS, ...TALK_OPTIONS } as const;

/** Their values. */
export type AddOptions = OptionValues<typeof ADD_OPTIONS>;
