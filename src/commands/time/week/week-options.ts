import { type OptionValues, parsed, recordFlag, text, toggle } from '../../../cli/spec.ts';
import { spelled } from '../../../cli/tool-aliases.ts';
import { UsageError } from '../../../errors.ts';
import { parseDuration } from '../../../values/duration.ts';
import { whyFlag } from '../../choose-row.ts';

export const WEEK_OPTIONS = {
  user: text(`${spelled('user')} <id|me|name>`, 'Show the week of this user (default: you)', { type: 'user' }),
  target: parsed(
    '--target <duration>',
    'Set the hours of each working day, Monday to Friday (default: from the user record)',
    parseTarget,
    { type: 'duration' },
  ),
  team: toggle('--team', 'Show a row for each active person, or for the people of --manager, --users or --branch'),
  manager: text('--manager <id|me|name>', 'Show only people with this manager (with --team)', { type: 'user' }),
  users: text('--users <a,b>', 'Show only these people, by id, name or e-mail address (with --team)'),
  branch: recordFlag('--branch', 'Show only people of this branch (with --team)', 'company-branches'),
  missing: toggle('--missing', 'Show only people with missing or unknown hours (with --team)'),
  remind: toggle('--remind', 'Print a reminder to paste, with the missing hours of each person (with --team)'),
  balance: toggle('--balance', 'Compare hours with the target for each week, or with --team for each person'),
  from: text('--from <date>', 'Set the first day of the balance (default: the first of this month)', { type: 'date' }),
  to: text('--to <date>', 'Set the last day of the balance (default: today)', { type: 'date' }),
  why: whyFlag('day|user', 'Show how svc calculates the missing hours of a day or a user (with --team), or a balance', {
    records: 'users',
    or: ['today', 'yesterday', 'monday'],
  }),
  html: text('--html <file>', 'Write the week as an HTML page to this file', { type: 'file', completes: 'file' }),
};

export type WeekOptions = OptionValues<typeof WEEK_OPTIONS>;

function parseTarget(text: string): number {
  const minutes = parseDuration(text);
  if (minutes <= 15 * 60) return minutes;
  throw new UsageError('A working day is at most 15h.', { hint: 'For example: --target 8h' });
}
