import { type Options, type OptionValues, repeated, text, toggle } from '../../cli/spec.ts';
import { spelled } from '../../cli/tool-aliases.ts';
import type { DirectoryFile } from '../../config/directory-file.ts';
import { CREATE_OPTIONS } from '../resource/write-flags.ts';

export const ADD_OPTIONS = {
  ...CREATE_OPTIONS,
  date: repeated(`${spelled('date')} <date>`, 'Log on a day, on mon,tue or on monday..friday (default: today)', {
    type: 'date',
    group: 'Days',
  }),
  repeat: text('--repeat <weekdays>', 'Log the same hours on these weekdays: mon-fri, or mon,wed', { group: 'Days' }),
  from: text('--from <hh:mm>', 'Set the start; use --from and --to instead of a duration', { type: 'time', group: 'Days' }),
  to: text('--to <hh:mm>', 'Set the end, on the same day', { type: 'time', group: 'Days' }),
  like: text('--like <last|id>', 'Take missing values from your last entry, or from another entry', { group: 'Fields' }),
  later: toggle('--later', 'Store the entry in the outbox until svc outbox send', { group: 'Request' }),
  noCheck: toggle('--no-check', 'Log without a check for full days, holidays and absences', { group: 'Request' }),
  noContext: toggle('--no-context', 'Ignore .svc.json and the git branch', { group: 'Fields' }),
} as const satisfies Options;

export interface TypedEntry {
  readonly words: readonly string[];
  readonly options: OptionValues<typeof ADD_OPTIONS>;
  readonly given: Readonly<Record<string, unknown>>;
  readonly directory: DirectoryFile | undefined;
  /**
   * True if the user typed only flags: at most one day, and no --repeat, --from, --to or --like. svc then takes no work item from the
   * branch, and does not check the days.
   */
  readonly isPlain: boolean;
}

export const PLACE_FIELDS: readonly string[] = ['project_id', 'work_item_id', 'budget_id', 'task_id'];
